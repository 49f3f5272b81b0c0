import { describe, expect, it } from 'vitest';
import { manualBreaker, only, succeed } from './manual-breaker.ts';

describe('maxConcurrentCalls', () => {
  const options = { maxConcurrentCalls: 2 };

  it('refuses one more with the reason concurrency, counted nowhere', () => {
    const { breaker, events } = manualBreaker(options);
    breaker.acquire();
    breaker.acquire();
    expect(() => breaker.acquire()).toThrow(/maxConcurrentCalls/);
    expect(breaker.tryAcquire()).toBeUndefined();
    expect(breaker.refusal()).toMatchObject({
      reason: 'concurrency',
      state: 'closed',
      retryAfterMs: undefined,
    });
    expect(only(events, 'notPermitted')).toMatchObject([
      { reason: 'concurrency', state: 'closed' },
      { reason: 'concurrency' },
    ]);
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 0,
      numberOfNotPermittedCalls: 0,
    });
  });

  it.each(['success', 'failure', 'ignore', 'release', 'amend'] as const)(
    'has room again after %s, for one call',
    (ending) => {
      const { breaker } = manualBreaker(options);
      const permit = breaker.acquire();
      breaker.acquire();
      permit[ending]();
      permit[ending]();
      breaker.acquire();
      expect(breaker.tryAcquire()).toBeUndefined();
    },
  );

  it('holds in metrics-only', () => {
    const { breaker } = manualBreaker({ ...options, initialState: 'metrics-only' });
    breaker.acquire();
    breaker.acquire();
    expect(breaker.refusal()?.reason).toBe('concurrency');
  });

  it('does not hold in disabled, nor in half-open', () => {
    for (const initialState of ['disabled', 'half-open'] as const) {
      const { breaker } = manualBreaker({ ...options, initialState });
      for (let call = 0; call < 10; call++) breaker.acquire();
      expect(breaker.metrics().callsInFlight).toBe(10);
    }
  });

  it('is not filled by the calls of an earlier period', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    const hung = [breaker.acquire(), breaker.acquire()];
    breaker.transitionToOpenState();
    clock.advance(60_001);
    succeed(breaker);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', callsInFlight: 2 });
    breaker.acquire();
    breaker.acquire();
    for (const permit of hung) permit.failure();
    expect(breaker.tryAcquire()).toBeUndefined();
  });

  it('keeps the place of a stalled call until it settles', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      slowCallDurationThreshold: 100,
      detectStalledCalls: true,
    });
    const permit = breaker.acquire();
    breaker.acquire();
    clock.advance(101);
    expect(breaker.refusal()?.reason).toBe('concurrency');
    permit.success();
    expect(breaker.refusal()).toBeUndefined();
  });
});
