import { shown } from '../breaker/checks.ts';
import type { HttpCircuitBreaker } from './http-circuit-breaker.ts';

/** Registered, so that an instance is known to adapters that carry another copy of the package. */
export const brand: unique symbol = Symbol.for('@recloser/core.HttpCircuitBreaker');

/** Also of another copy of the package. */
export function isHttpCircuitBreaker(value: unknown): value is HttpCircuitBreaker {
  return typeof value === 'object' && value !== null && brand in value;
}

/**
 * For packages that tell of breakers.
 * @throws TypeError that begins with `what`, for anything but an HttpCircuitBreaker
 */
export function checkHttpCircuitBreaker(what: string, value: unknown): HttpCircuitBreaker {
  if (isHttpCircuitBreaker(value)) return value;
  throw new TypeError(
    `${what} must be an HttpCircuitBreaker, but is ${shown(value)}: make one, and hand it to the adapter of your client, too`,
  );
}

/** @throws TypeError that says where an HttpCircuitBreaker belongs, for one among options */
export function checkIsNoBreaker(what: string, value: unknown): void {
  if (!isHttpCircuitBreaker(value)) return;
  throw new TypeError(
    `${what} must be a plain object, but is an HttpCircuitBreaker: hand it over in place of the options`,
  );
}
