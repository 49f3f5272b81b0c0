import type { HttpCircuitBreaker } from './http-circuit-breaker.ts';
import type { HttpCircuitBreakerEvents } from './http-events.ts';

/**
 * For packages that tell others of events: as `breaker.on`, but while `isAwake` answers false the
 * listener hears nothing, and no event is made for it. It is asked in the middle of calls, several
 * times, so it should but read a flag. One that throws is a listener that throws.
 */
export function listenWhileAwake<Type extends keyof HttpCircuitBreakerEvents>(
  breaker: HttpCircuitBreaker,
  type: Type,
  listener: (event: HttpCircuitBreakerEvents[Type]) => unknown,
  isAwake: () => boolean,
): () => void {
  return breaker.onWhileAwake(type, listener, isAwake);
}
