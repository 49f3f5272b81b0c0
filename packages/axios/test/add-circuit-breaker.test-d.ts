import axios, {
  Axios,
  type AxiosInstance,
  type AxiosRequestConfig,
  type AxiosResponse,
  type AxiosStatic,
  type InternalAxiosRequestConfig,
} from 'axios';
import { setupCache, type AxiosCacheInstance } from 'axios-cache-interceptor';
import type MockAdapter from 'axios-mock-adapter';
import { expectTypeOf, test } from 'vitest';
import {
  addCircuitBreaker,
  removeCircuitBreaker,
  type CallNotPermittedError,
  type GuardedRequest,
  type HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
} from '../src/index.ts';

/** Of the types for CommonJS, which are others. */
type CommonInstance = ConstructorParameters<typeof MockAdapter>[0];

const api = axios.create();

test('an instance keeps its type', () => {
  expectTypeOf(addCircuitBreaker(axios)).toEqualTypeOf<AxiosStatic>();
  expectTypeOf(addCircuitBreaker(api)).toEqualTypeOf<AxiosInstance>();
  expectTypeOf(addCircuitBreaker(new Axios({}))).toEqualTypeOf<Axios>();
  expectTypeOf(addCircuitBreaker(setupCache(api))).toEqualTypeOf<AxiosCacheInstance>();
  expectTypeOf(addCircuitBreaker({} as CommonInstance)).toEqualTypeOf<CommonInstance>();
  expectTypeOf(removeCircuitBreaker(api)).toBeVoid();
  // @ts-expect-error: not an instance.
  addCircuitBreaker({});
  // @ts-expect-error: the instance comes first.
  addCircuitBreaker({ breaker: {} }, api);
});

test('a breaker or its options can be given', () => {
  addCircuitBreaker(api, {} as HttpCircuitBreaker);
  addCircuitBreaker(api, {} as HttpCircuitBreakerOptions, {});
  addCircuitBreaker(api, undefined, undefined);
  // @ts-expect-error: the options of one breaker belong under `breaker`.
  addCircuitBreaker(api, { failureRateThreshold: 40 });
  // @ts-expect-error: an unknown option.
  addCircuitBreaker(api, {}, { fallbak: () => ({ data: 1 }) });
  // @ts-expect-error: there is no such thing here.
  addCircuitBreaker(api, {}, { count: 'call' });
});

test('a fallback gets the refusal and the request, and gives a response or its data', () => {
  addCircuitBreaker(api, undefined, {
    fallback: (refusal, request) => {
      expectTypeOf(refusal).toEqualTypeOf<CallNotPermittedError>();
      expectTypeOf(request).toEqualTypeOf<GuardedRequest>();
      expectTypeOf(request.config).toEqualTypeOf<InternalAxiosRequestConfig>();
      return { data: request.url };
    },
  });
  addCircuitBreaker(api, undefined, { fallback: async () => ({ data: [], status: 203 }) });
  addCircuitBreaker(api, undefined, { fallback: (_refusal, { url }) => api.get<string[]>(url) });
  addCircuitBreaker(api, undefined, { fallback: () => ({}) as AxiosResponse<{ id: number }[]> });
  addCircuitBreaker({} as CommonInstance, undefined, {
    fallback: (_refusal, { url }) => (({}) as CommonInstance).get(url),
  });
  // @ts-expect-error: the data has to stand under `data`.
  addCircuitBreaker(api, undefined, { fallback: () => [1, 2, 3] });
  addCircuitBreaker(api, undefined, {
    // @ts-expect-error: with 'failure' it may be anything.
    fallback: (cause) => ({ data: cause.code }),
    fallbackOn: 'failure',
  });
});

test('a request can be left out by its config', () => {
  expectTypeOf<AxiosRequestConfig>()
    .toHaveProperty('circuitBreaker')
    .toEqualTypeOf<boolean | undefined>();
  void api.get('/health', { circuitBreaker: false });
  axios.create({ circuitBreaker: false });
  // @ts-expect-error: true or false.
  void api.get('/health', { circuitBreaker: 'no' });
});
