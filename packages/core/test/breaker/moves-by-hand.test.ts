import { describe, expect, it } from 'vitest';
import { IllegalStateTransitionError, type CircuitBreakerState } from '../../src/index.ts';
import { fail, manualBreaker, movesOf, only, startDate } from './manual-breaker.ts';

const moves = {
  closed: 'transitionToClosedState',
  open: 'transitionToOpenState',
  'half-open': 'transitionToHalfOpenState',
  'metrics-only': 'transitionToMetricsOnlyState',
  disabled: 'transitionToDisabledState',
  'forced-open': 'transitionToForcedOpenState',
} as const;
const states = Object.keys(moves) as CircuitBreakerState[];

describe('a move by hand', () => {
  it.each<[from: CircuitBreakerState, to: CircuitBreakerState]>([
    ['closed', 'half-open'],
    ['metrics-only', 'open'],
    ['metrics-only', 'half-open'],
  ])('from %s to %s is an error, and changes nothing', (from, to) => {
    const { breaker, events } = manualBreaker({ initialState: from });
    breaker.acquire().success();
    const before = breaker.metrics();
    events.length = 0;
    let error: unknown;
    try {
      breaker[moves[to]]();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(IllegalStateTransitionError);
    expect(error).toMatchObject({
      name: 'IllegalStateTransitionError',
      code: 'ERR_ILLEGAL_STATE_TRANSITION',
      breaker: 'test',
      from,
      to,
    });
    expect((error as Error).message).toMatch(new RegExp(`'test'.*${from}.*${to}`));
    expect(breaker.metrics()).toEqual(before);
    expect(events).toEqual([]);
  });

  it('from metrics-only to open is an error with a span or a date as well', () => {
    const { breaker } = manualBreaker({ initialState: 'metrics-only' });
    expect(() => breaker.transitionToOpenStateFor(10)).toThrow(IllegalStateTransitionError);
    expect(() => breaker.transitionToOpenStateUntil(new Date(startDate + 10))).toThrow(
      IllegalStateTransitionError,
    );
    expect(breaker.state).toBe('metrics-only');
  });

  it.each(states)('to the state already held (%s) begins a new period silently', (state) => {
    const { breaker, events } = manualBreaker({ initialState: state });
    const permit = breaker.tryAcquire();
    const heard = events.length;
    breaker[moves[state]]();
    expect(breaker.state).toBe(state);
    expect(events).toHaveLength(heard);
    permit?.failure();
    expect(breaker.metrics().numberOfBufferedCalls).toBe(0);
  });

  it('to open again waits anew and keeps the counts', () => {
    const { breaker, clock } = manualBreaker({ minimumNumberOfCalls: 1 });
    fail(breaker);
    clock.advance(50_000);
    breaker.transitionToOpenState();
    expect(breaker.metrics()).toMatchObject({
      retryAfterMs: 60_001,
      numberOfFailedCalls: 1,
      openingsInARow: 2,
      totalOpenings: 1,
    });
  });

  it('to open for a span leaves the openings in a row', () => {
    const { breaker, events } = manualBreaker();
    breaker.transitionToOpenStateFor(250);
    expect(only(events, 'stateTransition')).toMatchObject([{ reason: 'manual', wait: 250 }]);
    expect(breaker.metrics()).toMatchObject({ retryAfterMs: 251, openingsInARow: 0 });
  });

  it('to open until a date turns it into a span once', () => {
    const { breaker, clock, events } = manualBreaker();
    clock.advance(1000);
    breaker.transitionToOpenStateUntil(new Date(startDate + 3000));
    expect(only(events, 'stateTransition')).toMatchObject([{ wait: 2000 }]);
    expect(breaker.metrics()).toMatchObject({ retryAfterMs: 2001, openingsInARow: 0 });
  });

  it('to open until a date that is past lets the next call try', () => {
    const { breaker } = manualBreaker();
    breaker.transitionToOpenStateUntil(new Date(startDate - 5000));
    expect(breaker.metrics()).toMatchObject({ state: 'open', retryAfterMs: 0 });
    breaker.acquire();
    expect(breaker.state).toBe('half-open');
  });

  it.each([-1, NaN, Infinity, '250', undefined])('to open for %s ms is an error', (ms) => {
    const { breaker } = manualBreaker();
    expect(() => breaker.transitionToOpenStateFor(ms as number)).toThrow(
      /transitionToOpenStateFor/,
    );
    expect(breaker.state).toBe('closed');
  });

  it.each([startDate, '2026-01-01', new Date(NaN), undefined])(
    'to open until %s is an error',
    (date) => {
      const { breaker } = manualBreaker();
      expect(() => breaker.transitionToOpenStateUntil(date as Date)).toThrow(TypeError);
      expect(breaker.state).toBe('closed');
    },
  );
});

describe('the states of the operator', () => {
  it('disabled lets all pass and counts nothing', () => {
    const { breaker, events } = manualBreaker({
      initialState: 'disabled',
      minimumNumberOfCalls: 1,
    });
    fail(breaker, 500);
    expect(breaker.metrics()).toMatchObject({ state: 'disabled', numberOfBufferedCalls: 0 });
    expect(events).toEqual([]);
  });

  it('metrics-only lets all pass, counts, and never moves', () => {
    const { breaker, events } = manualBreaker({
      initialState: 'metrics-only',
      minimumNumberOfCalls: 1,
      consecutiveFailureThreshold: 1,
    });
    fail(breaker, 500);
    expect(breaker.metrics()).toMatchObject({ state: 'metrics-only', failureRate: 100 });
    expect(movesOf(events)).toEqual([]);
  });

  it('forced-open lets none pass, however long it lasts', () => {
    const { breaker, clock } = manualBreaker({
      initialState: 'forced-open',
      automaticTransitionFromOpenToHalfOpenEnabled: true,
    });
    clock.advance(1e12);
    expect(breaker.tryAcquire()).toBeUndefined();
    expect(breaker.metrics()).toMatchObject({
      state: 'forced-open',
      numberOfNotPermittedCalls: 1,
      retryAfterMs: undefined,
    });
  });
});

describe('reset', () => {
  it.each(states)('gives a fresh closed state from %s', (state) => {
    const { breaker, events } = manualBreaker({ initialState: state, minimumNumberOfCalls: 2 });
    breaker.tryAcquire()?.failure();
    breaker.reset();
    expect(breaker.metrics()).toMatchObject({
      state: 'closed',
      numberOfBufferedCalls: 0,
      numberOfNotPermittedCalls: 0,
      consecutiveFailures: 0,
      openingsInARow: 0,
    });
    expect(only(events, 'reset')).toHaveLength(1);
  });
});

describe('refusal()', () => {
  it('takes nothing, counts nothing and announces nothing', () => {
    const { breaker, events } = manualBreaker({
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    for (let asked = 0; asked < 10; asked++) expect(breaker.refusal()).toBeUndefined();
    breaker.acquire();
    expect(breaker.refusal()?.reason).toBe('half-open-full');
    expect(breaker.metrics().numberOfNotPermittedCalls).toBe(0);
    expect(events).toEqual([]);
  });

  it('leaves an open breaker open, whose wait has elapsed', () => {
    const { breaker, clock, events } = manualBreaker({ initialState: 'open' });
    clock.advance(60_000);
    expect(breaker.refusal()).toMatchObject({ reason: 'open', retryAfterMs: 1 });
    clock.advance(1);
    expect(breaker.refusal()).toBeUndefined();
    expect(breaker.state).toBe('open');
    expect(events).toEqual([]);
  });
});
