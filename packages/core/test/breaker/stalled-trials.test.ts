import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions } from '../../src/index.ts';
import { manualBreaker, movesOf, only, startDate, succeed } from './manual-breaker.ts';

const options: CircuitBreakerOptions = {
  initialState: 'half-open',
  slowCallDurationThreshold: 100,
  detectStalledCalls: true,
  waitDurationInOpenState: 1000,
};

describe('a stalled trial call', () => {
  it('decides at once, if it is the only one permitted', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    const trial = breaker.acquire();
    clock.advance(700);
    expect(breaker.state).toBe('open');
    expect(only(events, 'stateTransition')).toMatchObject([
      { from: 'half-open', reason: 'slow-call-rate', at: startDate + 100 },
    ]);
    trial.success();
    expect(breaker.metrics()).toMatchObject({ state: 'open', lateOutcomes: 0 });
  });

  it('can close, where slow calls are not too many', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 2,
    });
    const trial = breaker.acquire();
    succeed(breaker);
    clock.advance(101);
    expect(breaker.state).toBe('closed');
    expect(movesOf(events)).toEqual(['half-open > closed: trial-calls']);
    trial.failure();
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, lateOutcomes: 1 });
  });

  it.each(['ignore', 'release'] as const)('gives no permit back by %s', (ending) => {
    const { breaker, clock } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 3,
    });
    const trial = breaker.acquire();
    clock.advance(101);
    expect(breaker.metrics().numberOfBufferedCalls).toBe(1);
    trial[ending]();
    breaker.acquire();
    breaker.acquire();
    expect(breaker.refusal()?.reason).toBe('half-open-full');
  });

  it('has the thresholds looked at again when it fails', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 3,
      failureCountThreshold: 1,
    });
    const trial = breaker.acquire();
    clock.advance(101);
    expect(breaker.state).toBe('half-open');
    trial.failure();
    expect(movesOf(events)).toEqual(['half-open > open: failure-count']);
  });

  it('holds: the breaker opens for that long', () => {
    const { breaker, clock, events } = manualBreaker(options);
    const trial = breaker.acquire();
    clock.advance(101);
    trial.hold(5000);
    expect(movesOf(events)).toEqual(['half-open > open: hold']);
    expect(breaker.metrics()).toMatchObject({ retryAfterMs: 5001, numberOfSlowSuccessfulCalls: 1 });
  });

  it('frees its place among the trial calls out, once', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 4,
      maxConcurrentCallsInHalfOpenState: 1,
    });
    const trial = breaker.acquire();
    expect(breaker.refusal()?.reason).toBe('half-open-full');
    clock.advance(101);
    const next = breaker.acquire();
    trial.success();
    expect(breaker.refusal()?.reason).toBe('half-open-full');
    next.success();
    expect(breaker.refusal()).toBeUndefined();
  });

  it('that stalls at the instant of the half-open limit is counted before it', () => {
    const { breaker, clock, events } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 1,
      maxWaitDurationInHalfOpenState: 100,
      transitionToStateAfterWaitDuration: 'closed',
    });
    breaker.acquire();
    clock.advance(100);
    expect(breaker.state).toBe('open');
    expect(movesOf(events)).toEqual(['half-open > open: slow-call-rate']);
  });
});
