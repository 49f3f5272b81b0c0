import type { FallbackOn, FallbackOptions } from '@recloser/core';

/** The arguments of a call, as they were given: `original` for `partition` and `key`. */
export interface FetchOriginal {
  readonly input: string | URL | Request;
  /** Undefined where none was given. */
  readonly init: RequestInit | undefined;
}

/** A request that is about to leave, for the functions `partition` and `key`. */
export interface KeyedRequest {
  /** As it was given, in any case. */
  readonly method: string;
  /** In full, with its query. */
  readonly url: string;
  readonly original: FetchOriginal;
}

/** A request that was refused or failed, for a fallback to answer. */
export interface GuardedRequest extends FetchOriginal {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
}

/**
 * What `wrapFetch` and `wrapGlobalFetch` take beside the breaker. `R` is the response of the fetch
 * that is wrapped; `On` is `'failure'` where `fallbackOn` is.
 */
export interface WrapFetchOptions<
  R = Response,
  On extends FallbackOn = 'refusal',
> extends FallbackOptions<GuardedRequest, R, On> {
  /**
   * Counts it as a failure, too, when the body of a response breaks off while it is read. For that
   * the methods and the `body` of the Response are overridden on the object itself, which costs
   * more than the breaker does. Without it the caller gets the Response untouched, and it is judged
   * by its status and by the time to its headers alone.
   * @default false
   */
  readonly watchBody?: boolean | undefined;
}
