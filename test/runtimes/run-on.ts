import { runToEnd } from '@recloser/test-support/run-to-end';
import { refusingUrl } from '@recloser/test-support/server';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Runs the checks on a runtime, to the end of its process. */
export async function runOn(runtime: Runtime): Promise<Run> {
  await using server = await startDependency();
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'recloser-runtime-'));
  const world = { url: server.url, refusingUrl: await refusingUrl() };
  const [program, ...args] = runtime.command(world, scratch.path);
  const { exitCode, output, errors } = await runToEnd(program, args, {
    cwd: import.meta.dirname,
    env: { NO_COLOR: '1', ...runtime.env },
  });
  return {
    lines: output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line),
    output: `${program} ended with ${exitCode}\n${output}\n${errors}`,
    exit: exitCode,
  };
}
