import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions } from '../../src/index.ts';
import {
  fail,
  manualBreaker,
  movesOf,
  only,
  startDate,
  succeed,
  typesOf,
} from './manual-breaker.ts';

const options: CircuitBreakerOptions = {
  slowCallDurationThreshold: 100,
  detectStalledCalls: true,
  waitDurationInOpenState: 1000,
};

describe('a stalled call that ends', () => {
  it('in success leaves the slow success', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(250);
    permit.success();
    permit.success();
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 1,
      numberOfSlowSuccessfulCalls: 1,
      callsInFlight: 0,
    });
    expect(typesOf(events)).toEqual(['stalledCall', 'success']);
    expect(events[1]).toMatchObject({ stalled: true, elapsed: 250, at: startDate + 250 });
  });

  it('in failure makes the record a slow failure, and the thresholds are looked at again', () => {
    const { breaker, clock, events } = manualBreaker({ ...options, minimumNumberOfCalls: 2 });
    const permit = breaker.acquire();
    succeed(breaker);
    clock.advance(250);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', failureRate: 0, slowCallRate: 50 });
    permit.failure(new Error('timeout'));
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 2,
      numberOfSlowFailedCalls: 1,
      numberOfSlowSuccessfulCalls: 0,
    });
    expect(movesOf(events)).toEqual(['closed > open: failure-rate']);
    expect(only(events, 'failure')).toMatchObject([{ stalled: true, elapsed: 250 }]);
  });

  it.each(['ignore', 'release'] as const)('in %s leaves the slow success', (ending) => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(250);
    permit[ending]();
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 1,
      numberOfSlowSuccessfulCalls: 1,
      callsInFlight: 0,
    });
    expect(typesOf(events)).toEqual(
      ending === 'ignore' ? ['stalledCall', 'ignored'] : ['stalledCall'],
    );
  });

  it('in trip makes the record a slow failure, and opens', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(250);
    permit.trip();
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 1,
      numberOfSlowFailedCalls: 1,
    });
    expect(movesOf(events)).toEqual(['closed > open: trip']);
    expect(only(events, 'failure')).toMatchObject([{ stalled: true, trip: true }]);
  });

  it('in success is amended like any other', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(250);
    permit.success();
    permit.amend(new Error('broke off'));
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 1,
      numberOfSlowFailedCalls: 1,
    });
    expect(typesOf(events)).toEqual(['stalledCall', 'success', 'amended']);
  });

  it('in failure changes no count, once the record has left the time window', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      slidingWindowType: 'time-based',
      slidingWindowSize: 1,
    });
    const permit = breaker.acquire();
    clock.advance(1500);
    permit.failure();
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, numberOfFailedCalls: 0 });
  });

  it('after its period is late', () => {
    const { breaker, clock } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(250);
    expect(breaker.metrics().stalledCalls).toBe(1);
    breaker.reset();
    permit.failure();
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, lateOutcomes: 1 });
  });
});

describe('a stalled call in the row of failures', () => {
  it('stands for a failure, and can open', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      consecutiveFailureThreshold: 2,
    });
    breaker.acquire();
    fail(breaker);
    clock.advance(500);
    expect(breaker.state).toBe('open');
    expect(only(events, 'stateTransition')).toMatchObject([
      { reason: 'consecutive-failures', at: startDate + 100 },
    ]);
  });

  it('is not added a second time when it then fails, and ends the row when it succeeds', () => {
    const { breaker, clock } = manualBreaker({ ...options, consecutiveFailureThreshold: 3 });
    const [first, second] = [breaker.acquire(), breaker.acquire()];
    clock.advance(101);
    expect(breaker.metrics().consecutiveFailures).toBe(2);
    first.failure();
    expect(breaker.metrics()).toMatchObject({ state: 'closed', consecutiveFailures: 2 });
    second.success();
    expect(breaker.metrics().consecutiveFailures).toBe(0);
  });

  it.each(['ignore', 'release'] as const)('stays there after %s, until a success', (ending) => {
    const { breaker, clock } = manualBreaker({ ...options, consecutiveFailureThreshold: 3 });
    const permit = breaker.acquire();
    clock.advance(101);
    expect(breaker.metrics().consecutiveFailures).toBe(1);
    permit[ending]();
    expect(breaker.metrics().consecutiveFailures).toBe(1);
    succeed(breaker);
    expect(breaker.metrics().consecutiveFailures).toBe(0);
  });

  it('is not added a second time when its success is amended', () => {
    const { breaker, clock } = manualBreaker({ ...options, consecutiveFailureThreshold: 3 });
    fail(breaker);
    const permit = breaker.acquire();
    clock.advance(101);
    permit.success();
    expect(breaker.metrics().consecutiveFailures).toBe(0);
    permit.amend(new Error('broke off'));
    expect(breaker.metrics()).toMatchObject({ state: 'closed', consecutiveFailures: 2 });
  });
});
