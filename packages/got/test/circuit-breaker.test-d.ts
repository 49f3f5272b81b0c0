import got, { type ExtendOptions, type Got, type Options, type Response } from 'got';
import { expectTypeOf, test } from 'vitest';
import {
  circuitBreaker,
  HttpCircuitBreaker,
  type CallNotPermittedError,
  type FallbackResponse,
  type GotBreakerOptions,
  type GuardedRequest,
  type HttpCircuitBreakerOptions,
  type KeyedRequest,
} from '../src/index.ts';

test('an extended got is still got', () => {
  expectTypeOf(circuitBreaker()).toExtend<ExtendOptions>();
  const api: Got = got.extend(circuitBreaker(), { retry: { limit: 1 } });
  expectTypeOf(api('')).resolves.toEqualTypeOf<Response<string>>();
  expectTypeOf(api('').json<{ a: 1 }>()).resolves.toEqualTypeOf<{ a: 1 }>();
  expectTypeOf(got.extend(circuitBreaker())).toExtend<Got>();
  expectTypeOf(api.stream).toEqualTypeOf<(typeof got)['stream']>();
  expectTypeOf(api.paginate).toEqualTypeOf<(typeof got)['paginate']>();
  expectTypeOf(api.paginate<{ id: number }>('')).toEqualTypeOf<
    AsyncIterableIterator<{ id: number }>
  >();
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

test('options that are constants are options', () => {
  const options = {
    breaker: { failureRateThreshold: 40 },
    rules: [{ status: [404, '5xx'], outcome: 'failure' }],
    endpoints: ['/users/:id'],
  } as const;
  circuitBreaker(options, { count: 'call' } as const);
});

test("partition and key get got's options as original", () => {
  circuitBreaker({
    partition: (request) => {
      expectTypeOf(request).toEqualTypeOf<KeyedRequest>();
      expectTypeOf(request.original).toEqualTypeOf<Options>();
      return String(request.original.context['tenant']);
    },
    key: ({ method, url }) => `${method} ${url.pathname}`,
  });
  // @ts-expect-error: got's options have a context, and no tenant.
  circuitBreaker({ partition: ({ original }) => original.tenant });
  circuitBreaker(new HttpCircuitBreaker({ key: ({ original }) => String(original) }));
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
  // @ts-expect-error: got calls it statusCode.
  circuitBreaker(undefined, { fallback: () => ({ status: 200 }) });
  // @ts-expect-error: got calls it statusCode, whatever else there is.
  circuitBreaker(undefined, { fallback: () => ({ status: 503, body: 'text' }) });
  // @ts-expect-error: got calls it statusCode, later too.
  circuitBreaker(undefined, { fallback: async () => ({ status: 503, body: 'text' }) });
  // @ts-expect-error: a Response is of fetch.
  circuitBreaker(undefined, { fallback: () => new Response('text') });
  // @ts-expect-error: a header is a text.
  circuitBreaker(undefined, { fallback: () => ({ headers: { age: 60 } }) });
});

test("a response of got's own may be answered", () => {
  expectTypeOf<Response>().toExtend<FallbackResponse>();
  circuitBreaker(undefined, { fallback: (_refusal, { url }) => got(url) });
  circuitBreaker(undefined, { fallback: (_refusal, { url }) => got(url).json<object>() });
  const stored = { statusCode: 203, headers: { 'set-cookie': ['a=1'] }, body: [1] } as const;
  circuitBreaker(undefined, { fallback: () => stored });
});

test('the type of options that are written apart says which calls a fallback answers', () => {
  const forRefusals: GotBreakerOptions = {
    count: 'call',
    fallback: (refusal) => ({ body: refusal.retryAfterMs }),
  };
  const forFailures: GotBreakerOptions<'failure'> = {
    fallback: (cause) => {
      expectTypeOf(cause).toBeUnknown();
      return {};
    },
    fallbackOn: 'failure',
  };
  circuitBreaker(undefined, forRefusals);
  circuitBreaker(undefined, forFailures);
  // @ts-expect-error: failures are asked for by the type, too.
  void ({ fallbackOn: 'failure' } satisfies GotBreakerOptions);
});
