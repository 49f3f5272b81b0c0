import { addCircuitBreaker } from '@recloser/axios';
import type { FallbackOn, HttpCircuitBreaker } from '@recloser/core';
import { wrapFetch } from '@recloser/fetch';
import { circuitBreaker } from '@recloser/ky';
import axios, { isAxiosError } from 'axios';
import ky, { isHTTPError } from 'ky';

/** A client as a page uses it. */
export interface Way {
  readonly name: string;
  guard(breaker: HttpCircuitBreaker, options?: GuardOptions): Call;
  /** It hands a response over before the body is there, and so may be told to watch it. */
  readonly streams: boolean;
  /** How its errors look, with a breaker as without. */
  readonly errors: {
    readonly network: object;
    readonly deadline: object;
    readonly abort: object;
    /** Of the client's own; not there where it has none. */
    readonly timeout?: object;
  };
}

export interface GuardOptions {
  readonly fallback?: () => string;
  readonly fallbackOn?: FallbackOn;
  readonly watchBody?: boolean;
}

/** Resolves for every status; all else rejects with the client's very own error. */
export type Call = (url: string, limits?: Limits) => Promise<Reply>;

export interface Limits {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

export interface Reply {
  readonly status: number;
  text(): Promise<string>;
  /** What the page holds. */
  readonly original: unknown;
}

const axiosErrors = {
  network: { name: 'AxiosError', code: 'ERR_NETWORK' },
  deadline: { name: 'CanceledError', code: 'ERR_CANCELED' },
  abort: { name: 'CanceledError', code: 'ERR_CANCELED' },
};

export const ways: readonly Way[] = [
  {
    name: 'fetch',
    guard: guardFetch,
    streams: true,
    errors: {
      network: { name: 'TypeError' },
      deadline: { name: 'TimeoutError' },
      abort: { name: 'AbortError' },
    },
  },
  {
    name: 'ky',
    guard: guardKy,
    streams: true,
    errors: {
      network: { name: 'NetworkError' },
      deadline: { name: 'TimeoutError' },
      abort: { name: 'AbortError' },
      timeout: { name: 'TimeoutError' },
    },
  },
  {
    name: 'axios, by xhr',
    guard: guardAxios('xhr'),
    streams: false,
    errors: { ...axiosErrors, timeout: { name: 'AxiosError', code: 'ECONNABORTED' } },
  },
  {
    name: 'axios, by fetch',
    guard: guardAxios('fetch'),
    streams: false,
    errors: { ...axiosErrors, timeout: { name: 'AxiosError', code: 'ETIMEDOUT' } },
  },
];

function guardFetch(breaker: HttpCircuitBreaker, options: GuardOptions = {}): Call {
  const guarded = wrapFetch(fetch, breaker, ofResponses(options));
  return async (url, { signal } = {}) => replyOf(await guarded(url, signal ? { signal } : {}));
}

function guardKy(breaker: HttpCircuitBreaker, options: GuardOptions = {}): Call {
  const api = ky.create({ retry: 0 }).extend(circuitBreaker(breaker, ofResponses(options)));
  return async (url, { signal, timeout } = {}) => {
    try {
      return replyOf(await api(url, { timeout: timeout ?? false, ...(signal && { signal }) }));
    } catch (error) {
      if (!isHTTPError(error)) throw error;
      // ky has read it.
      return { ...replyOf(error.response), text: async () => String(error.data) };
    }
  };
}

function guardAxios(adapter: 'xhr' | 'fetch'): Way['guard'] {
  return (breaker, { fallback, fallbackOn } = {}) => {
    const api = axios.create({ adapter, responseType: 'text' });
    addCircuitBreaker(api, breaker, {
      fallback: fallback && (() => ({ data: fallback() })),
      fallbackOn,
    });
    return async (url, limits = {}) => {
      const response = await api.get<string>(url, limits).catch((error: unknown) => {
        if (isAxiosError<string>(error) && error.response !== undefined) return error.response;
        throw error;
      });
      return { status: response.status, text: async () => response.data, original: response };
    };
  };
}

function ofResponses({ fallback, ...options }: GuardOptions) {
  return { ...options, fallback: fallback && (() => new Response(fallback())) };
}

function replyOf(response: Response): Reply {
  return { status: response.status, text: () => response.text(), original: response };
}
