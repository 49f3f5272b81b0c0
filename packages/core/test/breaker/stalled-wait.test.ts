import { expect, it } from 'vitest';
import type { CircuitBreaker, CircuitBreakerMetrics } from '../../src/index.ts';
import { manualBreaker, movesOf, only } from './manual-breaker.ts';

it('a wait function that reads its breaker opens it for the wait that it returns, however many calls have stalled', () => {
  const read: CircuitBreakerMetrics[] = [];
  const itself: { breaker?: CircuitBreaker } = {};
  const { breaker, clock, events } = manualBreaker({
    detectStalledCalls: true,
    slowCallDurationThreshold: 10,
    consecutiveFailureThreshold: 5,
    waitDurationInOpenState: () => {
      read.push(itself.breaker!.metrics());
      return 1234;
    },
  });
  itself.breaker = breaker;
  for (let call = 0; call < 20_000; call++) breaker.acquire();
  clock.advance(1000);

  expect(breaker.state).toBe('open');
  expect(movesOf(events)).toEqual(['closed > open: consecutive-failures']);
  expect(only(events, 'stateTransition')).toMatchObject([{ wait: 1234 }]);
  expect(only(events, 'error')).toEqual([]);
  expect(read).toMatchObject([{ state: 'closed' }]);
  expect(breaker.metrics().callsInFlight).toBe(20_000);
});

it('a wait function that reads its breaker leaves no call in a time window that has passed', () => {
  const itself: { breaker?: CircuitBreaker } = {};
  const { breaker, clock } = manualBreaker({
    slidingWindowType: 'time-based',
    slidingWindowSize: 30,
    detectStalledCalls: true,
    slowCallDurationThreshold: 10,
    consecutiveFailureThreshold: 3,
    waitDurationInOpenState: () => {
      itself.breaker!.metrics();
      return 3_600_000;
    },
  });
  itself.breaker = breaker;
  for (let call = 0; call < 5; call++) {
    breaker.acquire();
    clock.advance(1);
  }
  clock.advance(100_000);

  expect(breaker.state).toBe('open');
  expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, numberOfSlowCalls: 0 });
});
