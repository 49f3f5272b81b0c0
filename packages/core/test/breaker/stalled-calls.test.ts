import { describe, expect, it } from 'vitest';
import type { CircuitBreaker, CircuitBreakerOptions } from '../../src/index.ts';
import { manualBreaker, only, startDate, typesOf } from './manual-breaker.ts';

const options: CircuitBreakerOptions = {
  slowCallDurationThreshold: 100,
  detectStalledCalls: true,
  waitDurationInOpenState: 1000,
};

describe('a call that is still out after slowCallDurationThreshold', () => {
  it('is counted as a slow success, strictly later and by the next touch', () => {
    const { breaker, clock, events } = manualBreaker(options);
    breaker.acquire();
    clock.advance(100);
    expect(breaker.metrics()).toMatchObject({ stalledCalls: 0, numberOfBufferedCalls: 0 });
    clock.advance(0.5);
    expect(events).toEqual([]);
    expect(breaker.metrics()).toMatchObject({
      stalledCalls: 1,
      numberOfBufferedCalls: 1,
      numberOfSlowSuccessfulCalls: 1,
      callsInFlight: 1,
    });
    expect(events).toStrictEqual([
      {
        type: 'stalledCall',
        breaker: 'test',
        at: startDate + 100,
        state: 'closed',
        elapsed: 100,
        stalled: true,
      },
    ]);
  });

  it.each<[touch: string, touch: (breaker: CircuitBreaker) => unknown]>([
    ['the state', (breaker) => breaker.state],
    ['the metrics', (breaker) => breaker.metrics()],
    ['the refusal', (breaker) => breaker.refusal()],
    ['another call', (breaker) => breaker.tryAcquire()],
  ])('is found by asking for %s', (_, touch) => {
    const { breaker, clock, events } = manualBreaker(options);
    breaker.acquire();
    clock.advance(101);
    touch(breaker);
    expect(typesOf(events)).toEqual(['stalledCall']);
    touch(breaker);
    expect(typesOf(events)).toEqual(['stalledCall']);
  });

  it('is counted strictly later, also where an older call is found by the same touch', () => {
    const { breaker, clock } = manualBreaker(options);
    breaker.acquire();
    clock.advance(10);
    breaker.acquire();
    clock.advance(100);
    expect(breaker.metrics().stalledCalls).toBe(1);
    clock.advance(1);
    expect(breaker.metrics().stalledCalls).toBe(2);
  });

  it('is counted before what another call tells', () => {
    const { breaker, clock, events } = manualBreaker(options);
    breaker.acquire();
    clock.advance(60);
    const other = breaker.acquire();
    clock.advance(50);
    other.success();
    expect(typesOf(events)).toEqual(['stalledCall', 'success']);
  });

  it('is not counted without detectStalledCalls', () => {
    const { breaker, clock } = manualBreaker({ slowCallDurationThreshold: 100 });
    breaker.acquire();
    clock.advance(1000);
    expect(breaker.metrics()).toMatchObject({ stalledCalls: 0, numberOfBufferedCalls: 0 });
  });

  it('opens the breaker as of the instant of the stall, however late it is touched', () => {
    const { breaker, clock, events } = manualBreaker({ ...options, minimumNumberOfCalls: 2 });
    breaker.acquire();
    clock.advance(40);
    breaker.acquire();
    clock.advance(1000);
    expect(breaker.metrics()).toMatchObject({ state: 'open', timeInState: 900, retryAfterMs: 101 });
    expect(only(events, 'stalledCall').map(({ at }) => at - startDate)).toEqual([100, 140]);
    expect(only(events, 'slowCallRateExceeded')).toMatchObject([{ at: startDate + 140 }]);
    expect(only(events, 'stateTransition')).toMatchObject([
      { at: startDate + 140, reason: 'slow-call-rate', wait: 1000 },
    ]);
    clock.advance(101);
    expect(breaker.tryAcquire()).toBeDefined();
  });

  it('stands in a time window at the instant of the stall', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      slowCallDurationThreshold: 1000,
      slidingWindowType: 'time-based',
      slidingWindowSize: 2,
    });
    breaker.acquire();
    clock.advance(2999);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 1, stalledCalls: 1 });
    clock.advance(1);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, stalledCalls: 1 });
  });

  it('of an earlier period is neither counted nor announced', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    breaker.reset();
    events.length = 0;
    clock.advance(200);
    expect(breaker.metrics()).toMatchObject({ stalledCalls: 0, numberOfBufferedCalls: 0 });
    expect(events).toEqual([]);
    permit.success();
    expect(events).toMatchObject([{ type: 'lateOutcome', elapsed: 200 }]);
  });

  it('is neither counted nor announced in disabled', () => {
    const { breaker, clock, events } = manualBreaker({ ...options, initialState: 'disabled' });
    breaker.acquire();
    clock.advance(200);
    expect(breaker.metrics()).toMatchObject({ stalledCalls: 0, numberOfBufferedCalls: 0 });
    expect(events).toEqual([]);
  });
});
