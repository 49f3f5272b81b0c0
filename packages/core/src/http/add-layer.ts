import type { HttpCircuitBreaker } from './http-circuit-breaker.ts';

/**
 * For adapters: says that a breaker which has been given to `toHttpCircuitBreaker` is asked in one
 * more place, so that a request may meet it twice.
 */
export function addLayer(breaker: HttpCircuitBreaker): void {
  breaker.addLayer();
}
