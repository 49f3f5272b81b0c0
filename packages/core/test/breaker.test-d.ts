import { expectTypeOf, test } from 'vitest';
import {
  CircuitBreaker,
  type CallNotPermittedError,
  type CircuitBreakerMetrics,
  type CircuitBreakerState,
  type Fallback,
  type FailureDetails,
  type LastFailure,
  type OutcomeDetails,
  type Permit,
} from '../src/index.ts';

const breaker = new CircuitBreaker('pricing');

test('a breaker has a name, and may have options', () => {
  expectTypeOf(new CircuitBreaker('pricing', { failureRateThreshold: 40 }).name).toBeString();
  // @ts-expect-error: the name comes first.
  new CircuitBreaker({ failureRateThreshold: 40 });
  // @ts-expect-error: the name is for reading.
  breaker.name = 'other';
  // @ts-expect-error: a state is moved by its methods.
  breaker.state = 'open';
});

test('execute gives a promise of what the body gives, at once or later', () => {
  expectTypeOf(breaker.execute(() => 1)).toEqualTypeOf<Promise<number>>();
  expectTypeOf(breaker.execute(async () => 'text')).toEqualTypeOf<Promise<string>>();
  const either = (): number | Promise<number> => 1;
  expectTypeOf(breaker.execute(either)).toEqualTypeOf<Promise<number>>();
  expectTypeOf(breaker.execute(() => ({}) as PromiseLike<Date>)).toEqualTypeOf<Promise<Date>>();
  expectTypeOf(breaker.execute(() => fail())).toEqualTypeOf<Promise<never>>();
  // @ts-expect-error: the function is given, not what it returns.
  void breaker.execute(Promise.resolve(1));
  // @ts-expect-error: it is called without arguments.
  void breaker.execute((id: number) => id);
});

test("what a fallback gives widens execute's result, unless it is of the same type", () => {
  const price = async (): Promise<{ price: number }> => ({ price: 1 });
  expectTypeOf(breaker.execute(price, { fallback: () => null })).resolves.toEqualTypeOf<{
    price: number;
  } | null>();
  expectTypeOf(breaker.execute(price, { fallback: async () => 'none' })).resolves.toEqualTypeOf<
    { price: number } | string
  >();
  expectTypeOf(breaker.execute(price, { fallback: () => ({ price: 2 }) })).resolves.toEqualTypeOf<{
    price: number;
  }>();
  expectTypeOf(breaker.execute(() => [1, 2], { fallback: () => [] })).resolves.toEqualTypeOf<
    number[]
  >();
  expectTypeOf(
    breaker.execute(price, {
      fallback: (cause) => {
        expectTypeOf(cause).toBeUnknown();
        throw cause;
      },
    }),
  ).resolves.toEqualTypeOf<{ price: number }>();
  expectTypeOf(breaker.execute<number>(() => 1, { fallback: () => 2 })).resolves.toBeNumber();
  // @ts-expect-error: with the type written down the fallback has to keep to it.
  void breaker.execute<number>(() => 1, { fallback: () => 'none' });
  // @ts-expect-error: the option is called fallback.
  void breaker.execute(price, { fallbak: () => null });
  // @ts-expect-error: a fallback is a function.
  void breaker.execute(price, { fallback: null });
});

test('wrap keeps arguments and this, and gives a promise', () => {
  interface Client {
    readonly base: string;
  }
  const client: Client = { base: 'https://api.example.com' };
  const get = breaker.wrap(async function (this: Client, id: number, query?: string) {
    return `${this.base}/${id}?${query}`;
  });
  expectTypeOf(get).toEqualTypeOf<(this: Client, id: number, query?: string) => Promise<string>>();
  void get.call(client, 1);
  // @ts-expect-error: it needs its client.
  void get.call({}, 1);
  // @ts-expect-error: the id is a number.
  void get.call(client, '1');

  const sum = breaker.wrap((...numbers: number[]) => numbers.length);
  expectTypeOf(sum).parameters.toEqualTypeOf<number[]>();
  expectTypeOf(sum(1, 2)).resolves.toBeNumber();
  // @ts-expect-error: the function is given, not what it returns.
  breaker.wrap(sum(1));
});

test('wrap keeps type parameters; of overloads, the last', () => {
  async function first<T>(list: readonly T[]): Promise<T> {
    return list[0]!;
  }
  const wrapped = breaker.wrap(first);
  expectTypeOf(wrapped([1, 2])).resolves.toBeNumber();
  expectTypeOf(wrapped(['one'])).resolves.toBeString();
  const answered = breaker.wrap(first, { fallback: () => undefined });
  expectTypeOf(answered([1, 2])).resolves.toEqualTypeOf<number | undefined>();

  function read(path: string): Promise<Uint8Array>;
  function read(path: string, encoding: 'utf8'): Promise<string>;
  function read(): Promise<unknown> {
    return Promise.resolve();
  }
  expectTypeOf(breaker.wrap(read)).parameters.toEqualTypeOf<[path: string, encoding: 'utf8']>();
  expectTypeOf(breaker.wrap(read)('', 'utf8')).resolves.toBeString();
});

