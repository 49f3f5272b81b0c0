import { plainEnvironment } from '@recloser/test-support/plain-environment';
import { refusingUrl } from '@recloser/test-support/server';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Runtime } from './runtimes.ts';
import { startDependency } from './start-dependency.ts';

/** One line that the program printed. */
interface Line {
  readonly userAgent?: string;
  readonly imports?: readonly string[];
  readonly check?: string;
  readonly seen?: unknown;
  readonly error?: string;
  readonly leftIn?: string;
}

export interface Run {
  /** What it printed, in the order of printing. */
  readonly lines: readonly Line[];
  /** Everything that it wrote, for people. */
  readonly output: string;
  /** Its code, or the signal that ended it. */
  readonly exit: number | string;
}

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = 90_000;

/** Runs the checks on a runtime, to the end of its process. */
export async function runOn(runtime: Runtime): Promise<Run> {
  await using server = await startDependency();
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'recloser-runtime-'));
  const world = { url: server.url, refusingUrl: await refusingUrl() };
  const [program, ...args] = runtime.command(world, scratch.path);
  const child = spawn(program, args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: plainEnvironment({ NO_COLOR: '1', ...runtime.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  return {
    lines: stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line),
    output: `${program} ended with ${code ?? signal}\n${stdout}\n${stderr}`,
    exit: code ?? signal!,
  };
}
