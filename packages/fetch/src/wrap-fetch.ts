import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions, checkFunction, toHttpCircuitBreaker } from '@recloser/core/adapter';
import { guardedFetch, type FetchArguments, type FetchClient } from './guarded-fetch.ts';
import type { FetchOriginal, KeyedRequest, WrapFetchOptions } from './options.ts';

/** Any function that is called as fetch is: the platform's own, a client's, or one around them. */
export type AnyFetch = (input: never, init?: never) => PromiseLike<unknown>;

const plainFetch: FetchClient<FetchOriginal> = {
  original: (input, init) => ({ input, init }),
  signalOf: ({ signal }) => signal,
};

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
export function wrapFetch<F extends AnyFetch, On extends FallbackOn = 'refusal'>(
  fetch: F,
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest>,
  options: WrapFetchOptions<Awaited<ReturnType<F>>, On> = {},
): F {
  checkFunction('wrapFetch: fetch', fetch);
  checkAdapterOptions('wrapFetch', breaker, options, { watchBody: 'boolean' });
  const base = fetch as unknown as (...args: FetchArguments) => unknown;
  const own = { ...(options as unknown as WrapFetchOptions<unknown, FallbackOn>) };
  const wrapper = guardedFetch(base, toHttpCircuitBreaker(breaker), own, plainFetch);
  for (const key of Reflect.ownKeys(fetch)) {
    if (NOT_COPIED.includes(key)) continue;
    Object.defineProperty(wrapper, key, Object.getOwnPropertyDescriptor(fetch, key)!);
  }
  return wrapper as unknown as F;
}
