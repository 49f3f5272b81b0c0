import { HttpCircuitBreaker, ManualClock, type HttpCircuitBreakerOptions } from '@recloser/core';

export interface Outage {
  readonly breaker: HttpCircuitBreaker;
  readonly clock: ManualClock;
  /** One call that takes so many ms and ends with this status; false where it was refused. */
  readonly call: (status: number, ms?: number, url?: string) => boolean;
}

export const HOST = 'https://api.example.com';
export const ENDPOINT = 'GET https://api.example.com/price';

/** A breaker whose endpoints open at the second failure in a row, for 10 s, and need one trial. */
export function startOutage(options: HttpCircuitBreakerOptions = {}): Outage {
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({
    clock,
    breaker: {
      consecutiveFailureThreshold: 2,
      waitDurationInOpenState: 10_000,
      permittedNumberOfCallsInHalfOpenState: 1,
    },
    ...options,
  });
  return {
    breaker,
    clock,
    call(status, ms = 0, url = `${HOST}/price`) {
      try {
        const admission = breaker.admit({ method: 'GET', url });
        clock.advance(ms);
        admission.responded(status);
        return true;
      } catch {
        return false;
      }
    },
  };
}
