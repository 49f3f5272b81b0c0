import {
  HttpCircuitBreaker,
  type CircuitBreakerOptions,
  type HttpCircuitBreakerOptions,
} from '@recloser/core';
import { wrapFetch, type WrapFetchOptions } from '@recloser/fetch';

interface Guarded {
  readonly breaker: HttpCircuitBreaker;
  /** As `outcomesOf` gives them. */
  readonly outcomes: string[];
  readonly get: typeof fetch;
}

/** A guarded fetch with a breaker of its own. */
export function guarded(
  options: HttpCircuitBreakerOptions = {},
  adapter: WrapFetchOptions = {},
  base: typeof fetch = fetch,
): Guarded {
  const breaker = new HttpCircuitBreaker(options);
  return { breaker, outcomes: outcomesOf(breaker), get: wrapFetch(base, breaker, adapter) };
}

/** Opens at the second call where one of two failed. */
export const hasty: CircuitBreakerOptions = { failureRateThreshold: 50, minimumNumberOfCalls: 2 };

/** The outcomes of a call that was answered. */
export const success: readonly string[] = ['endpoint: success 200', 'host: success 200'];

/** What is recorded from now on, by the level of the breaker: `host: failure refused`. */
export function outcomesOf(breaker: HttpCircuitBreaker): string[] {
  const outcomes: string[] = [];
  // The key of an endpoint begins with a method.
  const tell = (key: string, what: string): void => {
    outcomes.push(`${key.includes(' ') ? 'endpoint' : 'host'}: ${what}`);
  };
  for (const type of ['success', 'failure', 'ignored', 'amended'] as const) {
    breaker.on(type, (event) => {
      tell(event.breaker, `${type} ${event.kind ?? event.status}`);
    });
  }
  breaker.on('notPermitted', (event) => {
    tell(event.breaker, `refused ${event.reason}`);
  });
  breaker.on('stateTransition', (event) => {
    tell(event.breaker, `${event.from} to ${event.to}`);
  });
  return outcomes;
}
