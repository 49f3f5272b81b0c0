import type {
  CallNotPermittedError,
  HttpCircuitBreaker,
  HttpCircuitBreakerOptions,
} from '@recloser/core';
import { Agent, interceptors, request, type Dispatcher } from 'undici';
import { Agent as Agent7, type Dispatcher as Dispatcher7 } from 'undici-7';
import { expectTypeOf, test } from 'vitest';
import {
  circuitBreakerInterceptor,
  installDispatcher,
  type FallbackAnswer,
  type GuardedRequest,
  type UndiciOptions,
} from '../src/index.ts';

test('the interceptor is one of undici 8 and of undici 7', () => {
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
