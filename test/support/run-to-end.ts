import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { plainEnvironment } from './plain-environment.ts';

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = 90_000;

export interface Ending {
  /** Its code, or the signal that ended it. */
  readonly exitCode: number | string;
  /** What it wrote to its standard output. */
  readonly output: string;
  readonly errors: string;
}

export interface Surroundings {
  readonly cwd?: string;
  /** Beside what a plain environment has. */
  readonly env?: NodeJS.ProcessEnv;
  /** Writes to its standard input, and may leave that open. @default there is none */
  readonly write?: (input: Writable) => void;
}

/** Runs a program as a user would, and gives what it wrote once it has ended by itself. */
export async function runToEnd(
  command: string,
  parameters: readonly string[],
  { cwd, env, write }: Surroundings = {},
): Promise<Ending> {
  const child = spawn(command, parameters, {
    cwd,
    env: plainEnvironment(env),
    stdio: [write === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  if (child.stdin !== null) write?.(child.stdin);
  const [[exitCode, signal], output, errors] = await Promise.all([
    once(child, 'exit') as Promise<[number | null, string | null]>,
    text(child.stdout!),
    text(child.stderr!),
  ]);
  child.stdin?.destroy();
  return { exitCode: exitCode ?? signal!, output, errors };
}
