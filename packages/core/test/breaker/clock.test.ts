import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.ts';
import { fail, manualBreaker, movesOf, only, recordEvents, startDate } from './manual-breaker.ts';

/** A breaker whose clock answers whatever the test sets, and whose timers never fire. */
function steered(options: CircuitBreakerOptions = {}) {
  const time = { now: (): unknown => 1000, date: (): unknown => startDate };
  const clock = {
    now: () => time.now() as number,
    date: () => time.date() as number,
    setTimer: () => () => {},
  };
  const breaker = new CircuitBreaker('test', { ...options, clock });
  const at = (instant: number): void => {
    time.now = () => instant;
  };
  return { breaker, time, at, events: recordEvents(breaker) };
}

describe('a clock that steps back', () => {
  it('is read as standing still and going on from there', () => {
    const { breaker, at } = steered({ waitDurationInOpenState: 100 });
    breaker.transitionToOpenState();
    at(1060);
    expect(breaker.metrics()).toMatchObject({ timeInState: 60, retryAfterMs: 41 });
    at(200);
    expect(breaker.metrics()).toMatchObject({ timeInState: 60, retryAfterMs: 41 });
    at(230);
    expect(breaker.metrics()).toMatchObject({ timeInState: 90, retryAfterMs: 11 });
    at(241);
    expect(breaker.tryAcquire()).toBeDefined();
  });

  it('gives no call a negative time', () => {
    const { breaker, at, events } = steered();
    const permit = breaker.acquire();
    at(5);
    permit.success();
    expect(only(events, 'success')).toMatchObject([{ elapsed: 0 }]);
  });
});

describe('a clock that fails', () => {
  const failures: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('no clock');
      },
    ],
    ['answers NaN', () => NaN],
    ['answers Infinity', () => Infinity],
    ['answers a text', () => '1000'],
    ['answers a text that is later', () => '5000'],
    ['answers a date', () => new Date(5000)],
    ['answers nothing', () => undefined],
  ];

  it.each(failures)('and %s harms no call: time stands still, and an event tells', (_, now) => {
    const { breaker, time, at, events } = steered({ minimumNumberOfCalls: 2 });
    const permit = breaker.acquire();
    at(1040);
    expect(breaker.state).toBe('closed');
    time.now = now;
    permit.success();
    expect(only(events, 'error')).toMatchObject([{ source: 'clock', breaker: 'test' }]);
    expect(only(events, 'success')).toMatchObject([{ elapsed: 40 }]);
    breaker.acquire().failure();
    expect(breaker.state).toBe('open');
    at(1040 + 60_001);
    expect(breaker.tryAcquire()).toBeDefined();
  });

  it.each(failures.slice(0, 2))('and %s at construction harms nothing', (_, now) => {
    const clock = { now: now as () => number, date: () => startDate };
    const breaker = new CircuitBreaker('test', { clock });
    const events = recordEvents(breaker);
    breaker.acquire().success();
    expect(breaker.metrics().numberOfBufferedCalls).toBe(1);
    expect(only(events, 'error').length).toBeGreaterThan(0);
  });

  it.each(failures.slice(0, 2))('and whose date() %s harms no call and dates events', (_, date) => {
    const { breaker, time, events } = steered();
    time.date = date;
    fail(breaker);
    expect(only(events, 'failure')[0]?.at).toSatisfy(Number.isFinite);
    expect(breaker.metrics().numberOfFailedCalls).toBe(1);
  });

  it.each(failures.slice(0, 2))('and whose date() %s opens nothing for ever', (_, date) => {
    const { breaker, time, at } = steered({
      transitionOnResult: () => ({ openUntil: new Date(startDate + 1000) }),
    });
    time.date = date;
    breaker.acquire().result('maintenance');
    const { retryAfterMs = 0 } = breaker.metrics();
    expect(retryAfterMs).toSatisfy(Number.isFinite);
    at(1e15);
    expect(breaker.refusal()).toBeUndefined();
  });
});

describe('a process that was suspended', () => {
  it('moves a breaker no more than 1,000 times in one touch, and the rest as one', () => {
    const { breaker, at, events } = steered({
      automaticTransitionFromOpenToHalfOpenEnabled: true,
      waitDurationInOpenState: 10,
      maxWaitDurationInHalfOpenState: 10,
    });
    breaker.transitionToOpenState();
    at(1e6);
    expect(['open', 'half-open']).toContain(breaker.state);
    expect(movesOf(events).slice(1).length).toBeLessThanOrEqual(1001);
    expect(movesOf(events).length).toBeGreaterThan(1000);
    expect(breaker.metrics().timeInState).toBe(0);
    const moves = events.length;
    at(1e6 + 9);
    expect(breaker.metrics().timeInState).toBe(9);
    expect(events).toHaveLength(moves);
  });

  it('finds every call that stalled or outlived its lease', () => {
    const { breaker, clock } = manualBreaker({
      slowCallDurationThreshold: 10,
      detectStalledCalls: true,
      permitLease: 20,
      slidingWindowSize: 5000,
      minimumNumberOfCalls: 5000,
    });
    for (let call = 0; call < 3000; call++) breaker.acquire();
    clock.advance(1e9);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 0, stalledCalls: 3000 });
  });
});
