/** Registered, so that an instance is known to adapters that carry another copy of the package. */
export const brand: unique symbol = Symbol.for('@recloser/core.HttpCircuitBreaker');

export function isHttpCircuitBreaker(value: unknown): boolean {
  return typeof value === 'object' && value !== null && brand in value;
}

/** @throws TypeError that says where an HttpCircuitBreaker belongs, for one among options */
export function checkIsNoBreaker(what: string, value: unknown): void {
  if (!isHttpCircuitBreaker(value)) return;
  throw new TypeError(
    `${what} must be a plain object, but is an HttpCircuitBreaker: hand it over in place of the options`,
  );
}
