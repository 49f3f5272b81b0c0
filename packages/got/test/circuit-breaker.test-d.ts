import got, { type ExtendOptions, type Got, type Options, type Response } from 'got';
import { expectTypeOf, test } from 'vitest';
import {
  circuitBreaker,
  type CallNotPermittedError,
  type FallbackResponse,
  type GotBreakerOptions,
  type GuardedRequest,
  type HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
} from '../src/index.ts';

test('an extended got is still got', () => {
  expectTypeOf(circuitBreaker()).toExtend<ExtendOptions>();
  const api: Got = got.extend(circuitBreaker(), { retry: { limit: 1 } });
  expectTypeOf(api('')).resolves.toEqualTypeOf<Response<string>>();
  expectTypeOf(api('').json<{ a: 1 }>()).resolves.toEqualTypeOf<{ a: 1 }>();
  expectTypeOf(api.stream).toEqualTypeOf<(typeof got)['stream']>();
});

test('what it was extended with before and after is not forgotten', () => {
  const json = got.extend({ responseType: 'json', resolveBodyOnly: true });
  const before = json.extend(circuitBreaker());
  const after = got.extend(circuitBreaker()).extend({ responseType: 'buffer' });
  expectTypeOf(before('')).resolves.toEqualTypeOf<unknown>();
  expectTypeOf(after('')).resolves.toEqualTypeOf<Response<Uint8Array<ArrayBuffer>>>();
});

test('a breaker or its options can be given', () => {
  circuitBreaker({} as HttpCircuitBreaker);
  circuitBreaker({} as HttpCircuitBreakerOptions, { count: 'call' });
  circuitBreaker(undefined, undefined);
  // @ts-expect-error: the options of one breaker belong under `breaker`.
  circuitBreaker({ failureRateThreshold: 40 });
  // @ts-expect-error: an unknown option.
  circuitBreaker({}, { counts: 'call' });
  // @ts-expect-error: an unknown word.
  circuitBreaker({}, { count: 'attempts' });
});

test('a fallback gets the refusal and the request', () => {
  circuitBreaker(undefined, {
    fallback: (refusal, request) => {
      expectTypeOf(refusal).toEqualTypeOf<CallNotPermittedError>();
      expectTypeOf(request).toEqualTypeOf<GuardedRequest>();
      expectTypeOf(request.options).toEqualTypeOf<Options>();
      return { body: request.url };
    },
  });
  circuitBreaker(undefined, {
    fallbackOn: 'failure',
    fallback: async (cause) => {
      expectTypeOf(cause).toEqualTypeOf<unknown>();
      return { statusCode: 203, headers: { age: '60' }, body: { stored: true } };
    },
  });
  // @ts-expect-error: a fallback answers with an object.
  circuitBreaker(undefined, { fallback: () => 'text' });
  // @ts-expect-error: no part of an answer.
  circuitBreaker(undefined, { fallback: () => ({ status: 200 }) });
});

test("a response of got's own may be answered", () => {
  expectTypeOf<Response>().toExtend<FallbackResponse>();
  expectTypeOf<GotBreakerOptions>().toHaveProperty('count');
});
