import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions, shown, toHttpCircuitBreaker } from '@recloser/core/adapter';
import { AxiosHeaders, type AxiosInstance, type AxiosResponse } from 'axios';
import { FailureFallback } from './failure-fallback.ts';
import { guardedAdapter, type Guard } from './guarded-adapter.ts';
import type {
  AddCircuitBreakerOptions,
  AnyAxios,
  FallbackResponse,
  GuardedRequest,
  WholeFallbackOptions,
} from './options.ts';

interface Installed {
  readonly guard: Guard;
  readonly uninstall: () => void;
}

const installedOn = new WeakMap<object, Installed[]>();

/**
 * Puts an instance of axios behind a circuit breaker: all that it sends from then on, each retry by
 * itself. A request that the breaker refuses rejects with an `AxiosError` whose `code` is
 * `ERR_CALL_NOT_PERMITTED` and whose `cause` is the `CallNotPermittedError`; nothing is sent.
 * Instances that it `create`s later are not guarded.
 *
 *     const api = addCircuitBreaker(axios.create({ baseURL: 'https://api.example.com' }));
 *
 * Called again with the same `HttpCircuitBreaker` it only changes the options.
 *
 * @param breaker  one that may be shared with other clients, or the options of a new one
 * @returns the instance
 * @throws TypeError or RangeError that names the option and its value
 */
export function addCircuitBreaker<I extends AnyAxios, On extends FallbackOn = 'refusal'>(
  instance: I,
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions,
  options: AddCircuitBreakerOptions<On> = {},
): I {
  const { request, response } = interceptorsOf('addCircuitBreaker', instance);
  checkAdapterOptions('addCircuitBreaker', breaker, options);
  const guarding = toHttpCircuitBreaker(breaker);
  const whole = wholeFallback(options as unknown as AddCircuitBreakerOptions);
  const failureFallback = whole.fallbackOn === 'failure' ? new FailureFallback(whole) : undefined;
  const guard: Guard = { breaker: guarding, options: whole, failureFallback, isRemoved: false };

  remove(instance, ({ breaker: other }) => other === guarding);
  // `synchronous`, or it alone would put off what is sent to a later tick.
  const id = request.use(
    (config) => {
      config.adapter = guardedAdapter(config.adapter, guard)!;
      return config;
    },
    null,
    { synchronous: true },
  );
  const answering =
    failureFallback && response.use(failureFallback.onResponse, failureFallback.onError);
  const uninstall = (): void => {
    guard.isRemoved = true;
    request.eject(id);
    if (answering !== undefined) response.eject(answering);
  };
  installedOn.set(instance, [...(installedOn.get(instance) ?? []), { guard, uninstall }]);
  return instance;
}

/**
 * Takes all circuit breakers off an instance. Requests that are being sent are still counted as they
 * end; their retries are not.
 */
export function removeCircuitBreaker(instance: AnyAxios): void {
  interceptorsOf('removeCircuitBreaker', instance);
  remove(instance, () => true);
}

function remove(instance: AnyAxios, isMeant: (guard: Guard) => boolean): void {
  const all = installedOn.get(instance) ?? [];
  for (const { guard, uninstall } of all) if (isMeant(guard)) uninstall();
  installedOn.set(
    instance,
    all.filter(({ guard }) => !guard.isRemoved),
  );
}

function interceptorsOf(caller: string, instance: unknown): AxiosInstance['interceptors'] {
  const { interceptors } = (instance ?? {}) as Partial<AxiosInstance>;
  if (typeof interceptors?.request?.use !== 'function') {
    throw new TypeError(
      `${caller}: the first argument must be an instance of axios, as axios.create() gives it, but is ${shown(instance)}`,
    );
  }
  return interceptors;
}

function wholeFallback({ fallback, fallbackOn }: AddCircuitBreakerOptions): WholeFallbackOptions {
  if (fallback === undefined) return {};
  return {
    fallbackOn,
    async fallback(cause, request) {
      const answer = await fallback(cause, request);
      // Given back as it is, the call is to be left as it is.
      return answer === cause ? (answer as AxiosResponse) : whole(answer, request);
    },
  };
}

function whole(answer: FallbackResponse, { config }: GuardedRequest): AxiosResponse {
  return {
    ...answer,
    status: answer.status ?? 200,
    statusText: answer.statusText ?? '',
    headers: AxiosHeaders.from(answer.headers as AxiosHeaders | undefined),
    config: answer.config ?? { ...config },
  };
}
