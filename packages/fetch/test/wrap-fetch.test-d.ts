import { expectTypeOf, test } from 'vitest';
import {
  wrapFetch,
  wrapGlobalFetch,
  type CallNotPermittedError,
  type HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
  type GuardedRequest,
  type WrapFetchOptions,
} from '../src/index.ts';

test('a wrapped fetch is still a fetch, with its statics', () => {
  type FetchOfBun = typeof fetch & { preconnect(url: string): void };
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

test('the global one gives the function that restores', () => {
  expectTypeOf(wrapGlobalFetch).returns.toEqualTypeOf<() => void>();
  expectTypeOf(wrapGlobalFetch).parameter(1).toEqualTypeOf<WrapFetchOptions | undefined>();
});
