import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions } from '@recloser/core/adapter';
import type { KeyedRequest, WrapFetchOptions } from './options.ts';
import { wrapFetch } from './wrap-fetch.ts';

/**
 * Puts the global `fetch` behind a circuit breaker, as `wrapFetch` does, for all code that calls it
 * from then on.
 *
 * @returns the function that takes the guard off again. Where something else was put over it in the
 * meantime that stays, and calls that come through it pass unguarded.
 * @throws TypeError or RangeError that names the option and its value
 */
export function wrapGlobalFetch<On extends FallbackOn = 'refusal'>(
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest>,
  options?: WrapFetchOptions<Response, On>,
): () => void {
  checkAdapterOptions('wrapGlobalFetch', breaker, options ?? {}, { watchBody: 'boolean' });
  const base = globalThis.fetch;
  const wrapped = wrapFetch(base, breaker, options);
  let isInstalled = true;
  const installed: typeof fetch = (...args) => (isInstalled ? wrapped : base)(...args);
  Object.defineProperties(installed, Object.getOwnPropertyDescriptors(wrapped));
  // Not an own property in workerd, which inherits it.
  const found = Object.getOwnPropertyDescriptor(globalThis, 'fetch');
  const { configurable = true, enumerable = true } = found ?? {};
  const property = { value: installed, configurable, enumerable, writable: true };
  Object.defineProperty(globalThis, 'fetch', property);
  return () => {
    isInstalled = false;
    if (globalThis.fetch !== installed) return;
    if (found === undefined) Reflect.deleteProperty(globalThis, 'fetch');
    else Object.defineProperty(globalThis, 'fetch', found);
  };
}
