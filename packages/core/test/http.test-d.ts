import { expectTypeOf, test } from 'vitest';
import {
  hostDefaults,
  HttpCircuitBreaker,
  httpDefaults,
  ManualClock,
  type Admission,
  type CallNotPermittedError,
  type CircuitBreaker,
  type HeadersLike,
  type HttpBreakerOptions,
  type HttpCircuitBreakerOptions,
  type Level,
  type Outcome,
  type Override,
  type OwnKey,
  type RequestKey,
  type RequestLike,
  type RequestStorage,
  type SentRequest,
  type SignalLike,
} from '../src/index.ts';

const breaker = new HttpCircuitBreaker();

test('options that are constants, or come from JSON, are options', () => {
  const options = {
    $schema: './configuration.schema.json',
    breaker: { failureRateThreshold: 40, slidingWindowType: 'count-based' },
    hostBreaker: { waitDurationInOpenState: { initial: 1000, multiplier: 2 } },
    rules: { rows: [{ status: [503, '4xx'], outcome: 'failure', domain: 'host' }], standard: true },
    endpoints: ['/users/:id'],
    level: 'endpoint',
    configs: { slow: { slowCallDurationThreshold: 10_000 }, slower: { base: 'slow' } },
    overrides: [
      { path: '/reports/*', base: 'slow', level: 'both' },
      { host: '*.internal', breaker: false },
    ],
    maxBreakers: 10,
    honorRetryAfter: false,
  } as const;
  new HttpCircuitBreaker(options);
  expectTypeOf(options).toExtend<HttpCircuitBreakerOptions>();
  new HttpCircuitBreaker(JSON.parse('{}') as HttpCircuitBreakerOptions);
  new HttpCircuitBreaker({ clock: new ManualClock() });
});

test('a misspelt option, or one in the wrong place, is an error', () => {
  // @ts-expect-error: a breaker's options stand under breaker.
  new HttpCircuitBreaker({ failureRateThreshold: 40 });
  // @ts-expect-error: the option is called failureRateThreshold.
  new HttpCircuitBreaker({ breaker: { failureRateTreshold: 40 } });
  // @ts-expect-error: all share one clock, which stands beside them.
  new HttpCircuitBreaker({ breaker: { clock: new ManualClock() } });
  // @ts-expect-error: over HTTP the rules say what counts.
  new HttpCircuitBreaker({ breaker: { recordErrors: [TypeError] } });
  // @ts-expect-error: over HTTP the rules say what counts.
  new HttpCircuitBreaker({ breaker: { recordResult: () => true } });
  // @ts-expect-error: Recloser sets no timeouts.
  new HttpCircuitBreaker({ timeout: 1000 });
  // @ts-expect-error: the option is called endpoints.
  new HttpCircuitBreaker({ endpoint: ['/users/:id'] });
  // @ts-expect-error: the override has a path, not a url.
  new HttpCircuitBreaker({ overrides: [{ url: '/users/:id', breaker: false }] });
});

test('a value of another type is an error', () => {
  // @ts-expect-error: the level is called host, endpoint or both.
  new HttpCircuitBreaker({ level: 'hosts' });
  // @ts-expect-error: a list of templates, even of one.
  new HttpCircuitBreaker({ endpoints: '/users/:id' });
  // @ts-expect-error: false leaves requests out, true says nothing.
  new HttpCircuitBreaker({ overrides: [{ breaker: true }] });
  // @ts-expect-error: ms, not a text.
  new HttpCircuitBreaker({ maxRetryAfter: '5m' });
  expectTypeOf<Level>().toEqualTypeOf<'host' | 'endpoint' | 'both'>();
  const override: Override = { method: 'GET', path: '/users/:id', name: 'users' };
  new HttpCircuitBreaker({ overrides: [override] });
});

test('the defaults are options to read and to build on', () => {
  expectTypeOf(httpDefaults).toEqualTypeOf<HttpBreakerOptions>();
  expectTypeOf(hostDefaults).toEqualTypeOf<HttpBreakerOptions>();
  new HttpCircuitBreaker({ breaker: { ...httpDefaults, minimumNumberOfCalls: 5 } });
  // @ts-expect-error: they are frozen.
  httpDefaults.failureRateThreshold = 1;
});

