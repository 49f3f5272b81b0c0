import type { FallbackOn, FallbackOptions } from '@recloser/core';
import type { Dispatcher } from 'undici';

/** A request that is about to leave, for the functions `partition` and `key`. */
export interface KeyedRequest {
  readonly method: string;
  readonly origin: string | URL;
  /** With its query, where that is not given apart. */
  readonly path: string;
  /** What was given to `dispatch`: the options of the request, as the client completed them. */
  readonly original: Dispatcher.DispatchOptions;
}

/** A request that was refused or failed, for a fallback to answer. */
export interface GuardedRequest {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
  /** What was given to `dispatch`: the options of the request, as the client completed them. */
  readonly options: Dispatcher.DispatchOptions;
}

/** What a fallback answers with. */
export interface FallbackAnswer {
  /** @default 200, and no less */
  readonly statusCode?: number | undefined;
  /** It is called `statusCode` here. */
  readonly status?: never;
  /**
   * By name, or in pairs, as a `Headers` has them. With no `cache-control` of theirs it is `no-store`.
   * @default none
   */
  readonly headers?:
    | Readonly<Record<string, string | readonly string[]>>
    | Iterable<readonly [name: string, value: string | readonly string[]]>
    | undefined;
  /** @default none */
  readonly body?: string | ArrayBufferView | ArrayBuffer | null | undefined;
}

/**
 * What `circuitBreakerInterceptor` and `installDispatcher` take beside the breaker. `On` is
 * `'failure'` where `fallbackOn` is.
 */
export interface UndiciOptions<On extends FallbackOn = 'refusal'> extends FallbackOptions<
  GuardedRequest,
  FallbackAnswer,
  On
> {}

interface Guarded<_Opaque = null> {
  /** False leaves this request out: it is neither counted nor refused. */
  readonly circuitBreaker?: false | undefined;
}

declare module 'undici' {
  namespace Dispatcher {
    interface DispatchOptions extends Guarded {}
    interface ConnectOptions<TOpaque> extends Guarded<TOpaque> {}
    interface UpgradeOptions extends Guarded {}
  }
}
