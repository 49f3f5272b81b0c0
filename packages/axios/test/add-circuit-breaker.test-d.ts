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
  HttpCircuitBreaker,
  removeCircuitBreaker,
  type AddCircuitBreakerOptions,
  type AnyAxios,
  type CallNotPermittedError,
  type FallbackResponse,
  type GuardedRequest,
  type HttpCircuitBreakerOptions,
  type KeyedRequest,
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
  class ApiClient extends Axios {
    readonly users = (): Promise<AxiosResponse<string[]>> => this.get('/users');
  }
  expectTypeOf(addCircuitBreaker(new ApiClient({})).users).returns.resolves.toEqualTypeOf<
    AxiosResponse<string[]>
  >();
  expectTypeOf<AxiosInstance>().toExtend<AnyAxios>();
  expectTypeOf<CommonInstance>().toExtend<AnyAxios>();
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

test('options that are constants are options', () => {
  addCircuitBreaker(api, {
    breaker: { failureRateThreshold: 40 },
    rules: [{ status: [404, '5xx'], outcome: 'failure' }],
    endpoints: ['/users/:id'],
  } as const);
});

test('partition and key get the config as original', () => {
  addCircuitBreaker(api, {
    partition: (request) => {
      expectTypeOf(request).toEqualTypeOf<KeyedRequest>();
      expectTypeOf(request.original).toEqualTypeOf<InternalAxiosRequestConfig>();
      return request.original.headers.get('x-tenant')?.toString();
    },
    key: ({ method, url }) => `${method} ${url}`,
  });
  // @ts-expect-error: a config has headers, and no header.
  addCircuitBreaker(api, { partition: ({ original }) => original.header });
  addCircuitBreaker(api, new HttpCircuitBreaker({ key: ({ original }) => String(original) }));
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
  const response: FallbackResponse = { data: [], status: 203, headers: { age: '60' } };
  addCircuitBreaker(api, undefined, { fallback: () => response });
  // @ts-expect-error: axios calls it status.
  addCircuitBreaker(api, undefined, { fallback: () => ({ data: [], statusCode: 203 }) });
  // @ts-expect-error: a Response is of fetch.
  addCircuitBreaker(api, undefined, { fallback: () => new Response() });
  // @ts-expect-error: the data has to stand under `data`.
  addCircuitBreaker(api, undefined, { fallback: () => [1, 2, 3] });
  addCircuitBreaker(api, undefined, {
    // @ts-expect-error: with 'failure' it may be anything.
    fallback: (cause) => ({ data: cause.code }),
    fallbackOn: 'failure',
  });
});

test('the type of options that are written apart says which calls a fallback answers', () => {
  const forRefusals: AddCircuitBreakerOptions = {
    fallback: (refusal) => ({ data: refusal.retryAfterMs }),
  };
  const forFailures: AddCircuitBreakerOptions<'failure'> = {
    fallback: (cause) => {
      expectTypeOf(cause).toBeUnknown();
      return { data: [] };
    },
    fallbackOn: 'failure',
  };
  addCircuitBreaker(api, undefined, forRefusals);
  addCircuitBreaker(api, undefined, forFailures);
  // @ts-expect-error: failures are asked for by the type, too.
  void ({ fallbackOn: 'failure' } satisfies AddCircuitBreakerOptions);
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
