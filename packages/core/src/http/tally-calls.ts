import type { CallTally } from '../breaker/call-tally.ts';
import type { HttpCircuitBreaker } from './http-circuit-breaker.ts';

/**
 * For packages that count: each call of each breaker as it ends, with no event made for it.
 * @returns the function that ends it
 */
export function tallyCalls(breaker: HttpCircuitBreaker, tally: CallTally): () => void {
  return breaker.addTally(tally);
}
