import { ManualClock, type HttpCircuitBreaker } from '@recloser/core';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { expect, onTestFinished } from 'vitest';
import type { Call, GuardOptions, Way } from './ways.ts';

/** A client behind a breaker of its own, and what is recorded there. */
export interface Guarded {
  readonly call: Call;
  readonly breaker: HttpCircuitBreaker;
  readonly clock: ManualClock;
  /** As `outcomesOf` gives them. */
  readonly outcomes: readonly string[];
}

/**
 * By a breaker that lets one call out at a time. It opens with the second failure in a row, for
 * 10 s, and a trial call that passes closes it. No permit of it may be out when the test ends.
 */
export function guarded(way: Way, options?: GuardOptions): Guarded {
  const clock = new ManualClock();
  const breaker = endpointBreaker(
    {
      consecutiveFailureThreshold: 2,
      waitDurationInOpenState: 10_000,
      permittedNumberOfCallsInHalfOpenState: 1,
    },
    { clock },
  );
  onTestFinished(() => {
    expect(callsInFlight(breaker).filter((calls) => calls !== 0)).toEqual([]);
  });
  return { call: way.guard(breaker, options), breaker, clock, outcomes: outcomesOf(breaker) };
}
