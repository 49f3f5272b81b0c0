import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type CircuitBreakerEvent } from '../../src/index.ts';
import { fail, manualBreaker, movesOf, only, succeed } from './manual-breaker.ts';

const year = 365 * 24 * 3600 * 1000;

describe('a breaker without options', () => {
  it('begins closed', () => {
    expect(manualBreaker().breaker.state).toBe('closed');
  });

  it('decides nothing before 100 calls', () => {
    const { breaker, events } = manualBreaker();
    fail(breaker, 99);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', failureRate: -1, slowCallRate: -1 });
    fail(breaker);
    expect(movesOf(events)).toEqual(['closed > open: failure-rate']);
  });

  it('opens at half of the calls failed, not below', () => {
    const healthy = manualBreaker().breaker;
    succeed(healthy, 51);
    fail(healthy, 49);
    expect(healthy.metrics()).toMatchObject({ state: 'closed', failureRate: 49 });

    const failing = manualBreaker();
    succeed(failing.breaker, 50);
    fail(failing.breaker, 50);
    expect(failing.breaker.state).toBe('open');
    expect(only(failing.events, 'failureRateExceeded')).toMatchObject([{ rate: 50 }]);
  });

  it('keeps the last 100 calls, however old', () => {
    const { breaker, clock } = manualBreaker();
    fail(breaker, 10);
    clock.advance(year);
    succeed(breaker, 90);
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 100,
      numberOfFailedCalls: 10,
    });
    succeed(breaker, 60);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 100, numberOfFailedCalls: 0 });
  });

  it('calls slow what takes longer than a minute', () => {
    const { breaker, clock } = manualBreaker();
    const [first, second] = [breaker.acquire(), breaker.acquire()];
    clock.advance(60_000);
    first.success();
    expect(breaker.metrics().numberOfSlowCalls).toBe(0);
    clock.advance(0.001);
    second.success();
    expect(breaker.metrics().numberOfSlowCalls).toBe(1);
  });

  it('opens for slow calls only where every one is slow', () => {
    const { breaker, clock, events } = manualBreaker();
    succeed(breaker);
    const permits = Array.from({ length: 100 }, () => breaker.acquire());
    clock.advance(60_001);
    for (const permit of permits.slice(1)) permit.success();
    expect(breaker.metrics()).toMatchObject({ state: 'closed', slowCallRate: 99 });
    permits[0]?.success();
    expect(movesOf(events)).toEqual(['closed > open: slow-call-rate']);
  });

  it('waits a minute in open, and lets a call pass strictly after it', () => {
    const { breaker, clock } = manualBreaker();
    breaker.transitionToOpenState();
    clock.advance(60_000);
    expect(breaker.tryAcquire()).toBeUndefined();
    clock.advance(0.001);
    expect(breaker.tryAcquire()).toBeDefined();
  });

  it('waits the same after every opening in a row', () => {
    const { breaker, events } = manualBreaker();
    for (let opening = 0; opening < 3; opening++) {
      breaker.transitionToOpenState();
      breaker.transitionToHalfOpenState();
    }
    expect(only(events, 'stateTransition').flatMap(({ wait }) => wait ?? [])).toEqual([
      60_000, 60_000, 60_000,
    ]);
  });

  it('moves to half-open by a call, not by a timer', () => {
    const { breaker, clock } = manualBreaker();
    breaker.transitionToOpenState();
    expect(clock.timers).toBe(0);
    clock.advance(year);
    expect(breaker.state).toBe('open');
    breaker.acquire();
    expect(breaker.state).toBe('half-open');
  });

  it('admits 10 trial calls, all at one time, and stays half-open as long as they take', () => {
    const { breaker, clock } = manualBreaker({ initialState: 'half-open' });
    const trials = Array.from({ length: 10 }, () => breaker.acquire());
    expect(breaker.refusal()?.reason).toBe('half-open-full');
    clock.advance(year);
    expect(breaker.metrics()).toMatchObject({ state: 'half-open', numberOfBufferedCalls: 0 });
    for (const trial of trials) trial.failure();
    expect(breaker.state).toBe('open');
  });

  it('opens at the half-open limit, if only a limit is set', () => {
    const { breaker, clock } = manualBreaker({
      initialState: 'half-open',
      maxWaitDurationInHalfOpenState: 10,
    });
    clock.advance(10);
    expect(breaker.state).toBe('open');
  });

  it('counts whatever is thrown as a failure, and whatever is returned as a success', () => {
    const { breaker } = manualBreaker();
    for (const thrown of [new Error('busy'), 'text', 0, undefined, null]) {
      breaker.acquire().error(thrown);
    }
    expect(breaker.metrics().numberOfFailedCalls).toBe(5);
    for (const value of [new Error('returned'), false, 0, undefined, null]) {
      breaker.acquire().result(value);
    }
    expect(breaker.metrics()).toMatchObject({ numberOfFailedCalls: 5, numberOfSuccessfulCalls: 5 });
  });

  it('has no bulkhead, no stall detection and no lease', () => {
    const { breaker, clock } = manualBreaker();
    for (let call = 0; call < 1000; call++) breaker.acquire();
    clock.advance(year);
    expect(breaker.metrics()).toMatchObject({
      callsInFlight: 1000,
      numberOfBufferedCalls: 0,
      stalledCalls: 0,
      consecutiveFailures: 0,
    });
  });

  it('holds the last 30 whole seconds, if only the type is set', () => {
    const { breaker, clock } = manualBreaker({ slidingWindowType: 'time-based' });
    succeed(breaker);
    clock.advance(29_999);
    expect(breaker.metrics().numberOfBufferedCalls).toBe(1);
    clock.advance(1);
    expect(breaker.metrics().numberOfBufferedCalls).toBe(0);
  });

  it('lives by the clocks of the system', () => {
    const breaker = new CircuitBreaker('test');
    const events: CircuitBreakerEvent[] = [];
    breaker.on('success', (event) => events.push(event));
    const [before, monotonicBefore] = [Date.now(), performance.now()];
    const permit = breaker.acquire();
    permit.success();
    const [after, monotonicAfter] = [Date.now(), performance.now()];
    const [event] = only(events, 'success');
    expect(event?.at).toBeGreaterThanOrEqual(before);
    expect(event?.at).toBeLessThanOrEqual(after);
    expect(event?.elapsed).toBeGreaterThanOrEqual(0);
    expect(event?.elapsed).toBeLessThanOrEqual(monotonicAfter - monotonicBefore);
  });
});
