import type { FallbackOn, HttpCircuitBreaker } from '@recloser/core';
import { guardedFetch, type FetchClient } from '@recloser/fetch';
import type { Options } from 'ky';
import { markClones } from './mark-clones.ts';
import type { KyBreakerOptions, KyOriginal } from './options.ts';
import { NOT_ABORTED, type ToldErrors } from './told-errors.ts';

export type Fetch = NonNullable<Options['fetch']>;

/**
 * The fetch for a call with these options. They are read as an attempt begins: hooks may still have
 * changed them.
 * @param told  not in ky 1, which doesn't tell
 */
export function guarded(
  base: Fetch,
  breaker: HttpCircuitBreaker,
  own: KyBreakerOptions<FallbackOn>,
  options: Options,
  told?: ToldErrors,
): Fetch {
  const client: FetchClient<KyOriginal> = {
    // ky always gives fetch a Request.
    original: (input) => ({ request: input as Request, options }),
    signalOf({ signal }) {
      const { signal: callers } = options;
      if (told?.areOfTimeout) return Promise.resolve(NOT_ABORTED);
      if (callers?.aborted) return callers;
      if (!signal?.aborted) return callers ?? signal;
      // It follows ky's timeout and all signals of the caller: of the call, of the Request that it
      // was given, of hooks. Those pass their reason on.
      if (!isAbortError(signal.reason)) return signal;
      return told === undefined ? Promise.resolve(NOT_ABORTED) : told.whoAborted(signal);
    },
  };
  const attempt: Fetch = (...args) =>
    told === undefined ? base(...args) : told.untilTimeout(() => base(...args));
  const guard = guardedFetch(attempt, breaker, own, client) as Fetch;
  return (...args) => {
    if (isLeftOut(options.context) || isLeftOut(args[1])) return base(...args);
    told?.forget();
    // ky 1 doesn't show the hooks of a later extend.
    const isCloned = told === undefined || (options.hooks?.afterResponse ?? []).length > 0;
    return isCloned ? guard(...args).then(markClones) : guard(...args);
  };
}

/** Of the context, or of the init, to which ky adds the options that it does not know. */
function isLeftOut(options: object | undefined): boolean {
  return (options as { circuitBreaker?: unknown } | undefined)?.circuitBreaker === false;
}

/** So ky's timeout aborts, and so does a caller who gives no reason. */
function isAbortError(reason: unknown): boolean {
  try {
    return (reason as Error).name === 'AbortError';
  } catch {
    return false;
  }
}
