// Bytes that a call leaves for the garbage collector: `execute` around an async function, and
// `tryAcquire` with a settle. A reading of a clock with fractions takes 16 of them. The median of
// several runs of so few calls that nothing is collected meanwhile; compiling may add to one of
// them.

import { CircuitBreaker } from '@recloser/core';
import { guards, ofEach, timeWindow } from '../contestants.ts';
import { async, sync, warmUp, type Loop } from '../measure.ts';
import { MinimalBreaker } from '../minimal-breaker.ts';
import type { Part } from '../part.ts';
import { median } from '../statistics.ts';
import { compared } from '../table.ts';

const CALLS = 500;
const RUNS = 11;

const body = async (): Promise<number> => 1;

async function bytesPerCall(loop: Loop): Promise<number> {
  await warmUp(loop);
  const bytes: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    globalThis.gc!();
    const before = process.memoryUsage().heapUsed;
    await loop(CALLS);
    bytes.push((process.memoryUsage().heapUsed - before) / CALLS);
  }
  return median(bytes);
}

const own = 'Recloser, tryAcquire and a settle';

export const part: Part<number> = {
  title: 'Bytes allocated by a call',
  contestants: {
    'bare call': () => bytesPerCall(async(() => body())),
    'minimal, in an async function': () => {
      const breaker = new MinimalBreaker();
      return bytesPerCall(async(() => breaker.execute(body)));
    },
    ...ofEach(guards, async (guard) => bytesPerCall(async(await guard(body)))),
    [own]: () => {
      const breaker = new CircuitBreaker('bench', timeWindow);
      return bytesPerCall(
        sync(() => {
          const permit = breaker.tryAcquire();
          permit?.success();
          return permit === undefined ? 0 : 1;
        }),
      );
    },
  },
  report: compared({ unit: 'bytes', reference: 'cockatiel, SamplingBreaker' }),
};
