import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions } from '../../src/index.ts';
import { fail, manualBreaker, movesOf, only, startDate, succeed } from './manual-breaker.ts';

const limited: CircuitBreakerOptions = {
  initialState: 'half-open',
  maxWaitDurationInHalfOpenState: 100,
  waitDurationInOpenState: { initial: 1000, multiplier: 2 },
  slowCallDurationThreshold: 40,
};

describe('maxWaitDurationInHalfOpenState', () => {
  it.each(['open', 'closed'] as const)('runs from entering half-open, and ends in %s', (to) => {
    const { breaker, clock, events } = manualBreaker({
      ...limited,
      transitionToStateAfterWaitDuration: to,
    });
    clock.advance(60);
    succeed(breaker);
    const hung = breaker.acquire();
    clock.advance(39.5);
    expect(breaker.state).toBe('half-open');
    clock.advance(500);
    expect(breaker.state).toBe(to);
    expect(only(events, 'stateTransition')).toMatchObject([
      { to, reason: 'half-open-limit', at: startDate + 100 },
    ]);
    hung.success();
    expect(breaker.state).toBe(to);
  });

  it('opens with the next wait of the row', () => {
    const { breaker, clock, events } = manualBreaker(limited);
    clock.advance(100);
    expect(breaker.metrics().openingsInARow).toBe(2);
    expect(only(events, 'stateTransition')).toMatchObject([{ wait: 2000 }]);
  });

  it('does not hold in other states', () => {
    const { breaker, clock } = manualBreaker({ ...limited, initialState: 'closed' });
    clock.advance(1_000_000);
    expect(breaker.state).toBe('closed');
  });
});

describe("the half-open limit with 'evaluate'", () => {
  const options: CircuitBreakerOptions = {
    ...limited,
    transitionToStateAfterWaitDuration: 'evaluate',
  };

  it('runs from the first trial call, not from entering half-open', () => {
    const { breaker, clock } = manualBreaker(options);
    clock.advance(1_000_000);
    expect(breaker.state).toBe('half-open');
    breaker.acquire();
    clock.advance(99);
    breaker.acquire();
    expect(breaker.state).toBe('half-open');
    clock.advance(1);
    expect(breaker.state).toBe('open');
  });

  it('opens as of its own instant, where a trial call is out and none was counted', () => {
    const { breaker, clock, events } = manualBreaker(options);
    clock.advance(10);
    breaker.acquire();
    clock.advance(500);
    expect(breaker.state).toBe('open');
    expect(only(events, 'stateTransition')).toMatchObject([
      { to: 'open', reason: 'half-open-limit', at: startDate + 110, wait: 2000 },
    ]);
  });

  it.each(['ignore', 'release'] as const)('stops when all were ended by %s', (ending) => {
    const { breaker, clock } = manualBreaker(options);
    const [first, second] = [breaker.acquire(), breaker.acquire()];
    clock.advance(10);
    first[ending]();
    second[ending]();
    clock.advance(1_000_000);
    expect(breaker.state).toBe('half-open');
    breaker.acquire();
    clock.advance(99);
    expect(breaker.state).toBe('half-open');
    clock.advance(1);
    expect(breaker.state).toBe('open');
  });

  it('goes on while another trial call is out', () => {
    const { breaker, clock } = manualBreaker(options);
    const ignored = breaker.acquire();
    clock.advance(50);
    breaker.acquire();
    ignored.ignore();
    clock.advance(50);
    expect(breaker.state).toBe('open');
  });

  it('goes on where an outcome was counted, with no trial call out', () => {
    const { breaker, clock, events } = manualBreaker(options);
    succeed(breaker);
    breaker.acquire().ignore();
    clock.advance(100);
    expect(breaker.state).toBe('closed');
    expect(movesOf(events)).toEqual(['half-open > closed: half-open-limit']);
  });

  it('closes on healthy outcomes without the minimum, whatever hangs', () => {
    const { breaker, clock } = manualBreaker(options);
    const hung = breaker.acquire();
    succeed(breaker, 2);
    fail(breaker);
    clock.advance(100);
    expect(breaker.state).toBe('closed');
    hung.failure();
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, lateOutcomes: 1 });
  });

  it('opens on a failure rate without the minimum', () => {
    const { breaker, clock, events } = manualBreaker(options);
    succeed(breaker);
    fail(breaker);
    clock.advance(100);
    expect(breaker.state).toBe('open');
    expect(movesOf(events)).toEqual(['half-open > open: half-open-limit']);
  });

  it('opens on a slow-call rate without the minimum', () => {
    const { breaker, clock } = manualBreaker(options);
    const slow = breaker.acquire();
    clock.advance(41);
    slow.success();
    clock.advance(59);
    expect(breaker.state).toBe('open');
  });

  it('reads a stalled call as an outcome', () => {
    const stalls = { ...options, detectStalledCalls: true };
    const slow = manualBreaker(stalls);
    slow.breaker.acquire();
    slow.clock.advance(100);
    expect(slow.breaker.state).toBe('open');

    const mixed = manualBreaker(stalls);
    mixed.breaker.acquire();
    succeed(mixed.breaker);
    mixed.clock.advance(100);
    expect(mixed.breaker.state).toBe('closed');
  });

  it('does not stop when a stalled trial call is ignored', () => {
    const { breaker, clock } = manualBreaker({ ...options, detectStalledCalls: true });
    const stalled = breaker.acquire();
    clock.advance(41);
    stalled.ignore();
    clock.advance(59);
    expect(breaker.state).toBe('open');
  });

  it('is not in force where the trial calls have decided', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    succeed(breaker);
    clock.advance(1000);
    expect(breaker.state).toBe('closed');
    expect(movesOf(events)).toEqual(['half-open > closed: trial-calls']);
  });
});
