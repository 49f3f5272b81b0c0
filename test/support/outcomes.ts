import {
  HttpCircuitBreaker,
  type CircuitBreakerOptions,
  type HttpCircuitBreakerOptions,
} from '@recloser/core';

/**
 * A breaker for each endpoint that lets one call out at a time: a call that did not give its permit back is seen in the
 * next one's refusal.
 */
export function endpointBreaker(
  options: CircuitBreakerOptions = {},
  others: HttpCircuitBreakerOptions = {},
): HttpCircuitBreaker {
  return new HttpCircuitBreaker({
    level: 'endpoint',
    breaker: { maxConcurrentCalls: 1, ...options },
    ...others,
  });
}

/** What is recorded from now on, in short: `failure reset`, `success 200`, `closed to open`. */
export function outcomesOf(breaker: HttpCircuitBreaker): string[] {
  const outcomes: string[] = [];
  for (const type of ['success', 'failure', 'ignored', 'amended'] as const) {
    breaker.on(type, ({ status, kind }) => {
      outcomes.push(`${type} ${kind ?? status}`);
    });
  }
  breaker.on('notPermitted', ({ reason }) => {
    outcomes.push(`refused ${reason}`);
  });
  breaker.on('stateTransition', ({ from, to }) => {
    outcomes.push(`${from} to ${to}`);
  });
  return outcomes;
}

/** Of each of its breakers. */
export function callsInFlight(breaker: HttpCircuitBreaker): number[] {
  return breaker.snapshot().breakers.map((each) => each.callsInFlight);
}
