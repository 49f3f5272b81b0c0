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

describe('metrics()', () => {
  it('of a new breaker', () => {
    const { breaker, clock } = manualBreaker(options);
    clock.advance(3);
    expect(breaker.metrics()).toStrictEqual({
      state: 'closed',
      failureRate: -1,
      slowCallRate: -1,
      numberOfBufferedCalls: 0,
      numberOfFailedCalls: 0,
      numberOfSlowCalls: 0,
      numberOfSlowFailedCalls: 0,
      numberOfSlowSuccessfulCalls: 0,
      numberOfSuccessfulCalls: 0,
      numberOfNotPermittedCalls: 0,
      callsInFlight: 0,
      consecutiveFailures: 0,
      lateOutcomes: 0,
      stalledCalls: 0,
      openingsInARow: 0,
      totalOpenings: 0,
      lastOpenedAt: undefined,
      lastRecoveryMs: undefined,
      outageMs: undefined,
      timeInState: 3,
      everEvaluated: false,
      retryAfterMs: undefined,
    });
  });

  it('is a fresh plain object each time', () => {
    const { breaker } = manualBreaker(options);
    const first = breaker.metrics();
    succeed(breaker);
    expect(first.numberOfBufferedCalls).toBe(0);
    expect(breaker.metrics()).not.toBe(first);
    expect(Object.getPrototypeOf(first)).toBe(Object.prototype);
  });

  it('counts the calls in the window by their kinds', () => {
    const { breaker, clock } = manualBreaker({ ...options, failureRateThreshold: 100 });
    const [slow, slowFailed] = [breaker.acquire(), breaker.acquire()];
    succeed(breaker, 3);
    fail(breaker, 1);
    clock.advance(101);
    slow.success();
    slowFailed.failure();
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 6,
      numberOfFailedCalls: 2,
      numberOfSuccessfulCalls: 4,
      numberOfSlowCalls: 2,
      numberOfSlowFailedCalls: 1,
      numberOfSlowSuccessfulCalls: 1,
      failureRate: 200 / 6,
      slowCallRate: 200 / 6,
    });
  });

  it('reads both rates as -1 below the minimum, and by whole calls from it on', () => {
    const { breaker } = manualBreaker(options);
    succeed(breaker, 3);
    expect(breaker.metrics()).toMatchObject({ failureRate: -1, slowCallRate: -1 });
    succeed(breaker);
    expect(breaker.metrics()).toMatchObject({ failureRate: 0, slowCallRate: 0 });
  });

  it('counts refusals of the period in numberOfNotPermittedCalls', () => {
    const { breaker } = manualBreaker(options);
    breaker.transitionToOpenState();
    breaker.tryAcquire();
    breaker.tryAcquire();
    expect(breaker.metrics().numberOfNotPermittedCalls).toBe(2);
    breaker.reset();
    expect(breaker.metrics().numberOfNotPermittedCalls).toBe(0);
  });

  it('counts permits out of every period in callsInFlight', () => {
    const { breaker } = manualBreaker(options);
    const first = breaker.acquire();
    breaker.reset();
    breaker.acquire();
    expect(breaker.metrics().callsInFlight).toBe(2);
    first.success();
    expect(breaker.metrics().callsInFlight).toBe(1);
  });

  it('counts late outcomes and stalled calls over all periods', () => {
    const { breaker, clock } = manualBreaker({ ...options, detectStalledCalls: true });
    const late = breaker.acquire();
    clock.advance(101);
    expect(breaker.metrics().stalledCalls).toBe(1);
    breaker.reset();
    late.success();
    breaker.reset();
    expect(breaker.metrics()).toMatchObject({ stalledCalls: 1, lateOutcomes: 1 });
  });

  it('lets go in a time window what is too old by now, without a call', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      slidingWindowType: 'time-based',
      slidingWindowSize: 3,
    });
    succeed(breaker, 4);
    clock.advance(2999);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 4, failureRate: 0 });
    clock.advance(1);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, failureRate: -1 });
  });
});

describe('lastFailure', () => {
  it('is the latest failure of any period, in words and numbers only', () => {
    const { breaker, clock } = manualBreaker(options);
    expect(breaker.lastFailure).toBeUndefined();
    breaker.acquire().failure(Object.assign(new TypeError('bad'), { code: 'ECONNREFUSED' }));
    clock.advance(10);
    breaker.reset();
    succeed(breaker);
    expect(breaker.lastFailure).toStrictEqual({
      kind: 'TypeError',
      code: 'ECONNREFUSED',
      at: startDate,
    });
    breaker.acquire().failure('text');
    expect(breaker.lastFailure).toStrictEqual({ at: startDate + 10 });
  });
});
