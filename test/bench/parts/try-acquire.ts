// `tryAcquire` and a settle, with no promise around them, closed, one call in four failing. The
// minimal breaker reads the clock as often as Recloser does, to know how long a call took; beside
// it stands one that does not know it.

import { CircuitBreaker } from '@recloser/core';
import { countWindow, timeWindow } from '../contestants.ts';
import { nsPerCall, sync } from '../measure.ts';
import { MinimalBreaker } from '../minimal-breaker.ts';
import type { Part } from '../part.ts';
import { atMostTimes, compared } from '../table.ts';

function ofRecloser(options: typeof timeWindow): Promise<number> {
  const breaker = new CircuitBreaker('bench', options);
  let call = 0;
  return nsPerCall(
    sync(() => {
      const permit = breaker.tryAcquire();
      if (permit === undefined) return 0;
      if (call++ % 4 === 0) permit.failure();
      else permit.success();
      return 1;
    }),
  );
}

function ofMinimal(now: (begun: number) => number): Promise<number> {
  const breaker = new MinimalBreaker();
  let call = 0;
  return nsPerCall(
    sync(() => {
      const begun = breaker.acquire();
      if (begun < 0) return 0;
      breaker.record(begun, now(begun), call++ % 4 === 0);
      return 1;
    }),
  );
}

export const part: Part<number> = {
  title: '`tryAcquire` and a settle, without a promise',
  contestants: {
    'minimal, with elapsed times': () => ofMinimal(() => performance.now()),
    'minimal, one reading of the clock': () => ofMinimal((begun) => begun),
    'Recloser, time window': () => ofRecloser(timeWindow),
    'Recloser, count window': () => ofRecloser(countWindow),
  },
  report: compared({
    unit: 'ns',
    reference: 'minimal, with elapsed times',
    targets: (medians) => {
      const minimal = 'minimal, with elapsed times';
      const measured = medians['Recloser, time window']! / medians[minimal]!;
      return [atMostTimes('`tryAcquire` and a settle, time window', 1.5, measured, minimal)];
    },
  }),
};
