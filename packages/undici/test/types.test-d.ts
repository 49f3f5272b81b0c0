import { wrapFetch } from '@recloser/fetch';
import {
  Agent,
  fetch as undiciFetch,
  interceptors,
  request,
  Response as UndiciResponse,
  type Dispatcher,
} from 'undici';
import { Agent as Agent7, type Dispatcher as Dispatcher7 } from 'undici-7';
import { expectTypeOf, test } from 'vitest';
import {
  circuitBreakerInterceptor,
  HttpCircuitBreaker,
  installDispatcher,
  type CallNotPermittedError,
  type CircuitBreakerInterceptor,
  type FallbackAnswer,
  type GuardedRequest,
  type HttpCircuitBreakerOptions,
  type KeyedRequest,
  type UndiciOptions,
} from '../src/index.ts';

test('the interceptor is one of undici 8 and of undici 7', () => {
  expectTypeOf(circuitBreakerInterceptor()).toEqualTypeOf<CircuitBreakerInterceptor>();
  expectTypeOf(circuitBreakerInterceptor()).toExtend<Dispatcher.DispatcherComposeInterceptor>();
  expectTypeOf(circuitBreakerInterceptor()).toExtend<Dispatcher7.DispatcherComposeInterceptor>();
  new Agent().compose(circuitBreakerInterceptor(), interceptors.retry());
  new Agent().compose([interceptors.dns(), circuitBreakerInterceptor()]);
  new Agent7().compose(circuitBreakerInterceptor());
  // @ts-expect-error: it must be called.
  new Agent().compose(circuitBreakerInterceptor);
});

test('a breaker or its options can be given', () => {
  circuitBreakerInterceptor({} as HttpCircuitBreaker);
  circuitBreakerInterceptor({ breaker: { failureRateThreshold: 40 } } as HttpCircuitBreakerOptions);
  circuitBreakerInterceptor(undefined, undefined);
  installDispatcher({} as HttpCircuitBreaker, {});
  // @ts-expect-error: the options of one breaker belong under `breaker`.
  circuitBreakerInterceptor({ failureRateThreshold: 40 });
  // @ts-expect-error: an unknown option.
  circuitBreakerInterceptor({}, { fallbackon: 'failure' });
});

test('options that are constants are options', () => {
  const options = {
    breaker: { failureRateThreshold: 40 },
    rules: [{ status: [404, '5xx'], outcome: 'failure' }],
    endpoints: ['/users/:id'],
  } as const;
  circuitBreakerInterceptor(options);
  installDispatcher(options);
});

test('partition and key get the options of the request as original', () => {
  circuitBreakerInterceptor({
    partition: (asked) => {
      expectTypeOf(asked).toEqualTypeOf<KeyedRequest>();
      expectTypeOf(asked.original).toEqualTypeOf<Dispatcher.DispatchOptions>();
      return asked.original.idempotent === true ? 'idempotent' : undefined;
    },
    key: ({ method, origin, path }) => `${method} ${String(origin)}${path}`,
  });
  installDispatcher({ partition: ({ path }) => path.split('/')[1] });
  // @ts-expect-error: an origin and a path, no url.
  circuitBreakerInterceptor({ partition: ({ url }) => url });
  circuitBreakerInterceptor(new HttpCircuitBreaker({ key: ({ original }) => String(original) }));
});

test('the type of options that are written apart says which calls a fallback answers', () => {
  const forRefusals: UndiciOptions = { fallback: (refusal) => ({ body: refusal.message }) };
  const forFailures: UndiciOptions<'failure'> = {
    fallback: (cause) => {
      expectTypeOf(cause).toBeUnknown();
      return {};
    },
    fallbackOn: 'failure',
  };
  circuitBreakerInterceptor(undefined, forRefusals);
  installDispatcher(undefined, forFailures);
  // @ts-expect-error: failures are asked for by the type, too.
  void ({ fallbackOn: 'failure' } satisfies UndiciOptions);
});

test("undici's own fetch keeps its type behind wrapFetch", () => {
  expectTypeOf(wrapFetch(undiciFetch)).toEqualTypeOf<typeof undiciFetch>();
  wrapFetch(undiciFetch, undefined, { fallback: () => new UndiciResponse('text') });
  expectTypeOf(wrapFetch(undiciFetch)('')).resolves.toEqualTypeOf<UndiciResponse>();
});

test('a fallback gets the refusal and the request, and gives an answer', () => {
  circuitBreakerInterceptor(undefined, {
    fallback(refusal, { method, url, options }) {
      expectTypeOf(refusal).toEqualTypeOf<CallNotPermittedError>();
      expectTypeOf(options).toEqualTypeOf<Dispatcher.DispatchOptions>();
      return { statusCode: 200, headers: { 'x-method': method, 'set-cookie': ['a'] }, body: url };
    },
  });
  installDispatcher(undefined, {
    fallbackOn: 'failure',
    fallback(cause, request) {
      expectTypeOf(cause).toBeUnknown();
      expectTypeOf(request).toEqualTypeOf<GuardedRequest>();
      return {};
    },
  });
  circuitBreakerInterceptor({}, { fallback: async () => ({ body: new Uint8Array() }) });
  // @ts-expect-error: undici calls it statusCode.
  circuitBreakerInterceptor({}, { fallback: () => ({ status: 503 }) });
  // @ts-expect-error: undici calls it statusCode, whatever else there is.
  circuitBreakerInterceptor({}, { fallback: async () => ({ status: 503, body: 'text' }) });
  // @ts-expect-error: a body is a string or bytes.
  circuitBreakerInterceptor({}, { fallback: () => ({ body: { users: [] } }) });
  const stored = { statusCode: 203, headers: { 'set-cookie': ['a=1'] }, body: 'text' } as const;
  circuitBreakerInterceptor({}, { fallback: () => stored });
  // @ts-expect-error: a fallback answers with a status, headers and a body.
  circuitBreakerInterceptor({}, { fallback: () => 'text' });
  // @ts-expect-error: a Response is of fetch.
  circuitBreakerInterceptor({}, { fallback: () => new Response('text') });
  expectTypeOf<UndiciOptions['fallback']>().returns.toEqualTypeOf<
    FallbackAnswer | PromiseLike<FallbackAnswer>
  >();
});

test('a request can be left out by an option, and by nothing but false', () => {
  void request('http://api.example.com', { circuitBreaker: false });
  void new Agent().stream(
    { path: '/', method: 'GET', circuitBreaker: false },
    () => process.stdout,
  );
  void new Agent().connect({ origin: 'http://api.example.com', path: '', circuitBreaker: false });
  void new Agent().upgrade({ path: '/', circuitBreaker: false });
  // @ts-expect-error: it is guarded anyway.
  void request('http://api.example.com', { circuitBreaker: true });
});

test('installing gives the function that restores', () => {
  expectTypeOf(installDispatcher).returns.toEqualTypeOf<() => void>();
});