test('partition and key get the request, whose original no one knows here', () => {
  new HttpCircuitBreaker({
    partition: (request) => {
      expectTypeOf(request).toEqualTypeOf<RequestLike>();
      expectTypeOf(request.original).toBeUnknown();
      if (!('url' in request)) return request.path;
      return typeof request.url === 'string' ? request.url : request.url.href;
    },
    key: (request) => {
      expectTypeOf(request).toEqualTypeOf<RequestLike>();
      return { host: 'a host', endpoint: request.method };
    },
  });
  expectTypeOf<OwnKey>().toEqualTypeOf<
    string | { readonly host?: string; readonly endpoint?: string } | undefined
  >();
  new HttpCircuitBreaker({ partition: () => undefined, key: () => 'one for all' });
  // @ts-expect-error: a text, not a number.
  new HttpCircuitBreaker({ partition: () => 1 });
  // @ts-expect-error: it has to answer at once.
  new HttpCircuitBreaker({ partition: async () => 'tenant' });
  // @ts-expect-error: the keys are called host and endpoint.
  new HttpCircuitBreaker({ key: () => ({ hosts: 'a host' }) });
});

test("options for one client's requests are none for those of any", () => {
  interface OfMyClient {
    readonly method: string;
    readonly url: string;
    readonly original: { readonly tenant: string };
  }
  const mine: HttpCircuitBreakerOptions<OfMyClient> = {
    partition: ({ url, original }) => (url.startsWith('https:') ? original.tenant : undefined),
  };
  const any: HttpCircuitBreakerOptions = { partition: ({ method }) => method };
  expectTypeOf(any).toExtend<HttpCircuitBreakerOptions<OfMyClient>>();
  // @ts-expect-error: another client has no tenant in its original.
  new HttpCircuitBreaker(mine);
});

test('a request is admitted by its parts or by its URL', () => {
  expectTypeOf(breaker.admit({ method: 'GET', url: 'https://a.test/' })).toEqualTypeOf<Admission>();
  breaker.admit({ method: 'GET', url: new URL('https://a.test/'), original: {} });
  breaker.admit({ method: 'GET', origin: 'https://a.test', path: '/' });
  // @ts-expect-error: an origin needs a path beside it.
  breaker.admit({ method: 'GET', origin: 'https://a.test' });
  // @ts-expect-error: the method is missing.
  breaker.admit({ url: 'https://a.test/' });
});

test('an admission hears how the request ended, and says what that counted as', () => {
  const admission = breaker.admit({ method: 'GET', url: 'https://a.test/' });
  const signal: SignalLike = AbortSignal.timeout(1);
  expectTypeOf(admission.send(() => 1)).toBeNumber();
  expectTypeOf(admission.send(async () => 'text')).resolves.toBeString();
  expectTypeOf(admission.responded(200)).toEqualTypeOf<Outcome | undefined>();
  expectTypeOf(admission.failed('error', signal)).toEqualTypeOf<Outcome | undefined>();
  expectTypeOf(admission.bodyFailed('error', null)).toEqualTypeOf<Outcome | undefined>();
  expectTypeOf(admission.released()).toBeVoid();
  expectTypeOf(admission.inContext()(() => 1)).toBeNumber();
  const headers: HeadersLike[] = [new Headers(), new Map(), { 'retry-after': ['1', 2] }];
  for (const each of headers) admission.responded(503, each, {});
  // @ts-expect-error: the status comes first.
  admission.responded(new Headers());
});

test('a breaker is found by its key', () => {
  expectTypeOf(breaker.find('https://a.test')).toEqualTypeOf<CircuitBreaker | undefined>();
  expectTypeOf(breaker.find('')?.refusal()).toEqualTypeOf<CallNotPermittedError | undefined>();
  expectTypeOf<RequestKey>().toEqualTypeOf<{
    readonly method: string;
    readonly host: string;
    readonly path: string;
    readonly route: string;
    readonly endpoint: string;
  }>();
});

test('a storage knows the request that is being sent', () => {
  const storage = {} as RequestStorage;
  expectTypeOf(storage.getStore()).toEqualTypeOf<SentRequest | undefined>();
  expectTypeOf<SentRequest['key']>().toEqualTypeOf<RequestKey>();
  expectTypeOf(storage.run({} as SentRequest, () => 1)).toBeNumber();
});
