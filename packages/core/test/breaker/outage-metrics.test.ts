import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions } from '../../src/index.ts';
import { fail, manualBreaker, startDate, succeed } from './manual-breaker.ts';

const options: CircuitBreakerOptions = {
  slidingWindowSize: 10,
  minimumNumberOfCalls: 4,
  waitDurationInOpenState: 1000,
  permittedNumberOfCallsInHalfOpenState: 1,
  slowCallDurationThreshold: 100,
};

describe('metrics() of outages', () => {
  it('counts openings in a row until it closes, and in all for ever', () => {
    const { breaker, clock } = manualBreaker(options);
    const open = (): void => breaker.acquire().trip();
    open();
    clock.advance(1001);
    open();
    expect(breaker.metrics()).toMatchObject({ openingsInARow: 2, totalOpenings: 2 });
    clock.advance(1001);
    succeed(breaker);
    expect(breaker.metrics()).toMatchObject({ openingsInARow: 0, totalOpenings: 2 });
    open();
    expect(breaker.metrics()).toMatchObject({ openingsInARow: 1, totalOpenings: 3 });
  });

  it('dates the last failure when it was, however long ago', () => {
    const { breaker, clock } = manualBreaker(options);
    fail(breaker);
    clock.advance(3_600_000);
    expect(breaker.lastFailure).toMatchObject({ at: startDate });
  });

  it('dates the last opening by the wall clock', () => {
    const { breaker, clock } = manualBreaker(options);
    clock.advance(70);
    breaker.acquire().trip();
    clock.advance(1001);
    succeed(breaker);
    expect(breaker.metrics().lastOpenedAt).toBe(startDate + 70);
  });

  it('measures the last recovery from the first opening until it closed', () => {
    const { breaker, clock } = manualBreaker(options);
    breaker.acquire().trip();
    clock.advance(1500);
    fail(breaker);
    expect(breaker.metrics().lastRecoveryMs).toBeUndefined();
    clock.advance(2500);
    const trial = breaker.acquire();
    clock.advance(50);
    trial.success();
    expect(breaker.metrics()).toMatchObject({ state: 'closed', lastRecoveryMs: 4050 });
    breaker.acquire().trip();
    clock.advance(1001);
    expect(breaker.metrics().lastRecoveryMs).toBe(4050);
    succeed(breaker);
    expect(breaker.metrics().lastRecoveryMs).toBe(1001);
  });

  it('takes a reset for no recovery', () => {
    const { breaker, clock } = manualBreaker(options);
    breaker.acquire().trip();
    clock.advance(500);
    breaker.reset();
    expect(breaker.metrics().lastRecoveryMs).toBeUndefined();
  });

  it('measures the time in the state', () => {
    const { breaker, clock } = manualBreaker(options);
    clock.advance(500);
    breaker.acquire().trip();
    clock.advance(40);
    expect(breaker.metrics()).toMatchObject({ state: 'open', timeInState: 40 });
    clock.advance(1000);
    breaker.acquire();
    clock.advance(5);
    expect(breaker.metrics()).toMatchObject({ state: 'half-open', timeInState: 5 });
  });

  it('tells whether its window once reached the minimum', () => {
    const { breaker } = manualBreaker(options);
    succeed(breaker, 3);
    expect(breaker.metrics().everEvaluated).toBe(false);
    succeed(breaker);
    breaker.reset();
    expect(breaker.metrics()).toMatchObject({ everEvaluated: true, failureRate: -1 });
  });

  it('tells in open after how long a call is no longer refused', () => {
    const { breaker, clock } = manualBreaker(options);
    expect(breaker.metrics().retryAfterMs).toBeUndefined();
    breaker.acquire().trip();
    clock.advance(200.5);
    expect(breaker.metrics().retryAfterMs).toBe(801);
    clock.advance(799.5);
    expect(breaker.metrics().retryAfterMs).toBe(1);
    clock.advance(1);
    expect(breaker.metrics().retryAfterMs).toBe(0);
    breaker.acquire();
    expect(breaker.metrics().retryAfterMs).toBeUndefined();
  });
});
