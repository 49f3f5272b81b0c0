import { expectTypeOf, test } from 'vitest';
import {
  HttpCircuitBreaker,
  wrapFetch,
  wrapGlobalFetch,
  type AnyFetch,
  type CallNotPermittedError,
  type FallbackOn,
  type FetchOriginal,
  type GuardedRequest,
  type HttpCircuitBreakerOptions,
  type KeyedRequest,
  type WrapFetchOptions,
} from '../src/index.ts';

test('a wrapped fetch is still a fetch, with its statics', () => {
  type FetchOfBun = typeof fetch & { readonly preconnect: (url: string) => void };
  expectTypeOf(wrapFetch({} as FetchOfBun).preconnect).toEqualTypeOf<(url: string) => void>();
  expectTypeOf(wrapFetch(fetch)).toEqualTypeOf<typeof fetch>();
  expectTypeOf(wrapFetch({} as FetchOfBun)).toEqualTypeOf<FetchOfBun>();
  expectTypeOf<ReturnType<typeof wrapFetch<typeof fetch>>>().toEqualTypeOf<typeof fetch>();
});

test('any fetch can be wrapped, and no other function', () => {
  interface OtherResponse {
    readonly status: number;
    readonly other: true;
  }
  type OtherFetch = (url: string, init?: { readonly other: true }) => Promise<OtherResponse>;
  expectTypeOf(wrapFetch({} as OtherFetch)).toEqualTypeOf<OtherFetch>();
  expectTypeOf<typeof fetch>().toExtend<AnyFetch>();
  expectTypeOf<OtherFetch>().toExtend<AnyFetch>();
  expectTypeOf(wrapFetch({} as AnyFetch)).toEqualTypeOf<AnyFetch>();

  // @ts-expect-error: it promises nothing.
  wrapFetch((url: string) => url);
  // @ts-expect-error: fetch takes no third argument that must be there.
  wrapFetch((_input: string, _init: object, _third: string) => fetch(''));
  // @ts-expect-error: the fetch comes first.
  wrapFetch({ breaker: {} });

  wrapFetch({} as OtherFetch, undefined, {
    fallback: (): OtherResponse => ({ status: 200, other: true }),
  });
  // @ts-expect-error: the fallback answers with a response of the client's own type.
  wrapFetch({} as OtherFetch, undefined, { fallback: () => new Response() });
});

test('a breaker or its options can be given', () => {
  wrapFetch(fetch, {} as HttpCircuitBreaker);
  wrapFetch(fetch, {} as HttpCircuitBreakerOptions, { watchBody: true });
  wrapFetch(fetch, undefined, undefined);
  // @ts-expect-error: the options of one breaker belong under `breaker`.
  wrapFetch(fetch, { failureRateThreshold: 40 });
  // @ts-expect-error: an unknown option.
  wrapFetch(fetch, {}, { watchbody: true });
});

test('options that are constants are options', () => {
  const options = {
    breaker: { failureRateThreshold: 40 },
    rules: [{ status: [404, '5xx'], outcome: 'failure' }],
    endpoints: ['/users/:id'],
    overrides: [{ path: '/reports/*', breaker: false }],
  } as const;
  wrapFetch(fetch, options, { watchBody: true } as const);
  wrapGlobalFetch(options);
});

test('partition and key get the request as it was given to fetch', () => {
  wrapFetch(fetch, {
    partition: (request) => {
      expectTypeOf(request).toEqualTypeOf<KeyedRequest>();
      expectTypeOf(request.original).toEqualTypeOf<FetchOriginal>();
      return new Headers(request.original.init?.headers).get('x-tenant') ?? undefined;
    },
    key: ({ method, url }) => `${method} ${url}`,
  });
  wrapGlobalFetch({ partition: ({ original }) => original.init?.method });
  // @ts-expect-error: no part of a request to fetch.
  wrapFetch(fetch, { partition: ({ original }) => original.request });
  // @ts-expect-error: a text, not a URL.
  wrapFetch(fetch, { partition: ({ url }) => new URL(url) });
});

test('a breaker that serves several clients has functions for requests of any', () => {
  const shared = new HttpCircuitBreaker({ partition: ({ original }) => String(original) });
  wrapFetch(fetch, shared);
  const options: HttpCircuitBreakerOptions = { key: ({ method }) => method };
  wrapFetch(fetch, options);
});

test('a fallback gets the refusal and the request', () => {
  wrapFetch(fetch, undefined, {
    fallback: (refusal, request) => {
      expectTypeOf(refusal).toEqualTypeOf<CallNotPermittedError>();
      expectTypeOf(request).toEqualTypeOf<GuardedRequest>();
      return new Response(request.url);
    },
  });
  wrapFetch(fetch, undefined, { fallback: async () => new Response() });
  // @ts-expect-error: a fallback answers with a response.
  wrapFetch(fetch, undefined, { fallback: () => 'text' });
  for (const fallbackOn of ['failure', 'refusal'] as const) {
    wrapFetch(fetch, undefined, {
      fallback: (cause) => {
        expectTypeOf(cause).toEqualTypeOf<unknown>();
        return new Response();
      },
      fallbackOn,
    });
  }
  wrapGlobalFetch(undefined, {
    fallback: (refusal) => new Response(refusal.code),
    fallbackOn: 'refusal',
  });
  wrapGlobalFetch(undefined, {
    // @ts-expect-error: with 'failure' it may be anything.
    fallback: (cause) => new Response(cause.code),
    fallbackOn: 'failure',
  });
});

test('the type of options that are written apart says which calls a fallback answers', () => {
  const forRefusals: WrapFetchOptions = {
    fallback: (refusal, request) => {
      expectTypeOf(refusal).toEqualTypeOf<CallNotPermittedError>();
      expectTypeOf(request).toEqualTypeOf<GuardedRequest>();
      return new Response();
    },
  };
  const forFailures: WrapFetchOptions<Response, 'failure'> = {
    fallback: (cause) => {
      expectTypeOf(cause).toBeUnknown();
      return new Response();
    },
    fallbackOn: 'failure',
  };
  wrapFetch(fetch, undefined, forRefusals);
  wrapFetch(fetch, undefined, forFailures);
  wrapGlobalFetch(undefined, forRefusals);
  wrapGlobalFetch(undefined, forFailures);
  // @ts-expect-error: failures are asked for by the type, too.
  void ({ fallbackOn: 'failure' } satisfies WrapFetchOptions);
});

test('the global one gives the function that restores', () => {
  expectTypeOf(wrapGlobalFetch).returns.toEqualTypeOf<() => void>();
  expectTypeOf(wrapGlobalFetch)
    .parameter(1)
    .toEqualTypeOf<WrapFetchOptions<Response, FallbackOn> | undefined>();
});
