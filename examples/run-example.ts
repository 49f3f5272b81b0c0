import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { plainEnvironment } from '../test/support/plain-environment.ts';

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = 90_000;

/** Runs an example as a user would, and gives what it printed once it has ended by itself. */
export async function runExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: unknown; readonly output: string; readonly errors: string }> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@recloser/source', file], {
    env: plainEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  const [[exitCode, signal], output, errors] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode: exitCode ?? signal, output, errors };
}
