import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figures, Part } from './part.ts';

/** Spares a process the time to read the sources; what runs in it is the same. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache', import.meta.url));

const child = fileURLToPath(new URL('child.ts', import.meta.url));

async function figureOf(part: string, contestant: string): Promise<unknown> {
  const flags = ['--expose-gc', '--conditions=@recloser/source'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, child, part, contestant],
    { env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE } },
  );
  return JSON.parse(stdout);
}

/**
 * The figures of all contestants, in rounds, so that a drift of the machine meets all alike. Each
 * is a process of its own, so that none runs code that another has shaped, and each round begins
 * with another.
 */
export async function interleaved(
  name: string,
  part: Part<unknown>,
  rounds: number,
): Promise<Figures<unknown>> {
  const contestants = Object.keys(part.contestants);
  const figures: Record<string, unknown[]> = Object.fromEntries(
    contestants.map((contestant) => [contestant, []]),
  );
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(turn + round) % contestants.length]!;
      figures[contestant]!.push(await figureOf(name, contestant));
    }
  }
  return figures;
}
