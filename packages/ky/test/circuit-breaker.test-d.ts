import ky, { type KyInstance, type Options } from 'ky';
import { expectTypeOf, test } from 'vitest';
import {
  circuitBreaker,
  type CallNotPermittedError,
  type GuardedRequest,
  type HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
} from '../src/index.ts';

test('an extended ky is still a KyInstance', () => {
  expectTypeOf(circuitBreaker()).toEqualTypeOf<(parent: Options) => Options>();
  expectTypeOf(ky.extend(circuitBreaker())).toEqualTypeOf<KyInstance>();
  expectTypeOf(
    ky.extend(circuitBreaker()).extend(circuitBreaker()).get<number>('').json(),
  ).resolves.toEqualTypeOf<number>();
  // @ts-expect-error: it takes the options of the parent, and so is nothing for `create`.
  ky.create(circuitBreaker());
});

test('a breaker or its options can be given', () => {
  circuitBreaker({} as HttpCircuitBreaker);
  circuitBreaker({} as HttpCircuitBreakerOptions, { watchBody: true });
  circuitBreaker(undefined, undefined);
  // @ts-expect-error: the options of one breaker belong under `breaker`.
  circuitBreaker({ failureRateThreshold: 40 });
  // @ts-expect-error: an unknown option.
  circuitBreaker({}, { watchbody: true });
  // @ts-expect-error: an attempt is counted, never a call.
  circuitBreaker({}, { count: 'call' });
});

test('a call can be left out', () => {
  void ky('', { context: { circuitBreaker: false } });
});

test('a fallback gets the refusal and the request', () => {
  circuitBreaker(undefined, {
    fallback: (refusal, request) => {
      expectTypeOf(refusal).toEqualTypeOf<CallNotPermittedError>();
      expectTypeOf(request).toEqualTypeOf<GuardedRequest>();
      expectTypeOf(request.request).toEqualTypeOf<Request>();
      expectTypeOf(request.options).toEqualTypeOf<Options>();
      return new Response(request.url);
    },
  });
  circuitBreaker(undefined, {
    fallback: (cause) => {
      expectTypeOf(cause).toEqualTypeOf<unknown>();
      return Response.json([]);
    },
    fallbackOn: 'failure',
  });
  // @ts-expect-error: a fallback answers with a response.
  circuitBreaker(undefined, { fallback: () => 'text' });
});
