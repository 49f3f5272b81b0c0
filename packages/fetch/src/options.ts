import type { FallbackOn, FallbackOptions } from '@recloser/core';

/** The arguments of a call, as they were given: `original` for `partition` and `key`. */
export interface FetchOriginal {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

/** A request that was refused or failed, for a fallback to answer. */
export interface GuardedRequest extends FetchOriginal {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
}

/**
 * What `wrapFetch` and `wrapGlobalFetch` take beside the breaker. `R` is the response of the fetch
 * that is wrapped.
 */
export interface WrapFetchOptions<
  R = Response,
  On extends FallbackOn = FallbackOn,
> extends FallbackOptions<GuardedRequest, R, On> {
  /**
   * Counts it as a failure, too, when the body of a response breaks off while it is read. For that
   * the methods and the `body` of the Response are overridden on the object itself, which costs more
   * than the breaker does. Without it the caller gets the Response untouched, and it is judged by its
   * status and by the time to its headers alone.
   * @default false
   */
  readonly watchBody?: boolean | undefined;
}
