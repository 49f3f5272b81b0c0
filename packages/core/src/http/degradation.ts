/** Why a response is not the dependency's own. */
export interface Degradation {
  /** The refusal or the error that the response stands in for. */
  readonly cause: unknown;
}

// One table for every copy of the package, so that a mark is seen whoever made it.
const table: unique symbol = Symbol.for('@recloser/core.degraded');
const realm = globalThis as { [table]?: WeakMap<object, Degradation> };

/** Marks a response that a fallback gave. For adapters. */
export function markDegraded<T>(response: T, cause: unknown): T {
  if (typeof response === 'object' && response !== null) {
    (realm[table] ??= new WeakMap()).set(response, { cause });
  }
  return response;
}

/**
 * Did a fallback give this response? Then it is not to be stored as if the dependency had sent it.
 */
export function isDegraded(response: unknown): boolean {
  return getDegradation(response) !== undefined;
}

/** Why this response is a fallback's, or undefined where it is the dependency's own. */
export function getDegradation(response: unknown): Degradation | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  return realm[table]?.get(response);
}
