import {
  markDegraded,
  toHttpCircuitBreaker,
  type Admission,
  type CallNotPermittedError,
  type HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
} from '@recloser/core';
import { requestOf, type FetchRequest } from './fetch-request.ts';
import { checkFunction, checkOptions, type WrapFetchOptions } from './options.ts';
import { watchBody } from './watch-body.ts';

/** Any function that is called as fetch is: the platform's own, a client's, or one around them. */
export type AnyFetch = (input: never, init?: never) => PromiseLike<unknown>;

type Arguments = [input: string | URL | Request, init?: RequestInit];

/** Properties that a function has of its own. */
const NOT_COPIED: readonly PropertyKey[] = ['prototype', 'arguments', 'caller'];

/**
 * The same fetch behind a circuit breaker. It takes the arguments that the given one takes, gives
 * what that gives, and has its properties. A call that the breaker refuses rejects with a
 * `CallNotPermittedError`, and nothing is sent. Requests that can't be sent anyway, their signal
 * being aborted or their URL being none, are not guarded: the given fetch says what is wrong.
 *
 *     const api = wrapFetch(fetch, { breaker: { failureRateThreshold: 40 } });
 *
 * Over a fetch that is guarded by the same `HttpCircuitBreaker` already, a request is counted once,
 * and the options of this guard hold.
 *
 * @param breaker  one that may be shared with other clients, or the options of a new one
 * @throws TypeError or RangeError that names the option and its value
 */
export function wrapFetch<F extends AnyFetch>(
  fetch: F,
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions,
  options: WrapFetchOptions<Awaited<ReturnType<F>>> = {},
): F {
  checkFunction('wrapFetch: fetch', fetch);
  checkOptions('wrapFetch', breaker, options);
  const base = fetch as unknown as (...args: Arguments) => unknown;
  const wrapper = guarded(base, toHttpCircuitBreaker(breaker), {
    ...(options as WrapFetchOptions<unknown>),
  });
  for (const key of Reflect.ownKeys(fetch)) {
    if (NOT_COPIED.includes(key)) continue;
    Object.defineProperty(wrapper, key, Object.getOwnPropertyDescriptor(fetch, key)!);
  }
  return wrapper as unknown as F;
}

function guarded(
  base: (...args: Arguments) => unknown,
  breaker: HttpCircuitBreaker,
  options: WrapFetchOptions<unknown>,
): (...args: Arguments) => unknown {
  return (...args) => {
    const request = requestOf(...args);
    if (request === undefined) return base(...args);
    let admission: Admission;
    try {
      admission = breaker.admit(request);
    } catch (refusal) {
      return refused(refusal as CallNotPermittedError, request, args, options);
    }
    // Two closures cost less than an async function.
    return called(() => admission.send(() => base(...args))).then(
      (response) => {
        if (!answered(admission, response) || options.watchBody !== true) return response;
        const report = (error: unknown): void => admission.bodyFailed(error, request.signal);
        return watchedIfPossible(response, breaker, report);
      },
      (error: unknown) => {
        admission.failed(error, request.signal);
        throw error;
      },
    );
  };
}

/** A stand-in of a response may not let itself be watched. */
function watchedIfPossible(
  response: Response,
  breaker: HttpCircuitBreaker,
  report: (error: unknown) => void,
): Response {
  try {
    return watchBody(response, breaker, report);
  } catch {
    return response;
  }
}

/** A stand-in of fetch may throw, or answer at once. */
function called(call: () => unknown): Promise<unknown> {
  try {
    return Promise.resolve(call());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** False where a stand-in of fetch answered something else than a response. */
function answered(admission: Admission, response: unknown): response is Response {
  try {
    const { status, headers } = response as Response;
    if (typeof status === 'number') {
      admission.responded(status, headers, response);
      return true;
    }
  } catch {
    // Nothing that can be read.
  }
  admission.released();
  return false;
}

async function refused(
  refusal: CallNotPermittedError,
  { method, url }: FetchRequest,
  [input, init]: Arguments,
  { fallback }: WrapFetchOptions<unknown>,
): Promise<unknown> {
  // To reject a promise that is pending costs half: Node books no unhandled rejection then.
  await Promise.resolve();
  if (fallback === undefined) throw refusal;
  const request = { method: method.toUpperCase(), url, input, init };
  return markDegraded(await fallback(refusal, request), refusal);
}
