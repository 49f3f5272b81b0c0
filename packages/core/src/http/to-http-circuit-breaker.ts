import { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import { isHttpCircuitBreaker } from './http-breaker-brand.ts';
import { HttpCircuitBreaker } from './http-circuit-breaker.ts';
import type { HttpCircuitBreakerOptions } from './http-options.ts';
import type { RequestLike } from './request-key.ts';

/**
 * For adapters, once for each client that they guard: the breaker that a user gave, or one with the
 * options given.
 * @throws TypeError for what is neither
 */
export function toHttpCircuitBreaker<Request extends RequestLike = RequestLike>(
  breaker: HttpCircuitBreaker | HttpCircuitBreakerOptions<Request> = {},
): HttpCircuitBreaker {
  if (breaker instanceof CircuitBreaker) {
    throw new TypeError('a CircuitBreaker knows no HTTP: give an HttpCircuitBreaker, or options');
  }
  // The one made here is asked by this adapter alone.
  const shared = isHttpCircuitBreaker(breaker)
    ? breaker
    : new HttpCircuitBreaker(breaker as HttpCircuitBreakerOptions);
  shared.addLayer();
  return shared;
}
