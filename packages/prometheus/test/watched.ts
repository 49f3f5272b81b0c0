import { HttpCircuitBreaker, ManualClock, type HttpCircuitBreakerOptions } from '@recloser/core';

export const KEY = 'GET https://api.example.com/price';

export interface Watched {
  readonly clock: ManualClock;
  readonly breaker: HttpCircuitBreaker;
}

/** Endpoints alone, which open at the second failure in a row, for 10 s, and then try once. */
export function makeBreaker(options: HttpCircuitBreakerOptions = {}): Watched {
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({
    clock,
    level: 'endpoint',
    ...options,
    breaker: {
      consecutiveFailureThreshold: 2,
      waitDurationInOpenState: 10_000,
      permittedNumberOfCallsInHalfOpenState: 1,
      slowCallDurationThreshold: 2000,
      ...options.breaker,
    },
  });
  return { clock, breaker };
}

/** A call that is answered with the status at once, or refused. */
export function ask(
  breaker: HttpCircuitBreaker,
  status: number,
  url: string = 'https://api.example.com/price',
): void {
  try {
    breaker.admit({ method: 'GET', url }).responded(status);
  } catch {
    // It was refused.
  }
}

/** It opens, refuses a call, tries 10 s later and closes. */
export function goThroughAnOutage({ breaker, clock }: Watched): void {
  ask(breaker, 503);
  ask(breaker, 503);
  ask(breaker, 200);
  clock.advance(10_001);
  ask(breaker, 200);
}