test("wrap's fallback gets the cause and the arguments, and widens the result", () => {
  const price = breaker.wrap(async (id: string, _currency: 'EUR' | 'USD') => id.length, {
    fallback: (cause, id, currency) => {
      expectTypeOf(cause).toBeUnknown();
      expectTypeOf(id).toBeString();
      expectTypeOf(currency).toEqualTypeOf<'EUR' | 'USD'>();
      return null;
    },
  });
  expectTypeOf(price('1', 'EUR')).resolves.toEqualTypeOf<number | null>();
  // @ts-expect-error: the option is called fallback.
  breaker.wrap(async () => 1, { fallBack: () => null });
});

test('a fallback may be written apart', () => {
  const none: Fallback<undefined> = () => undefined;
  const echo: Fallback<string, [id: string]> = async (cause, id) => {
    expectTypeOf(cause).toBeUnknown();
    return id;
  };
  expectTypeOf(breaker.execute(() => 1, { fallback: none })).resolves.toEqualTypeOf<
    number | undefined
  >();
  expectTypeOf(breaker.wrap((id: string) => id, { fallback: echo })('')).resolves.toBeString();
  // @ts-expect-error: execute has no arguments for it.
  void breaker.execute(() => 1, { fallback: echo });
});

test('a call can be admitted by hand, and a permit takes one ending', () => {
  expectTypeOf(breaker.acquire()).toEqualTypeOf<Permit>();
  expectTypeOf(breaker.tryAcquire()).toEqualTypeOf<Permit | undefined>();
  expectTypeOf(breaker.refusal()).toEqualTypeOf<CallNotPermittedError | undefined>();
  const permit = breaker.acquire();
  const outcome: OutcomeDetails = { kind: 'refused', code: 'ECONNREFUSED', rule: 'a row' };
  const failure: FailureDetails = { ...outcome, status: 503, retryAfter: 1000 };
  expectTypeOf(permit.elapsed()).toBeNumber();
  expectTypeOf(permit.success(outcome)).toBeVoid();
  expectTypeOf(permit.failure(new Error('down'), failure)).toBeVoid();
  expectTypeOf(permit.ignore(undefined, outcome)).toBeVoid();
  expectTypeOf(permit.hold(1000, outcome)).toBeVoid();
  expectTypeOf(permit.trip('down', failure)).toBeVoid();
  expectTypeOf(permit.release()).toBeVoid();
  expectTypeOf(permit.result(1)).toBeVoid();
  expectTypeOf(permit.error(1)).toBeVoid();
  expectTypeOf(permit.amend()).toBeBoolean();
  // @ts-expect-error: a hold needs its span.
  permit.hold();
  // @ts-expect-error: the detail is called retryAfter.
  permit.failure(undefined, { retryAfterMs: 1000 });
  // @ts-expect-error: a success asks for nothing.
  permit.success({ retryAfter: 1000 });
});

test('states are told apart by their names', () => {
  expectTypeOf(breaker.state).toEqualTypeOf<CircuitBreakerState>();
  expectTypeOf<CircuitBreakerState>().toEqualTypeOf<
    'closed' | 'open' | 'half-open' | 'metrics-only' | 'disabled' | 'forced-open'
  >();
  // @ts-expect-error: the state is called half-open.
  void (breaker.state === 'halfOpen');
  breaker.transitionToOpenStateFor(1000);
  breaker.transitionToOpenStateUntil(new Date());
  // @ts-expect-error: a date, not a number of ms.
  breaker.transitionToOpenStateUntil(1000);
});

test('metrics and the latest failure are data to read', () => {
  const metrics = breaker.metrics();
  expectTypeOf(metrics).toEqualTypeOf<CircuitBreakerMetrics>();
  expectTypeOf(metrics.failureRate).toBeNumber();
  expectTypeOf(metrics.state).toEqualTypeOf<CircuitBreakerState>();
  expectTypeOf(metrics.retryAfterMs).toEqualTypeOf<number | undefined>();
  expectTypeOf(metrics.lastOpenedAt).toEqualTypeOf<number | undefined>();
  expectTypeOf(breaker.lastFailure).toEqualTypeOf<LastFailure | undefined>();
  // @ts-expect-error: metrics are for reading.
  metrics.failureRate = 0;
});

function fail(): never {
  throw new Error('down');
}
