import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions, shown, toHttpCircuitBreaker } from '@recloser/core/adapter';
import { InstalledGuard } from './installed-guard.ts';
import type { AddCircuitBreakerOptions, AnyAxios, KeyedRequest } from './options.ts';
import { wholeFallback } from './whole-fallback.ts';

const installedOn = new WeakMap<object, InstalledGuard[]>();

/**
 * Puts an instance of axios behind a circuit breaker: all that it sends from then on, each retry by
 * itself. A request that the breaker refuses rejects with an `AxiosError` whose `code` is
 * `ERR_CALL_NOT_PERMITTED` and whose `cause` is the `CallNotPermittedError`; nothing is sent.
 * Instances that it `create`s later are not guarded.
 *
 *     const api = addCircuitBreaker(axios.create({ baseURL: 'https://api.example.com' }));
 *
 * Called again with the same `HttpCircuitBreaker` it only changes the options, also for calls that
 * wait in an interceptor.
 *
 * @param breaker  one that may be shared with other clients, or the options of a new one
 * @returns the instance
 * @throws TypeError or RangeError that names the option and its value
 */
export function addCircuitBreaker<I extends AnyAxios, On extends FallbackOn = 'refusal'>(
  instance: I,
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest>,
  options: AddCircuitBreakerOptions<On> = {},
): I {
  checkInstance('addCircuitBreaker', instance);
  checkAdapterOptions('addCircuitBreaker', breaker, options);
  const all = installedOn.get(instance) ?? [];
  let installed = all.find((each) => each.breaker === breaker);
  if (installed === undefined) {
    installed = new InstalledGuard(instance, toHttpCircuitBreaker(breaker));
    installedOn.set(instance, [...all, installed]);
  }
  installed.install(wholeFallback(options as unknown as AddCircuitBreakerOptions<FallbackOn>));
  return instance;
}

/**
 * Takes all circuit breakers off an instance. Requests that are being sent are still counted as
 * they end; their retries are not.
 */
export function removeCircuitBreaker(instance: AnyAxios): void {
  checkInstance('removeCircuitBreaker', instance);
  for (const installed of installedOn.get(instance) ?? []) installed.uninstall();
  installedOn.delete(instance);
}

function checkInstance(caller: string, instance: unknown): void {
  const { interceptors } = (instance ?? {}) as Partial<AnyAxios>;
  if (typeof interceptors?.request?.use === 'function') return;
  throw new TypeError(
    `${caller}: the first argument must be an instance of axios, as axios.create() gives it, but is ${shown(instance)}`,
  );
}
