import { describe, expect, it } from 'vitest';
import { fail, manualBreaker, movesOf, only, startDate, succeed } from './manual-breaker.ts';

const options = { waitDurationInOpenState: 1000, minimumNumberOfCalls: 2 };

describe('hold', () => {
  it('opens a closed breaker for that long, and is no outcome', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    clock.advance(4);
    permit.hold(5000, { status: 429 });
    expect(events).toStrictEqual([
      {
        type: 'held',
        breaker: 'test',
        at: startDate + 4,
        state: 'closed',
        elapsed: 4,
        status: 429,
        holdFor: 5000,
      },
      {
        type: 'stateTransition',
        breaker: 'test',
        at: startDate + 4,
        state: 'closed',
        from: 'closed',
        to: 'open',
        reason: 'hold',
        wait: 5000,
      },
    ]);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, openingsInARow: 0 });
    expect(breaker.lastFailure).toBeUndefined();
  });

  it('refuses with the reason held until strictly after its end', () => {
    const { breaker, clock } = manualBreaker(options);
    breaker.acquire().hold(5000);
    expect(breaker.refusal()).toMatchObject({ reason: 'held', retryAfterMs: 5001, state: 'open' });
    clock.advance(5000);
    expect(breaker.tryAcquire()).toBeUndefined();
    clock.advance(0.5);
    expect(breaker.tryAcquire()).toBeDefined();
  });

  it('may be for no time at all', () => {
    const { breaker, clock } = manualBreaker(options);
    breaker.acquire().hold(0);
    expect(breaker.refusal()).toMatchObject({ reason: 'held', retryAfterMs: 1 });
    clock.advance(1);
    expect(breaker.refusal()).toBeUndefined();
  });

  it('leaves the openings in a row: the next opening waits as the first', () => {
    const { breaker, clock, events } = manualBreaker({
      waitDurationInOpenState: { initial: 100, multiplier: 2 },
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    breaker.acquire().hold(10);
    clock.advance(11);
    fail(breaker);
    expect(only(events, 'stateTransition').map(({ wait }) => wait)).toEqual([10, undefined, 100]);
    expect(breaker.metrics().openingsInARow).toBe(1);
    breaker.transitionToHalfOpenState();
    breaker.acquire().hold(10);
    expect(breaker.metrics().openingsInARow).toBe(1);
  });

  it('opens a half-open breaker, and after it trial calls decide as ever', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 2,
    });
    breaker.acquire().hold(50);
    clock.advance(51);
    succeed(breaker, 2);
    expect(movesOf(events)).toEqual([
      'half-open > open: hold',
      'open > half-open: wait-elapsed',
      'half-open > closed: trial-calls',
    ]);
  });

  it.each([-1, NaN, Infinity, '5'])('for %s ms is an error, and the permit still out', (ms) => {
    const { breaker } = manualBreaker(options);
    const permit = breaker.acquire();
    expect(() => permit.hold(ms as number)).toThrow(/hold: ms/);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', callsInFlight: 1 });
    permit.success();
    expect(breaker.metrics().numberOfBufferedCalls).toBe(1);
  });
});

describe('hold while open', () => {
  it('moves the end out, silently, and gives refusals the reason held', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const permit = breaker.acquire();
    fail(breaker, 2);
    expect(breaker.refusal()).toMatchObject({ reason: 'open', retryAfterMs: 1001 });
    clock.advance(400);
    permit.hold(5000);
    expect(breaker.refusal()).toMatchObject({ reason: 'held', retryAfterMs: 5001 });
    expect(movesOf(events)).toEqual(['closed > open: failure-rate']);
    expect(only(events, 'held')).toMatchObject([{ state: 'open', holdFor: 5000 }]);
    expect(breaker.metrics().openingsInARow).toBe(1);
  });

  it.each([0, 10, 999, 1000])('never moves the end in: %i ms', (ms) => {
    const { breaker } = manualBreaker(options);
    const permit = breaker.acquire();
    fail(breaker, 2);
    permit.hold(ms);
    expect(breaker.refusal()).toMatchObject({ reason: 'open', retryAfterMs: 1001 });
  });

  it('never moves the end of a longer hold in', () => {
    const { breaker } = manualBreaker(options);
    const [first, second] = [breaker.acquire(), breaker.acquire()];
    first.hold(5000);
    second.hold(100);
    expect(breaker.refusal()).toMatchObject({ reason: 'held', retryAfterMs: 5001 });
  });

  it('arms the timer of the automatic transition anew', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      automaticTransitionFromOpenToHalfOpenEnabled: true,
    });
    const permit = breaker.acquire();
    fail(breaker, 2);
    permit.hold(5000);
    expect(clock.timers).toBe(1);
    clock.advance(4999);
    expect(movesOf(events)).toHaveLength(1);
    clock.advance(1);
    expect(movesOf(events)[1]).toBe('open > half-open: wait-elapsed');
    expect(only(events, 'stateTransition')[1]).toMatchObject({ at: startDate + 5000 });
  });

  it('is forgotten by an opening of its own that follows by hand', () => {
    const { breaker } = manualBreaker(options);
    breaker.acquire().hold(5000);
    breaker.transitionToOpenState();
    expect(breaker.refusal()).toMatchObject({ reason: 'open', retryAfterMs: 1001 });
  });
});

describe('hold in the states of the operator', () => {
  it('does not move metrics-only, and is announced all the same', () => {
    const { breaker, events } = manualBreaker({ ...options, initialState: 'metrics-only' });
    breaker.acquire().hold(5000);
    expect(breaker.state).toBe('metrics-only');
    expect(only(events, 'held')).toMatchObject([{ state: 'metrics-only', holdFor: 5000 }]);
    expect(movesOf(events)).toEqual([]);
  });

  it.each(['transitionToDisabledState', 'transitionToForcedOpenState'] as const)(
    'does not move the breaker after %s',
    (move) => {
      const { breaker } = manualBreaker(options);
      const permit = breaker.acquire();
      breaker[move]();
      const { state } = breaker;
      permit.hold(5000);
      expect(breaker.metrics()).toMatchObject({ state, lateOutcomes: 1, retryAfterMs: undefined });
    },
  );
});

describe('a stalled call that ends in a hold', () => {
  it('leaves its record, and holds', () => {
    const { breaker, clock, events } = manualBreaker({
      slowCallDurationThreshold: 100,
      detectStalledCalls: true,
    });
    const permit = breaker.acquire();
    clock.advance(200);
    permit.hold(5000);
    expect(breaker.metrics()).toMatchObject({
      state: 'open',
      numberOfBufferedCalls: 1,
      numberOfSlowSuccessfulCalls: 1,
      retryAfterMs: 5001,
    });
    expect(only(events, 'held')).toMatchObject([{ stalled: true, elapsed: 200 }]);
  });
});
