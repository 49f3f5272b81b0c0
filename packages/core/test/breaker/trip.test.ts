import { describe, expect, it } from 'vitest';
import {
  fail,
  manualBreaker,
  movesOf,
  only,
  startDate,
  succeed,
  typesOf,
} from './manual-breaker.ts';

const gone = new Error('certificate expired');

describe('trip', () => {
  it('is a failure that opens a closed breaker at once, with its usual wait', () => {
    const { breaker, clock, events } = manualBreaker({ waitDurationInOpenState: 1000 });
    succeed(breaker, 50);
    const permit = breaker.acquire();
    clock.advance(7);
    permit.trip(gone, { kind: 'tls' });
    expect(events.slice(50)).toStrictEqual([
      {
        type: 'failure',
        breaker: 'test',
        at: startDate + 7,
        state: 'closed',
        elapsed: 7,
        error: gone,
        kind: 'tls',
        trip: true,
      },
      {
        type: 'stateTransition',
        breaker: 'test',
        at: startDate + 7,
        state: 'closed',
        from: 'closed',
        to: 'open',
        reason: 'trip',
        wait: 1000,
      },
    ]);
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 51,
      numberOfFailedCalls: 1,
      openingsInARow: 1,
    });
  });

  it('opens a half-open breaker at once', () => {
    const { breaker, events } = manualBreaker({ initialState: 'half-open' });
    const other = breaker.acquire();
    breaker.acquire().trip();
    expect(movesOf(events)).toEqual(['half-open > open: trip']);
    other.success();
    expect(breaker.metrics()).toMatchObject({ state: 'open', numberOfBufferedCalls: 2 });
  });

  it('is the reason, whatever the rates and the row say', () => {
    const { breaker, events } = manualBreaker({
      minimumNumberOfCalls: 2,
      consecutiveFailureThreshold: 2,
    });
    fail(breaker);
    breaker.acquire().trip();
    expect(movesOf(events)).toEqual(['closed > open: trip']);
  });

  it('counts as an opening in the row: waits grow', () => {
    const { breaker, events } = manualBreaker({
      waitDurationInOpenState: { initial: 100, multiplier: 3 },
    });
    breaker.acquire().trip();
    breaker.transitionToHalfOpenState();
    breaker.acquire().trip();
    expect(only(events, 'stateTransition').flatMap(({ wait }) => wait ?? [])).toEqual([100, 300]);
  });

  it('in open counts as a failure, and moves nothing', () => {
    const { breaker, clock, events } = manualBreaker();
    const late = breaker.acquire();
    breaker.acquire().trip();
    clock.advance(10);
    late.trip(gone);
    expect(breaker.metrics()).toMatchObject({
      numberOfFailedCalls: 2,
      retryAfterMs: 59_991,
      openingsInARow: 1,
    });
    expect(movesOf(events)).toHaveLength(1);
    expect(only(events, 'failure')[1]).toMatchObject({ state: 'open', trip: true });
  });

  it('in metrics-only counts, is announced, and moves nothing', () => {
    const { breaker, events } = manualBreaker({
      initialState: 'metrics-only',
      minimumNumberOfCalls: 1,
    });
    breaker.acquire().trip(gone);
    expect(breaker.metrics()).toMatchObject({ state: 'metrics-only', failureRate: 100 });
    expect(typesOf(events)).toEqual(['failure', 'failureRateExceeded']);
    expect(events[0]).toMatchObject({ trip: true });
  });

  it('brings the window to its minimum like any other failure', () => {
    const { breaker } = manualBreaker({ minimumNumberOfCalls: 1 });
    breaker.acquire().trip();
    expect(breaker.metrics()).toMatchObject({ failureRate: 100, everEvaluated: true });
  });

  it('of an earlier period changes nothing', () => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    breaker.reset();
    permit.trip(gone);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', numberOfBufferedCalls: 0 });
    expect(only(events, 'lateOutcome')).toMatchObject([{ error: gone }]);
  });
});
