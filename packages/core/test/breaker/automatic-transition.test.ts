import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.ts';
import { manualBreaker, movesOf, only, recordEvents, startDate } from './manual-breaker.ts';

const automatic: CircuitBreakerOptions = {
  automaticTransitionFromOpenToHalfOpenEnabled: true,
  waitDurationInOpenState: 1000,
};

describe('the automatic transition', () => {
  it('moves to half-open at the end of the wait, without a call', () => {
    const { breaker, clock, events } = manualBreaker(automatic);
    breaker.transitionToOpenState();
    clock.advance(999);
    expect(movesOf(events)).toEqual(['closed > open: manual']);
    clock.advance(1);
    expect(movesOf(events)).toEqual(['closed > open: manual', 'open > half-open: wait-elapsed']);
    expect(events[1]).toMatchObject({ at: startDate + 1000 });
    expect(breaker.metrics().callsInFlight).toBe(0);
  });

  it('holds one timer while open, and none in the other states', () => {
    const { breaker, clock } = manualBreaker(automatic);
    expect(clock.timers).toBe(0);
    breaker.transitionToOpenState();
    breaker.transitionToOpenState();
    expect(clock.timers).toBe(1);
    breaker.transitionToHalfOpenState();
    expect(clock.timers).toBe(0);
    breaker.acquire().trip();
    expect(clock.timers).toBe(1);
    breaker.transitionToForcedOpenState();
    expect(clock.timers).toBe(0);
    breaker.transitionToOpenStateFor(10);
    expect(clock.timers).toBe(1);
    breaker.reset();
    expect(clock.timers).toBe(0);
  });

  it('holds one timer in half-open with a limit, and ends it in time', () => {
    const { breaker, clock, events } = manualBreaker({
      ...automatic,
      maxWaitDurationInHalfOpenState: 50,
    });
    breaker.transitionToOpenState();
    clock.advance(1000);
    expect(clock.timers).toBe(1);
    clock.advance(50);
    expect(movesOf(events).at(-1)).toBe('half-open > open: half-open-limit');
  });

  it("holds a timer for 'evaluate' only while its limit runs", () => {
    const { breaker, clock } = manualBreaker({
      ...automatic,
      initialState: 'half-open',
      maxWaitDurationInHalfOpenState: 50,
      transitionToStateAfterWaitDuration: 'evaluate',
    });
    expect(clock.timers).toBe(0);
    const trial = breaker.acquire();
    expect(clock.timers).toBe(1);
    trial.ignore();
    expect(clock.timers).toBe(0);
  });

  it('begins with the first state', () => {
    const { clock, events } = manualBreaker({ ...automatic, initialState: 'open' });
    expect(clock.timers).toBe(1);
    clock.advance(1000);
    expect(movesOf(events)).toEqual(['open > half-open: wait-elapsed']);
  });

  it('is not asked for without the option: no timer is ever set', () => {
    const { breaker, clock } = manualBreaker({
      waitDurationInOpenState: 10,
      maxWaitDurationInHalfOpenState: 10,
      permitLease: 10,
    });
    breaker.acquire();
    breaker.transitionToOpenState();
    expect(clock.timers).toBe(0);
    clock.advance(11);
    breaker.acquire();
    expect(clock.timers).toBe(0);
  });
});

interface SetTimer {
  readonly callback: () => void;
  readonly ms: number;
  cancelled: boolean;
}

/** A clock that fires nothing by itself, and keeps what was set. */
function spiedClock() {
  const timers: SetTimer[] = [];
  const clock = {
    time: 0,
    now: () => clock.time,
    date: () => startDate + clock.time,
    setTimer: (callback: () => void, ms: number) => {
      const timer = { callback, ms, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
  };
  return { clock, timers };
}

describe('the timer of the automatic transition', () => {
  it('is set for the wait, and cancelled when the breaker moves before', () => {
    const { clock, timers } = spiedClock();
    const breaker = new CircuitBreaker('test', { ...automatic, clock });
    breaker.transitionToOpenState();
    expect(timers).toMatchObject([{ ms: 1000, cancelled: false }]);
    breaker.transitionToClosedState();
    expect(timers).toMatchObject([{ cancelled: true }]);
  });

  it('is armed again, where it fires early', () => {
    const { clock, timers } = spiedClock();
    const breaker = new CircuitBreaker('test', { ...automatic, clock });
    const events = recordEvents(breaker);
    breaker.transitionToOpenState();
    clock.time = 998.5;
    timers[0]?.callback();
    expect(movesOf(events)).toHaveLength(1);
    expect(timers).toHaveLength(2);
    expect(timers[1]?.ms).toBeGreaterThanOrEqual(1.5);
    expect(timers[1]?.ms).toBeLessThanOrEqual(2);
    clock.time = 1000;
    timers[1]?.callback();
    expect(movesOf(events)[1]).toBe('open > half-open: wait-elapsed');
    expect(timers).toHaveLength(2);
  });

  it('is armed in parts for a span that setTimeout cannot take', () => {
    const { clock, timers } = spiedClock();
    const most = 2 ** 31 - 1;
    const wait = 2 * most + 5;
    const breaker = new CircuitBreaker('test', {
      ...automatic,
      waitDurationInOpenState: wait,
      clock,
    });
    const events = recordEvents(breaker);
    breaker.transitionToOpenState();
    for (let part = 0; part < 2; part++) {
      expect(timers.at(-1)?.ms).toBe(most);
      clock.time += most;
      timers.at(-1)?.callback();
      expect(movesOf(events)).toHaveLength(1);
    }
    expect(timers.map(({ ms }) => ms)).toEqual([most, most, 5]);
    clock.time = wait;
    timers.at(-1)?.callback();
    expect(only(events, 'stateTransition')[1]).toMatchObject({
      to: 'half-open',
      at: startDate + wait,
    });
  });

  it('that fires late moves the breaker as of the end of the wait', () => {
    const { clock, timers } = spiedClock();
    const breaker = new CircuitBreaker('test', { ...automatic, clock });
    const events = recordEvents(breaker);
    breaker.transitionToOpenState();
    clock.time = 5000;
    timers[0]?.callback();
    expect(only(events, 'stateTransition')[1]).toMatchObject({ at: startDate + 1000 });
    expect(breaker.metrics().timeInState).toBe(4000);
  });

  it('that cannot be set harms nobody: the next touch moves the breaker', () => {
    const { clock } = spiedClock();
    const thrown = new Error('no timers here');
    const setTimer = (): never => {
      throw thrown;
    };
    const breaker = new CircuitBreaker('test', { ...automatic, clock: { ...clock, setTimer } });
    const events = recordEvents(breaker);
    breaker.transitionToOpenState();
    expect(only(events, 'error')).toMatchObject([{ error: thrown, source: 'clock' }]);
    expect(breaker.state).toBe('open');
  });
});
