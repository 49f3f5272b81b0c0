import { afterEach, describe, expect, it, vi } from 'vitest';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.ts';
import { only, recordEvents, startDate } from './manual-breaker.ts';

/** Its wall clock throws; the system's stands at `startDate`. */
function withoutDate(options: CircuitBreakerOptions = {}) {
  vi.spyOn(Date, 'now').mockReturnValue(startDate);
  const time = { now: 1000 };
  const clock = {
    now: () => time.now,
    date: (): number => {
      throw new Error('no date');
    },
  };
  const breaker = new CircuitBreaker('test', { ...options, clock });
  return { breaker, time, events: recordEvents(breaker) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a wall clock that throws', () => {
  it("opens until a date by the system's", () => {
    const { breaker, time, events } = withoutDate();
    breaker.transitionToOpenStateUntil(new Date(startDate + 500));
    expect(only(events, 'stateTransition')).toMatchObject([{ to: 'open', wait: 500 }]);
    time.now = 1500;
    expect(breaker.refusal()).toBeDefined();
    time.now = 1501;
    expect(breaker.refusal()).toBeUndefined();
  });

  it('opens with a wait of 0 until a date that is past, and lets the next call try', () => {
    const { breaker, events } = withoutDate();
    breaker.transitionToOpenStateUntil(new Date(0));
    expect(only(events, 'stateTransition')).toMatchObject([{ to: 'open', wait: 0 }]);
    expect(breaker.metrics()).toMatchObject({ state: 'open', retryAfterMs: 0 });
    expect(breaker.tryAcquire()).toBeDefined();
    expect(breaker.state).toBe('half-open');
  });

  it("opens until the date of a result by the system's", () => {
    const { breaker, events } = withoutDate({
      transitionOnResult: () => ({ openUntil: new Date(startDate + 500) }),
    });
    breaker.acquire().result('maintenance');
    expect(only(events, 'stateTransition')).toMatchObject([{ to: 'open', wait: 500 }]);
    expect(only(events, 'error')).toEqual([]);
  });
});
