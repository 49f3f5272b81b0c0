/** What makes a program print or send otherwise, and may be set where tests are run. */
const UNWANTED = /^(?:FORCE_COLOR|NODE_OPTIONS|NODE_USE_ENV_PROXY|\w+_proxy)$/i;

/**
 * The environment of a program whose output is compared, or that calls a server of its test:
 * without colours, proxies, and what a debugger would load.
 */
export function plainEnvironment(others: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  return { ...Object.fromEntries(inherited), ...others };
}
