import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Brings the `dist` of every package up to date with its sources. */
export async function buildPackages(): Promise<void> {
  try {
    await promisify(execFile)('pnpm', ['run', 'build'], { cwd: root });
  } catch (error) {
    // What the compiler finds is on the standard output, which the message leaves out.
    const { message, stdout = '' } = error as Error & { readonly stdout?: string };
    throw new Error(`the packages can not be built: ${message}\n${stdout}`, { cause: error });
  }
}
