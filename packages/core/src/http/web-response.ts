import { shown } from '../breaker/checks.ts';

/**
 * For adapters of fetch: what a fallback gave, where that is a response, of whichever implementation
 * of fetch, or its cause.
 * @throws TypeError for anything else
 */
export function webResponse<T>(given: T, cause: unknown): T {
  const { status } = (given ?? {}) as { status?: unknown };
  if (given === cause || typeof status === 'number') return given;
  const without = typeof given === 'object' && given !== null ? ' without a status' : '';
  throw new TypeError(`fallback must give a Response, but gave ${shown(given)}${without}`);
}
