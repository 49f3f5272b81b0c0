import { propertyOf } from './hostile-value.ts';
import { RealmTable } from './realm-table.ts';

/** Why a response is not the dependency's own. */
export interface Degradation {
  /** The refusal or the error that the response stands in for. */
  readonly cause: unknown;
}

const degraded: RealmTable<Degradation> = /* @__PURE__ */ new RealmTable('degraded');

/**
 * Marks a response that a fallback gave. For adapters; the headers of a response can stand for it.
 */
export function markDegraded<T>(response: T, cause: unknown): T {
  degraded.set(response, { cause });
  return response;
}

/**
 * Did a fallback give this response? Then it is not to be stored as if the dependency had sent it.
 */
export function isDegraded(response: unknown): boolean {
  return getDegradation(response) !== undefined;
}

/** Is it marked itself, whatever it holds? */
export function isMarkedDegraded(response: unknown): boolean {
  return degraded.get(response) !== undefined;
}

/** Why this response is a fallback's, or undefined where it is the dependency's own. */
export function getDegradation(response: unknown): Degradation | undefined {
  return degraded.get(response) ?? degraded.get(propertyOf(response, 'headers'));
}
