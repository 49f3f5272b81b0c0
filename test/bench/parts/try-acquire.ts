// `tryAcquire` and a settle, with no promise around them, closed, one call in four failing. The
// minimal breaker reads the clock as often as Recloser does, to know how long a call took; beside
// it stands one that does not know it.

import { CircuitBreaker } from '@recloser/core';
import { systemClock } from '../../../packages/core/src/breaker/clock.ts';
import { MonotonicClock } from '../../../packages/core/src/breaker/monotonic-clock.ts';
import { countWindow, timeWindow } from '../contestants.ts';
import { nsPerCall, sync } from '../measure.ts';
import { MinimalBreaker } from '../minimal-breaker.ts';
import type { Part } from '../part.ts';
import { atMostTimes, compared } from '../table.ts';

const permits = 'minimal, with any clock and a permit for each call';

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

/** A permit, for the minimal breaker: with what it takes to settle once, in the state that it is of. */
class MinimalPermit {
  #isOut = true;
  readonly #breaker: MinimalBreaker;
  readonly #clock: MonotonicClock;
  readonly #begun: number;

  constructor(breaker: MinimalBreaker, clock: MonotonicClock, begun: number) {
    this.#breaker = breaker;
    this.#clock = clock;
    this.#begun = begun;
  }

  end(isFailure: boolean): number {
    if (!this.#isOut) return 0;
    this.#isOut = false;
    this.#breaker.record(this.#begun, this.#clock.now(), isFailure);
    return 1;
  }
}

function ofPermits(): Promise<number> {
  const breaker = new MinimalBreaker();
  const clock = new MonotonicClock(systemClock);
  let call = 0;
  return nsPerCall(
    sync(() => {
      if (breaker.isOpen) return 0;
      return new MinimalPermit(breaker, clock, clock.now()).end(call++ % 4 === 0);
    }),
  );
}

export const part: Part<number> = {
  title: '`tryAcquire` and a settle, without a promise',
  contestants: {
    'minimal, with elapsed times': () => ofMinimal(() => performance.now()),
    'minimal, one reading of the clock': () => ofMinimal((begun) => begun),
    [permits]: ofPermits,
    'Recloser, time window': () => ofRecloser(timeWindow),
    'Recloser, count window': () => ofRecloser(countWindow),
  },
  report: compared({
    unit: 'ns',
    reference: 'minimal, with elapsed times',
    targets: (medians) => {
      const minimal = 'minimal, with elapsed times';
      const measured = medians['Recloser, time window']! / medians[minimal]!;
      const what = '`tryAcquire` and a settle, time window';
      const floor = { figure: medians[permits]! / medians[minimal]!, of: permits };
      return [atMostTimes(what, 1.5, measured, minimal, floor)];
    },
  }),
};
