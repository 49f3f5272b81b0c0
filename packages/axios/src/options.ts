import type { FallbackOn, FallbackOptions } from '@recloser/core';
import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { GuardedConfig } from './guarded-config.cts';

declare module 'axios' {
  // Without the type parameters, of which later versions have more.
  interface AxiosRequestConfig extends GuardedConfig {}
}

/** An instance of axios, or of a package that extends it. */
export interface AnyAxios {
  readonly interceptors: { readonly request: Interceptors; readonly response: Interceptors };
}

/** Those of one side of an instance. */
export interface Interceptors {
  readonly use: (...args: never[]) => number;
  readonly eject: (id: number) => void;
}

/** A request that is about to leave, for the functions `partition` and `key`. */
export interface KeyedRequest {
  /** In upper case. */
  readonly method: string;
  /** The `url` on its `baseURL`, without the `params`. */
  readonly url: string;
  /** The config as it is after all request interceptors. */
  readonly original: InternalAxiosRequestConfig;
}

/** A request that was refused or failed, for a fallback to answer. */
export interface GuardedRequest {
  /** In upper case. */
  readonly method: string;
  /** The `url` on its `baseURL`, without the `params`. */
  readonly url: string;
  /**
   * As it is after all request interceptors. Where it is sent again, also by another instance, the
   * same breaker is asked about it, but no fallback.
   */
  readonly config: InternalAxiosRequestConfig;
}

/**
 * What a fallback answers: a response of axios, or as much of it as matters. The rest is filled in:
 * status 200, no headers, and the `config` of the request.
 */
export interface FallbackResponse extends Partial<AxiosResponse<unknown>> {
  /** What the caller reads as `response.data`. */
  readonly data: unknown;
  /** It is called `status` here. */
  readonly statusCode?: never;
}

/**
 * What `addCircuitBreaker` takes beside the breaker. The caller gets what `fallback` gives as it
 * is: `transformResponse` is not applied to it. `On` is `'failure'` where `fallbackOn` is.
 */
export type AddCircuitBreakerOptions<On extends FallbackOn = 'refusal'> = FallbackOptions<
  GuardedRequest,
  FallbackResponse,
  On
>;

/** A request, and how to send it again. */
export interface AttemptedRequest extends GuardedRequest {
  /** False where a fallback sends it: none is to be asked about it again. */
  readonly isAnswered: boolean;
  /** The adapter, with which no fallback is asked. */
  readonly unanswered: () => AxiosAdapter;
}

/** The same with a fallback that leaves nothing out. */
export type WholeFallbackOptions = FallbackOptions<AttemptedRequest, AxiosResponse, FallbackOn>;
