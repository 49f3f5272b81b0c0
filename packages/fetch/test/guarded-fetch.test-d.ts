import { expectTypeOf, test } from 'vitest';
import {
  guardedFetch,
  HttpCircuitBreaker,
  type FetchArguments,
  type FetchClient,
  type FetchRequest,
  type GuardedFetchOptions,
  type SignalLike,
} from '../src/index.ts';

interface MyOriginal {
  readonly tenant: string;
}

const client: FetchClient<MyOriginal> = {
  original: (input, init) => {
    expectTypeOf(input).toEqualTypeOf<string | URL | Request>();
    expectTypeOf(init).toEqualTypeOf<RequestInit | undefined>();
    return { tenant: 'one' };
  },
  signalOf: (request) => {
    expectTypeOf(request).toEqualTypeOf<FetchRequest>();
    expectTypeOf(request.original).toEqualTypeOf<object>();
    return request.signal;
  },
};

test('a client that calls a fetch says what its requests are', () => {
  const options: GuardedFetchOptions<MyOriginal> = {
    fallback: (cause, { method, url, tenant }) => {
      expectTypeOf(cause).toBeUnknown();
      return new Response(`${method} ${url} ${tenant}`);
    },
    fallbackOn: 'failure',
    watchBody: true,
  };
  const guarded = guardedFetch(fetch, new HttpCircuitBreaker(), options, client);
  expectTypeOf(guarded).toEqualTypeOf<(...args: FetchArguments) => unknown>();
  expectTypeOf<FetchArguments>().toEqualTypeOf<
    [input: string | URL | Request, init?: RequestInit]
  >();
  // @ts-expect-error: the options of a breaker make none here.
  guardedFetch(fetch, { level: 'host' }, {}, client);
  // @ts-expect-error: the option is called watchBody.
  guardedFetch(fetch, new HttpCircuitBreaker(), { watchbody: true }, client);
});

test("the caller's signal may be told later, or not be known", () => {
  const signals: readonly FetchClient<MyOriginal>['signalOf'][] = [
    () => undefined,
    () => null,
    () => new AbortController().signal,
    async () => ({ aborted: true }) satisfies SignalLike,
  ];
  for (const signalOf of signals) void ({ ...client, signalOf } satisfies FetchClient<MyOriginal>);
  // @ts-expect-error: a signal says whether it is aborted.
  void ({ ...client, signalOf: () => ({ reason: 'gone' }) } satisfies FetchClient<MyOriginal>);
  // @ts-expect-error: an original is an object.
  void ({ ...client, original: () => 'one' } satisfies FetchClient<MyOriginal>);
});
