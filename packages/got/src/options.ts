import type { FallbackOn, FallbackOptions } from '@recloser/core';
import type { Options } from 'got';

/** A request that is about to leave, for the functions `partition` and `key`. */
export interface KeyedRequest {
  /** In upper case. */
  readonly method: string;
  /** Where the attempt begins, with its query. */
  readonly url: URL;
  /** got's own options of the request: `original.context` is a good place for a tenant. */
  readonly original: Options;
}

/** A request that was refused or failed, for a fallback to answer. */
export interface GuardedRequest {
  /** In upper case. */
  readonly method: string;
  /** Without the name and the password that it may carry. */
  readonly url: string;
  /** got's own options of the request, as they are after all `beforeRequest` hooks. */
  readonly options: Options;
}

/**
 * What a fallback answers: this, or a response of got's. got makes its response of it, and reads
 * the body as it reads any.
 */
export interface FallbackResponse {
  /** @default 200 */
  readonly statusCode?: number | undefined;
  /** It is called `statusCode` here. */
  readonly status?: never;
  /**
   * Without those that tell how the body was sent.
   * @default none, but for the `content-type` of a body that is made JSON
   */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /**
   * A text or bytes are taken as they are, anything else as JSON; not a stream.
   * @default empty
   */
  readonly body?: unknown;
}

/** What `circuitBreaker` takes beside the breaker. `On` is `'failure'` where `fallbackOn` is. */
export interface GotBreakerOptions<On extends FallbackOn = 'refusal'> extends FallbackOptions<
  GuardedRequest,
  FallbackResponse,
  On
> {
  /**
   * What is counted: each attempt by itself (`'attempt'`), or the call with all its retries as one
   * (`'call'`). A call's permit is out until the call ends, through the waits between its attempts;
   * that of a stream until got hands its response over.
   * @default 'attempt'
   */
  readonly count?: 'attempt' | 'call' | undefined;
}
