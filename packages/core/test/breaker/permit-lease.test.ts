import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions } from '../../src/index.ts';
import { manualBreaker, movesOf, only, startDate, typesOf } from './manual-breaker.ts';

const options: CircuitBreakerOptions = { permitLease: 500, waitDurationInOpenState: 1000 };

describe('a permit that is out for longer than its lease', () => {
  it('is written off as a slow failure, strictly later and as of that instant', () => {
    const { breaker, clock, events } = manualBreaker(options);
    breaker.acquire();
    clock.advance(500);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 1, numberOfBufferedCalls: 0 });
    clock.advance(250);
    expect(breaker.metrics()).toMatchObject({
      callsInFlight: 0,
      numberOfBufferedCalls: 1,
      numberOfSlowFailedCalls: 1,
      consecutiveFailures: 1,
      stalledCalls: 0,
    });
    expect(events).toStrictEqual([
      {
        type: 'failure',
        breaker: 'test',
        at: startDate + 500,
        state: 'closed',
        elapsed: 500,
        kind: 'written-off',
        writtenOff: true,
      },
    ]);
    expect(breaker.lastFailure).toMatchObject({ at: startDate + 500 });
  });

  it('that is settled at the end of the lease still counts', () => {
    const { breaker, clock } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(500);
    permit.success();
    expect(breaker.metrics()).toMatchObject({ numberOfSuccessfulCalls: 1, numberOfFailedCalls: 0 });
  });

  it('can open the breaker, as of that instant', () => {
    const { breaker, clock, events } = manualBreaker({ ...options, minimumNumberOfCalls: 1 });
    breaker.acquire();
    clock.advance(900);
    expect(breaker.metrics().retryAfterMs).toBe(601);
    expect(only(events, 'stateTransition')).toMatchObject([
      { at: startDate + 500, reason: 'failure-rate' },
    ]);
  });

  it.each(['success', 'failure', 'ignore', 'trip', 'amend'] as const)(
    'is a late outcome by %s',
    (ending) => {
      const { breaker, clock, events } = manualBreaker(options);
      const permit = breaker.acquire();
      clock.advance(501);
      permit[ending]();
      permit[ending]();
      expect(typesOf(events)).toEqual(['failure', 'lateOutcome']);
      expect(breaker.metrics()).toMatchObject({
        state: 'closed',
        callsInFlight: 0,
        numberOfBufferedCalls: 1,
        lateOutcomes: 1,
      });
    },
  );

  it('is a late outcome by hold, and holds nothing', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(501);
    permit.hold(5000);
    expect(breaker.state).toBe('closed');
    expect(typesOf(events)).toEqual(['failure', 'lateOutcome']);
  });

  it('is released silently', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(501);
    permit.release();
    expect(typesOf(events)).toEqual(['failure']);
    expect(breaker.metrics()).toMatchObject({ lateOutcomes: 0, numberOfFailedCalls: 1 });
  });

  it('frees its place in the bulkhead', () => {
    const { breaker, clock } = manualBreaker({ ...options, maxConcurrentCalls: 1 });
    const permit = breaker.acquire();
    expect(breaker.refusal()?.reason).toBe('concurrency');
    clock.advance(501);
    breaker.acquire();
    permit.success();
    expect(breaker.refusal()?.reason).toBe('concurrency');
  });

  it('of an earlier period is not counted, but out no longer', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    breaker.reset();
    events.length = 0;
    clock.advance(501);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 0, numberOfBufferedCalls: 0 });
    expect(events).toEqual([]);
    permit.failure();
    expect(typesOf(events)).toEqual(['lateOutcome']);
  });

  it('of a call in disabled is not counted, but out no longer, and ends silently', () => {
    const { breaker, clock, events } = manualBreaker({ ...options, initialState: 'disabled' });
    const permit = breaker.acquire();
    clock.advance(501);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 0, numberOfBufferedCalls: 0 });
    permit.failure();
    expect(events).toEqual([]);
  });
});

describe('a trial call that outlives its lease', () => {
  it('decides, so that no hung trial blocks half-open for ever', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    breaker.acquire();
    clock.advance(501);
    expect(breaker.state).toBe('open');
    expect(movesOf(events)).toEqual(['half-open > open: failure-rate']);
  });

  it('frees its place among the trial calls out, and uses its permit', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 2,
      maxConcurrentCallsInHalfOpenState: 1,
    });
    const trial = breaker.acquire();
    clock.advance(501);
    breaker.acquire();
    trial.ignore();
    expect(breaker.refusal()?.reason).toBe('half-open-full');
  });

  it('at the instant of the half-open limit is written off before it', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 1,
      maxWaitDurationInHalfOpenState: 500,
      transitionToStateAfterWaitDuration: 'closed',
    });
    breaker.acquire();
    clock.advance(500);
    expect(breaker.state).toBe('open');
    expect(movesOf(events)).toEqual(['half-open > open: failure-rate']);
  });
});

describe('a lease with stall detection', () => {
  const both = { ...options, detectStalledCalls: true, slowCallDurationThreshold: 100 };

  it('does not count a stalled call again', () => {
    const { breaker, clock } = manualBreaker(both);
    const permit = breaker.acquire();
    clock.advance(101);
    expect(breaker.metrics()).toMatchObject({ stalledCalls: 1, callsInFlight: 1 });
    clock.advance(400);
    const counts = { numberOfBufferedCalls: 1, numberOfSlowSuccessfulCalls: 1 };
    expect(breaker.metrics()).toMatchObject({ ...counts, callsInFlight: 0, lateOutcomes: 0 });
    permit.failure();
    expect(breaker.metrics()).toMatchObject({ ...counts, lateOutcomes: 1 });
  });

  it('finds a stall first, where both come at the same instant', () => {
    const { breaker, clock, events } = manualBreaker({ ...both, slowCallDurationThreshold: 500 });
    breaker.acquire();
    clock.advance(501);
    expect(breaker.metrics()).toMatchObject({
      callsInFlight: 0,
      numberOfSlowSuccessfulCalls: 1,
      numberOfFailedCalls: 0,
    });
    expect(typesOf(events)).toEqual(['stalledCall']);
  });

  it('carries stalls and leases of many calls out in the order of their instants', () => {
    const { breaker, clock, events } = manualBreaker({ ...both, slowCallDurationThreshold: 400 });
    breaker.acquire();
    clock.advance(50);
    const settled = breaker.acquire();
    clock.advance(50);
    breaker.acquire();
    settled.success();
    clock.advance(1000);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 0, stalledCalls: 2 });
    expect(events.map(({ type, at }) => [type, at - startDate])).toEqual([
      ['success', 100],
      ['stalledCall', 400],
      ['stalledCall', 500],
    ]);
  });
});
