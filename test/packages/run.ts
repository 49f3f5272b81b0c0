import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a command prints. Where it fails, all that it printed is the error's message. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    // What the command says is all there is to know.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}
