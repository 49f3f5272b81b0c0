import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Runs an example as a user would, and gives what it printed once it has ended by itself. */
export async function runExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: unknown; readonly output: string; readonly errors: string }> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@recloser/source', file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[exitCode], output, errors] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode, output, errors };
}
