import { isCallNotPermitted, isDegraded } from '@recloser/core';
import type { Options } from 'ky';
import type { FallbackErrors } from './fallback-errors.ts';
import type { ToldErrors } from './told-errors.ts';

type Retry = NonNullable<Options['retry']>;

/**
 * Leaves the breaker's answers alone, whatever the user's `shouldRetry` says: a refusal, the response
 * of a fallback, whose status may be one that ky retries, and the error of a fallback.
 */
export function withoutRefusals(
  retry: Retry | undefined,
  failed: FallbackErrors,
  told?: ToldErrors,
): Retry {
  if (!isValid(retry)) return retry as Retry;
  const given = typeof retry === 'number' ? { limit: retry } : retry;
  return {
    ...given,
    shouldRetry(state) {
      const error: Error & { readonly response?: unknown } = state.error;
      told?.tell(error);
      if (isCallNotPermitted(error) || isDegraded(error.response)) return false;
      return failed.within(error) === undefined ? given?.shouldRetry?.(state) : false;
    },
  };
}

/** What is wrong with one that is not ky says best. */
function isValid(retry: unknown): boolean {
  if (retry === undefined || typeof retry === 'number') return true;
  return typeof retry === 'object' && retry !== null && !Array.isArray(retry);
}
