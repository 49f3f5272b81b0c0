import type { InternalAxiosRequestConfig } from 'axios';

/** A copy of the config with which axios-retry repeats nothing, whatever its own options. */
export function withoutRetries(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const retry = { ...(config as { 'axios-retry'?: object })['axios-retry'] };
  return {
    ...config,
    'axios-retry': { ...retry, retryCondition: () => false },
  } as InternalAxiosRequestConfig;
}
