import type { FallbackOn, FallbackOptions } from '@recloser/core';
import type { Options } from 'ky';

/** A request as ky knows it: `original` for the functions `partition` and `key`. */
export interface KyOriginal {
  /** The very request that fetch is given. After an attempt its body has been used up. */
  readonly request: Request;
  /**
   * Those of the call, with what it inherits; with ky 1 those of the instance that was extended.
   */
  readonly options: Options;
}

/** A request that is about to leave, for the functions `partition` and `key`. */
export interface KeyedRequest {
  /** As ky gives it to fetch. */
  readonly method: string;
  /** In full, with its query. */
  readonly url: string;
  readonly original: KyOriginal;
}

/** A request that was refused or failed, for a fallback to answer. */
export interface GuardedRequest extends KyOriginal {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
}

/** What `circuitBreaker` takes beside the breaker. `On` is `'failure'` where `fallbackOn` is. */
export interface KyBreakerOptions<On extends FallbackOn = 'refusal'> extends FallbackOptions<
  GuardedRequest,
  Response,
  On
> {
  /**
   * Counts it as a failure, too, when the body of a response breaks off while it is read, ky's own
   * timeout for it included. For that the methods and the `body` of the Response are overridden on
   * the object itself. Without it a response is judged by its status and by the time to its headers
   * alone.
   * @default false
   */
  readonly watchBody?: boolean | undefined;
}
