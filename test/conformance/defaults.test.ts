import type { CircuitBreakerOptions } from '@recloser/core';
import { describe, expect, it } from 'vitest';
import { states } from './configuration.ts';
import { errorOfKind } from './error-kinds.ts';
import { fail, makeBreaker, succeed, waitsInOpen } from './probes.ts';
import { type ErrorKind, readRecord } from './records.ts';

const defaults = readRecord<{
  config: Record<string, unknown>;
  intervalFunction: { multiplier: number };
}>('defaults.json');
const anHour = 3_600_000;

/** How each recorded default is read from a breaker for which nothing was set. */
const measured: Record<string, () => unknown> = {
  failureRateThreshold: () => leastThatOpens((breaker) => fail(breaker)),
  slowCallRateThreshold: () =>
    leastThatOpens((breaker, clock) => {
      const permit = breaker.acquire();
      clock.advance(anHour);
      permit.success();
    }),
  slowCallDurationThresholdMs: () => {
    const isSlow = (ms: number): boolean => {
      const { breaker, clock } = makeBreaker();
      const permit = breaker.acquire();
      clock.advance(ms);
      permit.success();
      return breaker.metrics().numberOfSlowCalls === 1;
    };
    let longestNotSlow = 0;
    for (let step = 2 ** 20; step >= 1; step /= 2)
      if (!isSlow(longestNotSlow + step)) longestNotSlow += step;
    return longestNotSlow;
  },
  permittedNumberOfCallsInHalfOpenState: () => {
    const { breaker } = makeBreaker({ initialState: 'half-open' });
    let permits = 0;
    while (breaker.tryAcquire()) permits++;
    return permits;
  },
  maxWaitDurationInHalfOpenStateMs: () => {
    const { breaker, clock } = makeBreaker({ initialState: 'half-open' });
    breaker.acquire();
    clock.advance(1000 * anHour);
    return breaker.state === 'half-open' ? 0 : 'a limit';
  },
  transitionToStateAfterWaitDuration: () => {
    const { breaker, clock } = makeBreaker({
      initialState: 'half-open',
      maxWaitDurationInHalfOpenState: 5,
    });
    clock.advance(5);
    return recordedName(breaker.state);
  },
  slidingWindowType: () => {
    const { breaker, clock } = makeBreaker();
    succeed(breaker);
    clock.advance(1000 * anHour);
    return breaker.metrics().numberOfBufferedCalls === 1 ? 'COUNT_BASED' : 'TIME_BASED';
  },
  slidingWindowSize: () => {
    const { breaker } = makeBreaker();
    succeed(breaker, 1000);
    return breaker.metrics().numberOfBufferedCalls;
  },
  minimumNumberOfCalls: () => {
    // A time window does not cap the minimum by its size.
    const { breaker } = makeBreaker({ slidingWindowType: 'time-based' });
    let calls = 0;
    for (; breaker.state === 'closed'; calls++) fail(breaker);
    return calls;
  },
  waitInOpenStateMsByAttempt1to5: () => waitsInOpen(undefined, 5),
  automaticTransitionFromOpenToHalfOpenEnabled: () => {
    const { breaker, clock } = makeBreaker({ initialState: 'open' });
    clock.advance(anHour);
    return breaker.state !== 'open';
  },
  initialState: () => recordedName(makeBreaker().breaker.state),
  recordsAnyError: () => everyKind((metrics) => metrics.numberOfFailedCalls === 1),
  ignoresAnyError: () => everyKind((metrics) => metrics.numberOfBufferedCalls === 0),
  recordsAnyResultAsFailure: () => {
    const { breaker } = makeBreaker();
    for (const value of [undefined, null, false, 0, '', 'bad', new Error('returned')])
      breaker.acquire().result(value);
    return breaker.metrics().numberOfFailedCalls > 0;
  },
  transitionOnResultAsksForOpen: () => {
    const { breaker } = makeBreaker();
    breaker.acquire().result('busy');
    breaker.acquire().error(new Error('busy'));
    return breaker.state !== 'closed';
  },
};

describe('a breaker for which nothing was set', () => {
  it.each(Object.entries(defaults.config))('has the recorded %s: %j', (name, value) => {
    expect(measured[name]?.()).toEqual(value);
  });

  it('knows the recorded states', () => {
    const { states: recorded } = readRecord<{ states: string[] }>('defaults.json');
    expect(Object.keys(states).sort()).toEqual(recorded.toSorted());
    for (const initialState of Object.values(states)) {
      expect(makeBreaker({ initialState }).breaker.state).toBe(initialState);
    }
  });

  it('grows exponential waits by the recorded multiplier', () => {
    expect(waitsInOpen({ initial: 1000 }, 2)).toEqual([
      1000,
      1000 * defaults.intervalFunction.multiplier,
    ]);
  });
});

type Made = ReturnType<typeof makeBreaker>;

/** Of 100 calls, the rest plain successes: how many of one kind it takes to open. */
function leastThatOpens(call: (breaker: Made['breaker'], clock: Made['clock']) => void): number {
  for (let number = 1; number <= 100; number++) {
    const { breaker, clock } = makeBreaker();
    succeed(breaker, 100 - number);
    for (let each = 0; each < number; each++) call(breaker, clock);
    if (breaker.state === 'open') return number;
  }
  return Infinity;
}

function everyKind(holds: (metrics: ReturnType<Made['breaker']['metrics']>) => boolean): boolean {
  const kinds: ErrorKind[] = ['net', 'timeout', 'readTimeout', 'app'];
  return kinds.every((kind) => {
    const { breaker } = makeBreaker();
    breaker.acquire().error(errorOfKind(kind));
    return holds(breaker.metrics());
  });
}

function recordedName(state: CircuitBreakerOptions['initialState']): string | undefined {
  return Object.entries(states).find(([, ours]) => ours === state)?.[0];
}
