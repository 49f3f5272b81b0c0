import type { HttpCircuitBreaker } from '@recloser/core';
import type { InternalAxiosRequestConfig } from 'axios';
import { FailureFallback } from './failure-fallback.ts';
import type { Guard } from './guard.ts';
import { guardedAdapter } from './guarded-adapter.ts';
import { Interceptor } from './interceptor.ts';
import type { AnyAxios, WholeFallbackOptions } from './options.ts';

/** A breaker, and what hangs on the instance to have it asked. */
export class InstalledGuard {
  readonly #guard: Guard;
  readonly #onRequest: Interceptor;
  readonly #onFailure: Interceptor;

  constructor(instance: AnyAxios, breaker: HttpCircuitBreaker) {
    const failures = new FailureFallback(() => guard.options);
    const guard: Guard = { breaker, instance, failures, options: {}, isRemoved: false };
    const { request, response } = instance.interceptors;
    this.#guard = guard;
    const setAdapter = (config: InternalAxiosRequestConfig): InternalAxiosRequestConfig => {
      const adapter = guardedAdapter(config.adapter, guard)!;
      return Reflect.set(config, 'adapter', adapter) ? config : { ...config, adapter };
    };
    // `synchronous`, or it alone would put off what is sent to a later tick.
    this.#onRequest = new Interceptor(request, setAdapter, null, { synchronous: true });
    this.#onFailure = new Interceptor(response, failures.onResponse, failures.onError);
  }

  get breaker(): HttpCircuitBreaker {
    return this.#guard.breaker;
  }

  install(options: WholeFallbackOptions): void {
    this.#guard.options = options;
    this.#onRequest.install();
    if (options.fallbackOn === 'failure') this.#onFailure.install();
    else this.#onFailure.eject();
  }

  uninstall(): void {
    this.#guard.isRemoved = true;
    this.#onRequest.eject();
    this.#onFailure.eject();
  }
}
