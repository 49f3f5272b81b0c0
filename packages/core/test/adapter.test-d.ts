import { expectTypeOf, test } from 'vitest';
import {
  absoluteUrl,
  addLayer,
  answerInstead,
  carryMarks,
  checkAdapterOptions,
  checkFunction,
  shown,
  toHttpCircuitBreaker,
  webResponse,
  type AdapterOptionCheck,
  type InContext,
} from '../src/adapter.ts';
import {
  HttpCircuitBreaker,
  type CallNotPermittedError,
  type FallbackOn,
  type FallbackOptions,
  type HttpCircuitBreakerOptions,
} from '../src/index.ts';

interface MyRequest {
  readonly method: string;
  readonly url: string;
}
interface MyResponse {
  readonly status: number;
}

test('an adapter takes a breaker or its options', () => {
  const shared = new HttpCircuitBreaker();
  expectTypeOf(toHttpCircuitBreaker(shared)).toEqualTypeOf<HttpCircuitBreaker>();
  expectTypeOf(toHttpCircuitBreaker({ level: 'host' })).toEqualTypeOf<HttpCircuitBreaker>();
  toHttpCircuitBreaker(undefined);
  toHttpCircuitBreaker({} as HttpCircuitBreakerOptions<MyRequest>);
  expectTypeOf(addLayer(shared)).toBeVoid();
  // @ts-expect-error: the options of one breaker belong under `breaker`.
  toHttpCircuitBreaker({ failureRateThreshold: 40 });
});

test('a fallback is given refusals, and with failures anything', () => {
  const forRefusals: FallbackOptions<MyRequest, MyResponse> = {
    fallback: (refusal, request) => {
      expectTypeOf(refusal).toEqualTypeOf<CallNotPermittedError>();
      expectTypeOf(request).toEqualTypeOf<MyRequest>();
      return { status: 200 };
    },
  };
  const forFailures: FallbackOptions<MyRequest, MyResponse, 'failure'> = {
    fallback: async (cause) => {
      expectTypeOf(cause).toBeUnknown();
      return { status: 200 };
    },
    fallbackOn: 'failure',
  };
  const forEither: FallbackOptions<MyRequest, MyResponse, FallbackOn> = {
    fallback: (cause) => {
      expectTypeOf(cause).toBeUnknown();
      return { status: 200 };
    },
    fallbackOn: Math.random() < 0.5 ? 'refusal' : 'failure',
  };
  // @ts-expect-error: what knows only refusals can't answer failures.
  void ({ ...forRefusals, fallbackOn: 'failure' } satisfies typeof forFailures);
  expectTypeOf<FallbackOn>().toEqualTypeOf<'refusal' | 'failure'>();

  const request = { method: 'GET', url: 'https://a.test/' };
  expectTypeOf(answerInstead(forEither, 'refused', 0, request)).toEqualTypeOf<
    Promise<MyResponse> | undefined
  >();
  void answerInstead(forEither, 'failure', new Error(), request);
  // @ts-expect-error: no call ends so.
  void answerInstead(forEither, 'failed', new Error(), request);
});

test("an adapter's own options are checked by their names", () => {
  const own: Readonly<Record<string, AdapterOptionCheck>> = {
    watchBody: 'boolean',
    count: ['attempt', 'call'],
    when: 'function',
  };
  expectTypeOf(checkAdapterOptions('wrap', undefined, {}, own)).toBeVoid();
  // @ts-expect-error: there is no such check.
  checkAdapterOptions('wrap', undefined, {}, { watchBody: 'number' });
});

test('small helpers keep types', () => {
  const call = (): number => 1;
  expectTypeOf(checkFunction('fetch', call)).toEqualTypeOf<() => number>();
  expectTypeOf(shown({})).toBeString();
  expectTypeOf(absoluteUrl('/users', 'https://a.test')).toBeString();
  expectTypeOf(carryMarks({}, new Response())).toEqualTypeOf<Response>();
  const inContext: InContext = (run) => run();
  expectTypeOf(inContext(() => 'text')).toBeString();
});

test('what a fallback of fetch gave keeps its type', () => {
  expectTypeOf(webResponse(new Response(), undefined)).toEqualTypeOf<Response>();
});
