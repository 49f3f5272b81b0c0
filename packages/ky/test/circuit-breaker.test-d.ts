import ky, { type KyInstance, type Options } from 'ky';
import { expectTypeOf, test } from 'vitest';
import {
  circuitBreaker,
  HttpCircuitBreaker,
  type CallNotPermittedError,
  type GuardedRequest,
  type HttpCircuitBreakerOptions,
  type KeyedRequest,
  type KyBreakerOptions,
  type KyOriginal,
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

test('options that are constants are options', () => {
  const options = {
    breaker: { failureRateThreshold: 40 },
    rules: [{ status: [404, '5xx'], outcome: 'failure' }],
    endpoints: ['/users/:id'],
  } as const;
  circuitBreaker(options, { watchBody: true } as const);
});

test("partition and key get ky's request and options as original", () => {
  circuitBreaker({
    partition: (request) => {
      expectTypeOf(request).toEqualTypeOf<KeyedRequest>();
      expectTypeOf(request.original).toEqualTypeOf<KyOriginal>();
      expectTypeOf(request.original.options).toEqualTypeOf<Options>();
      return request.original.request.headers.get('x-tenant') ?? undefined;
    },
    key: ({ method, url }) => `${method} ${url}`,
  });
  // @ts-expect-error: ky gives a request, and no init.
  circuitBreaker({ partition: ({ original }) => original.init });
  circuitBreaker(new HttpCircuitBreaker({ key: ({ original }) => String(original) }));
});

test('the type of options that are written apart says which calls a fallback answers', () => {
  const forRefusals: KyBreakerOptions = {
    watchBody: true,
    fallback: (refusal) => new Response(refusal.reason),
  };
  const forFailures: KyBreakerOptions<'failure'> = {
    fallback: (cause) => {
      expectTypeOf(cause).toBeUnknown();
      return Response.json([]);
    },
    fallbackOn: 'failure',
  };
  circuitBreaker(undefined, forRefusals);
  circuitBreaker(undefined, forFailures);
  // @ts-expect-error: failures are asked for by the type, too.
  void ({ fallbackOn: 'failure' } satisfies KyBreakerOptions);
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
