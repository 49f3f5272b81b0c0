import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions } from '../../src/index.ts';
import { fail, manualBreaker, movesOf, only, succeed } from './manual-breaker.ts';

const options: CircuitBreakerOptions = {
  initialState: 'half-open',
  permittedNumberOfCallsInHalfOpenState: 3,
};

describe('half-open', () => {
  it('is entered by the first call after the wait, which is the first trial call', () => {
    const { breaker, clock, events } = manualBreaker({ ...options, initialState: 'open' });
    clock.advance(60_001);
    expect(breaker.state).toBe('open');
    breaker.acquire();
    expect(movesOf(events)).toEqual(['open > half-open: wait-elapsed']);
    breaker.acquire();
    breaker.acquire();
    expect(breaker.tryAcquire()).toBeUndefined();
  });

  it('refuses more than the permitted calls at once, and counts and announces that', () => {
    const { breaker, events } = manualBreaker(options);
    for (let trial = 0; trial < 3; trial++) breaker.acquire();
    expect(() => breaker.acquire()).toThrow(/half-open/);
    expect(only(events, 'notPermitted')).toMatchObject([
      { reason: 'half-open-full', state: 'half-open' },
    ]);
    expect(breaker.metrics().numberOfNotPermittedCalls).toBe(1);
    expect(breaker.refusal()).toMatchObject({
      reason: 'half-open-full',
      retryAfterMs: undefined,
      state: 'half-open',
    });
  });

  it('closes after healthy trial calls, with fresh counts', () => {
    const { breaker, events } = manualBreaker(options);
    succeed(breaker, 3);
    expect(movesOf(events)).toEqual(['half-open > closed: trial-calls']);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, openingsInARow: 0 });
  });

  it('opens again after failed trial calls, with one opening more in the row', () => {
    const { breaker, events } = manualBreaker(options);
    succeed(breaker);
    fail(breaker, 2);
    expect(movesOf(events)).toEqual(['half-open > open: failure-rate']);
    expect(breaker.metrics().openingsInARow).toBe(2);
  });

  it('opens again after slow trial calls', () => {
    const { breaker, clock, events } = manualBreaker({ ...options, slowCallRateThreshold: 60 });
    const trials = [breaker.acquire(), breaker.acquire()];
    succeed(breaker);
    clock.advance(60_001);
    for (const trial of trials) trial.success();
    expect(movesOf(events)).toEqual(['half-open > open: slow-call-rate']);
  });
});

describe('maxConcurrentCallsInHalfOpenState', () => {
  const oneAtATime = { ...options, maxConcurrentCallsInHalfOpenState: 1 };

  it('refuses further callers while so many trial calls are out', () => {
    const { breaker, events } = manualBreaker(oneAtATime);
    const trial = breaker.acquire();
    expect(breaker.refusal()?.reason).toBe('half-open-full');
    expect(breaker.tryAcquire()).toBeUndefined();
    expect(only(events, 'notPermitted')).toMatchObject([{ reason: 'half-open-full' }]);
    trial.success();
    expect(breaker.tryAcquire()).toBeDefined();
  });

  it.each(['success', 'failure', 'ignore', 'release', 'amend'] as const)(
    'has the place freed by %s, once',
    (ending) => {
      const { breaker } = manualBreaker(oneAtATime);
      const trial = breaker.acquire();
      trial[ending]();
      trial[ending]();
      breaker.acquire();
      expect(breaker.refusal()?.reason).toBe('half-open-full');
    },
  );

  it('counts the trial calls of this period alone', () => {
    const { breaker } = manualBreaker(oneAtATime);
    const early = breaker.acquire();
    breaker.transitionToHalfOpenState();
    breaker.acquire();
    early.success();
    expect(breaker.refusal()?.reason).toBe('half-open-full');
  });

  it('does not raise the number of permits', () => {
    const { breaker } = manualBreaker({ ...options, maxConcurrentCallsInHalfOpenState: 50 });
    for (let trial = 0; trial < 3; trial++) breaker.acquire();
    expect(breaker.tryAcquire()).toBeUndefined();
  });

  it('holds in half-open only', () => {
    const { breaker } = manualBreaker({ ...oneAtATime, initialState: 'closed' });
    for (let call = 0; call < 5; call++) breaker.acquire();
    expect(breaker.refusal()).toBeUndefined();
  });
});
