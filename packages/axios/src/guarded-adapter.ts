import {
  errorKind,
  type Admission,
  type CallNotPermittedError,
  type HttpCircuitBreaker,
  type Outcome,
  type SignalLike,
} from '@recloser/core';
import axios, {
  getAdapter,
  type AxiosAdapter,
  type AxiosError,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { FailureFallback } from './failure-fallback.ts';
import type { GuardedRequest, WholeFallbackOptions } from './options.ts';
import { refusedCall } from './refused-call.ts';
import { requestUrl } from './request-url.ts';
import { watchStream } from './watch-stream.ts';

type Config = InternalAxiosRequestConfig;

/** One breaker on one instance. */
export interface Guard {
  readonly breaker: HttpCircuitBreaker;
  readonly options: WholeFallbackOptions;
  /** Undefined where failures are not to be answered. */
  readonly failureFallback: FailureFallback | undefined;
  /** From then on all passes. */
  isRemoved: boolean;
}

// On each adapter of ours. A config that is sent again, as by a retry, brings it along.
const layer: unique symbol = Symbol('layer');

interface Layered {
  readonly [layer]?: { readonly guard: Guard; readonly base: Config['adapter'] };
}

/** The adapter, or whatever names it, behind the guard; itself where it is behind it already. */
export function guardedAdapter(base: Config['adapter'], guard: Guard): Config['adapter'] {
  for (let outer = base; typeof outer === 'function';) {
    const found: Layered[typeof layer] = (outer as Layered)[layer];
    if (found?.guard === guard) return base;
    outer = found?.base;
  }
  const adapter: AxiosAdapter = (config) => {
    const send = adapterOf(base || axios.defaults.adapter, config);
    const isLeftOut = guard.isRemoved || config.circuitBreaker === false;
    const url = isLeftOut || isCancelled(config) ? undefined : requestUrl(config);
    return url === undefined ? send(config) : guardedCall(guard, send, config, url);
  };
  return Object.assign(adapter, { [layer]: { guard, base } });
}

/** Early versions take no config, and need none. */
function adapterOf(adapter: Config['adapter'], config: Config): AxiosAdapter {
  const get: (adapter: Config['adapter'], config: Config) => AxiosAdapter = getAdapter;
  return get(adapter, config);
}

async function guardedCall(
  { breaker, options, failureFallback }: Guard,
  send: AxiosAdapter,
  config: Config,
  url: string,
): Promise<AxiosResponse> {
  const request: GuardedRequest = { method: (config.method ?? 'get').toUpperCase(), url, config };
  let admission: Admission;
  try {
    admission = breaker.admit({ method: request.method, url, original: config });
  } catch (refusal) {
    return refusedCall(options, refusal as CallNotPermittedError, request);
  }
  // Where it throws the http adapter would never settle. A key that is not there must not be made:
  // for axios `undefined` is something else.
  const { validateStatus } = config;
  const thrown: unknown[] = [];
  if (validateStatus) {
    config.validateStatus = (status) => {
      try {
        return validateStatus(status);
      } catch (error) {
        thrown.push(error);
        return false;
      }
    };
  }
  try {
    const response = await admission.send(() => send(config));
    const outcome = responded(admission, response, config);
    failureFallback?.remember(response, outcome, request);
    return response;
  } catch (error) {
    const outcome = failed(admission, error, config);
    failureFallback?.remember(error, outcome, request);
    throw thrown.length === 0 ? error : thrown[0];
  } finally {
    if (validateStatus) config.validateStatus = validateStatus;
    // For what a stand-in gave, where it can not be read: all else has ended it.
    admission.released();
  }
}

function responded(
  admission: Admission,
  response: AxiosResponse | undefined,
  config: Config,
): Outcome | undefined {
  // A stand-in of an adapter may give anything.
  if (typeof response?.status !== 'number') {
    admission.released();
    return undefined;
  }
  const outcome = admission.responded(response.status, response.headers, response);
  if (config.responseType === 'stream') {
    watchStream(
      response,
      () => isCancelled(config),
      (error) => {
        const signal = callersSignal(config);
        admission.bodyFailed(error ?? signal?.reason, signal);
      },
    );
  }
  return outcome;
}

function failed(admission: Admission, error: unknown, config: Config): Outcome | undefined {
  const response = (error as Partial<AxiosError> | null | undefined)?.response;
  // An error of its status has no kind of its own. One of the body has, and the response as well.
  if (typeof response?.status === 'number' && errorKind(error).kind === 'unknown') {
    return responded(admission, response, config);
  }
  return admission.failed(error, callersSignal(config));
}

/** The `signal`, or what stands for a `cancelToken` that was used. */
function callersSignal({ signal, cancelToken }: Config): SignalLike | undefined {
  return signal?.aborted !== true && cancelToken?.reason !== undefined ? { aborted: true } : signal;
}

function isCancelled(config: Config): boolean {
  return callersSignal(config)?.aborted === true;
}
