import { describe, expect, it } from 'vitest';
import { fail, manualBreaker, movesOf, only } from './manual-breaker.ts';

const options = { waitDurationInOpenState: 1000, minimumNumberOfCalls: 2 };
const busy = new Error('busy');

describe('retryAfter on a failure', () => {
  it('puts the end of the own wait off, if it is later', () => {
    const { breaker, events } = manualBreaker(options);
    breaker.acquire().failure(busy, { retryAfter: 5000 });
    expect(breaker.state).toBe('closed');
    fail(breaker);
    expect(only(events, 'stateTransition')).toMatchObject([{ reason: 'failure-rate', wait: 5000 }]);
    expect(breaker.refusal()).toMatchObject({ reason: 'open', retryAfterMs: 5001 });
  });

  it('changes nothing, if the own wait is longer', () => {
    const { breaker } = manualBreaker(options);
    breaker.acquire().failure(busy, { retryAfter: 400 });
    fail(breaker);
    expect(breaker.metrics().retryAfterMs).toBe(1001);
  });

  it('is an instant: what has passed of it is not waited again', () => {
    const { breaker, clock } = manualBreaker(options);
    breaker.acquire().failure(busy, { retryAfter: 5000 });
    clock.advance(1500);
    fail(breaker);
    expect(breaker.metrics().retryAfterMs).toBe(3501);
  });

  it('counts by its latest instant, not by the latest failure', () => {
    const { breaker, clock } = manualBreaker({ ...options, minimumNumberOfCalls: 3 });
    breaker.acquire().failure(busy, { retryAfter: 5000 });
    clock.advance(100);
    breaker.acquire().failure(busy, { retryAfter: 2000 });
    fail(breaker);
    expect(breaker.metrics().retryAfterMs).toBe(4901);
  });

  it('serves a trip as well', () => {
    const { breaker, events } = manualBreaker(options);
    breaker.acquire().failure(busy, { retryAfter: 5000 });
    breaker.acquire().trip();
    expect(only(events, 'stateTransition')).toMatchObject([{ reason: 'trip', wait: 5000 }]);
  });

  it('serves the opening at the half-open limit as well', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      initialState: 'half-open',
      maxWaitDurationInHalfOpenState: 100,
    });
    breaker.acquire().failure(busy, { retryAfter: 5000 });
    clock.advance(100);
    expect(breaker.metrics().retryAfterMs).toBe(4901);
    expect(movesOf(events)).toEqual(['half-open > open: half-open-limit']);
  });

  it('does not touch a hold, a result that opens, or a move by hand', () => {
    const held = manualBreaker(options).breaker;
    held.acquire().failure(busy, { retryAfter: 5000 });
    held.acquire().hold(10);
    expect(held.metrics().retryAfterMs).toBe(11);

    const told = manualBreaker({ transitionOnResult: () => ({ openFor: 20 }) }).breaker;
    told.acquire().failure(undefined, { retryAfter: 5000 });
    told.acquire().result('maintenance');
    expect(told.metrics().retryAfterMs).toBe(21);

    const moved = manualBreaker(options).breaker;
    moved.acquire().failure(busy, { retryAfter: 5000 });
    moved.transitionToOpenState();
    expect(moved.metrics().retryAfterMs).toBe(1001);
  });

  it('is forgotten with its period', () => {
    const { breaker } = manualBreaker(options);
    breaker.acquire().failure(busy, { retryAfter: 5000 });
    breaker.reset();
    fail(breaker, 2);
    expect(breaker.metrics().retryAfterMs).toBe(1001);
  });

  it('of a late failure is not remembered', () => {
    const { breaker } = manualBreaker(options);
    const late = breaker.acquire();
    breaker.reset();
    late.failure(busy, { retryAfter: 5000 });
    fail(breaker, 2);
    expect(breaker.metrics().retryAfterMs).toBe(1001);
  });

  it('does not move a breaker that is open already', () => {
    const { breaker } = manualBreaker(options);
    const permit = breaker.acquire();
    fail(breaker, 2);
    permit.failure(busy, { retryAfter: 5000 });
    expect(breaker.metrics().retryAfterMs).toBe(1001);
  });

  it.each([-1, NaN, Infinity, '5'])('of %s is an error, and the permit still out', (retryAfter) => {
    const { breaker } = manualBreaker(options);
    const permit = breaker.acquire();
    expect(() => permit.failure(busy, { retryAfter: retryAfter as number })).toThrow(/retryAfter/);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 1, numberOfBufferedCalls: 0 });
    permit.success();
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 0, numberOfBufferedCalls: 1 });
  });
});
