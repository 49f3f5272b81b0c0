import fc from 'fast-check';
import type { CircuitBreakerOptions } from '../../../src/index.ts';
import type { ModelOptions, ModelState } from './model/model-options.ts';

/** One random choice of options; what is not set is undefined, so that counterexamples read easily. */
export interface Settings {
  type: 'count-based' | 'time-based';
  size: number;
  minimum: number;
  failureRate: number;
  slowRate: number;
  slowAfter: number;
  failureCount: number | undefined;
  inARow: number | undefined;
  wait: number | { initial: number; multiplier: number; max?: number } | 'a function';
  automatic: boolean;
  permitted: number;
  trialsAtOnce: number | undefined;
  limit: number | undefined;
  afterLimit: 'open' | 'closed' | 'evaluate';
  bulkhead: number | undefined;
  stalls: boolean;
  lease: number | undefined;
  initial: ModelState;
}

export class Ignored extends Error {}
export class Recorded extends Error {}

const listedWaits = [5, 40, 20, 300] as const;
const listedWait = (openings: number): number =>
  listedWaits[Math.min(openings, listedWaits.length) - 1] as number;

export const states: ModelState[] = [
  'closed',
  'open',
  'half-open',
  'metrics-only',
  'disabled',
  'forced-open',
];
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

export const settings: fc.Arbitrary<Settings> = fc
  .record<Settings>({
    type: fc.constantFrom('count-based', 'time-based'),
    size: fc.integer({ min: 1, max: 7 }),
    minimum: fc.integer({ min: 1, max: 6 }),
    failureRate: fc.constantFrom(100, 75, 50, 33, 1),
    slowRate: fc.constantFrom(100, 60, 50, 20),
    slowAfter: fc.constantFrom(60_000, 10, 100, 1000, 0.5),
    failureCount: maybe(fc.integer({ min: 1, max: 4 })),
    inARow: maybe(fc.integer({ min: 1, max: 4 })),
    wait: fc.oneof(
      fc.constantFrom(100, 1, 10, 1500),
      fc.constantFrom({ initial: 7, multiplier: 1.5 }, { initial: 50, multiplier: 3, max: 200 }),
      fc.constant('a function' as const),
    ),
    automatic: fc.boolean(),
    permitted: fc.integer({ min: 1, max: 4 }),
    trialsAtOnce: maybe(fc.integer({ min: 1, max: 3 })),
    limit: maybe(fc.constantFrom(5, 50, 100, 2000)),
    afterLimit: fc.constantFrom('open', 'closed', 'evaluate'),
    bulkhead: maybe(fc.integer({ min: 1, max: 4 })),
    stalls: fc.boolean(),
    lease: maybe(fc.constantFrom(4, 50, 150, 3000)),
    initial: fc.constantFrom(...states),
  })
  .map((chosen) => ({
    ...chosen,
    // A count that the minimum forestalls is an error.
    failureCount:
      (chosen.failureCount ?? Infinity) < leastForRates(chosen) ? chosen.failureCount : undefined,
    afterLimit: chosen.limit === undefined ? 'open' : chosen.afterLimit,
    // Slow enough to stay below the 1,000 changes of state that one touch carries out.
    wait:
      goesRound(chosen) && typeof chosen.wait === 'number'
        ? Math.max(chosen.wait, 100)
        : chosen.wait,
  }));

function goesRound({ automatic, limit }: Settings): boolean {
  return automatic && limit !== undefined;
}

function leastForRates({ type, size, minimum }: Settings): number {
  return type === 'count-based' ? Math.min(minimum, size) : minimum;
}

export function breakerOptions(chosen: Settings): CircuitBreakerOptions {
  return {
    slidingWindowType: chosen.type,
    slidingWindowSize: chosen.size,
    minimumNumberOfCalls: chosen.minimum,
    failureRateThreshold: chosen.failureRate,
    slowCallRateThreshold: chosen.slowRate,
    slowCallDurationThreshold: chosen.slowAfter,
    waitDurationInOpenState: chosen.wait === 'a function' ? listedWait : chosen.wait,
    automaticTransitionFromOpenToHalfOpenEnabled: chosen.automatic,
    permittedNumberOfCallsInHalfOpenState: chosen.permitted,
    detectStalledCalls: chosen.stalls,
    initialState: chosen.initial,
    recordErrors: [Recorded],
    ignoreErrors: [Ignored],
    recordResult: (value) => value === 'bad',
    ...(chosen.failureCount !== undefined && { failureCountThreshold: chosen.failureCount }),
    ...(chosen.inARow !== undefined && { consecutiveFailureThreshold: chosen.inARow }),
    ...(chosen.trialsAtOnce !== undefined && {
      maxConcurrentCallsInHalfOpenState: chosen.trialsAtOnce,
    }),
    ...(chosen.limit !== undefined && {
      maxWaitDurationInHalfOpenState: chosen.limit,
      transitionToStateAfterWaitDuration: chosen.afterLimit,
    }),
    ...(chosen.bulkhead !== undefined && { maxConcurrentCalls: chosen.bulkhead }),
    ...(chosen.lease !== undefined && { permitLease: chosen.lease }),
  };
}

export function modelOptions(chosen: Settings): ModelOptions {
  return {
    window: {
      unit: chosen.type === 'count-based' ? 'calls' : 'seconds',
      size: chosen.size,
      minimum: chosen.minimum,
    },
    failureRateThreshold: chosen.failureRate,
    slowCallRateThreshold: chosen.slowRate,
    slowCallDurationThreshold: chosen.slowAfter,
    failureCountThreshold: chosen.failureCount ?? Infinity,
    consecutiveFailureThreshold: chosen.inARow ?? Infinity,
    wait: (openings) => modelWait(chosen.wait, openings),
    automatic: chosen.automatic,
    permitted: chosen.permitted,
    maxConcurrentTrials: chosen.trialsAtOnce ?? Infinity,
    halfOpenLimit: chosen.limit ?? 0,
    afterLimit: chosen.afterLimit,
    maxConcurrentCalls: chosen.bulkhead ?? Infinity,
    detectStalledCalls: chosen.stalls,
    permitLease: chosen.lease ?? Infinity,
    initialState: chosen.initial,
  };
}

function modelWait(wait: Settings['wait'], openings: number): number {
  if (typeof wait === 'number') return wait;
  if (wait === 'a function') return listedWait(openings);
  let step = wait.initial;
  for (let opening = 1; opening < openings; opening++) step = Math.trunc(step * wait.multiplier);
  return Math.min(step, wait.max ?? Infinity);
}
