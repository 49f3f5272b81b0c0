import { CircuitBreaker, type CircuitBreakerOptions, ManualClock } from '@recloser/core';

/** Small questions put to a breaker through its public face, from which its settings can be read. */
export function makeBreaker(options: CircuitBreakerOptions = {}): {
  breaker: CircuitBreaker;
  clock: ManualClock;
} {
  const clock = new ManualClock();
  return { breaker: new CircuitBreaker('probe', { ...options, clock }), clock };
}

export function succeed(breaker: CircuitBreaker, calls = 1): void {
  for (let call = 0; call < calls; call++) breaker.acquire().success();
}

export function fail(breaker: CircuitBreaker, calls = 1): void {
  for (let call = 0; call < calls; call++) breaker.acquire().failure();
}

/** The waits of the first openings in a row, in ms. */
export function waitsInOpen(
  wait: CircuitBreakerOptions['waitDurationInOpenState'],
  openings: number,
): number[] {
  const { breaker } = makeBreaker(wait === undefined ? {} : { waitDurationInOpenState: wait });
  const waits: number[] = [];
  breaker.on('stateTransition', (event) => {
    if (event.to === 'open') waits.push(event.wait as number);
  });
  for (let opening = 0; opening < openings; opening++) {
    breaker.transitionToOpenState();
    breaker.transitionToHalfOpenState();
  }
  return waits;
}

/** What making a breaker throws, if anything. */
export function complaint(options: object): unknown {
  try {
    new CircuitBreaker('probe', options as CircuitBreakerOptions);
    return undefined;
  } catch (error) {
    return error;
  }
}
