import { expectTypeOf, test } from 'vitest';
import {
  absoluteUrl,
  addLayer,
  answerInstead,
  carryMarks,
  checkAdapterOptions,
  checkBoolean,
  checkChoice,
  checkCount,
  checkFunction,
  checkHttpCircuitBreaker,
  checkNames,
  checkObject,
  checkText,
  circuitBreakerStates,
  healthOf,
  httpEventTypes,
  isHttpCircuitBreaker,
  listenWhileAwake,
  setSystemTimer,
  shown,
  systemClock,
  tallyCalls,
  toHttpCircuitBreaker,
  webResponse,
  type AdapterOptionCheck,
  type CallTally,
  type InContext,
} from '../src/adapter.ts';
import {
  HttpCircuitBreaker,
  type CallNotPermittedError,
  type CancelTimer,
  type CircuitBreakerEventType,
  type CircuitBreakerState,
  type Clock,
  type FallbackOn,
  type FallbackOptions,
  type Health,
  type HttpCircuitBreakerEvents,
  type HttpCircuitBreakerOptions,
  type StateTransitionEvent,
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

test('checks answer what they checked', () => {
  const value: unknown = 1;
  expectTypeOf(checkObject('options', value)).toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf(checkNames('options', {}, ['count'])).toBeVoid();
  expectTypeOf(checkBoolean('flag', value)).toBeBoolean();
  expectTypeOf(checkCount('size', value, 10)).toBeNumber();
  expectTypeOf(checkText('name', value)).toBeString();
  const levels = ['host', 'endpoint'] as const;
  expectTypeOf(checkChoice('level', value, levels)).toEqualTypeOf<'host' | 'endpoint'>();
});

test('the clock of the system is one as users give', () => {
  expectTypeOf(systemClock).toEqualTypeOf<Clock>();
  expectTypeOf(setSystemTimer(() => {}, 1000)).toEqualTypeOf<CancelTimer>();
});

test('health is of a snapshot', () => {
  expectTypeOf(healthOf(new HttpCircuitBreaker().snapshot().breakers)).toEqualTypeOf<Health>();
});

test('what a fallback of fetch gave keeps its type', () => {
  expectTypeOf(webResponse(new Response(), undefined)).toEqualTypeOf<Response>();
});

test('a listener may sleep, and hears what its event tells', () => {
  const quiet = (): void => {};
  const breaker = new HttpCircuitBreaker();
  const stop = listenWhileAwake(
    breaker,
    'stateTransition',
    (event) => expectTypeOf(event).toEqualTypeOf<StateTransitionEvent>(),
    () => true,
  );
  expectTypeOf(stop).toEqualTypeOf<() => void>();
  // @ts-expect-error: it has to say whether it is awake.
  listenWhileAwake(breaker, 'success', quiet);
  // @ts-expect-error: it is asked in the middle of a call, which does not wait.
  listenWhileAwake(breaker, 'success', quiet, async () => true);
  // @ts-expect-error: the event is called notPermitted.
  listenWhileAwake(breaker, 'rejected', quiet, () => true);
});

test('calls can be counted, by what an event would tell', () => {
  const tally: CallTally = (key, _name, type, elapsed, details) => {
    expectTypeOf(key).toBeString();
    expectTypeOf(type).toEqualTypeOf<CircuitBreakerEventType>();
    expectTypeOf(elapsed).toBeNumber();
    expectTypeOf(details?.domain).toEqualTypeOf<'endpoint' | 'host' | undefined>();
  };
  expectTypeOf(tallyCalls(new HttpCircuitBreaker(), tally)).toEqualTypeOf<() => void>();
});

test('the types of events can be walked through, and the states', () => {
  expectTypeOf(circuitBreakerStates).toEqualTypeOf<readonly CircuitBreakerState[]>();
  expectTypeOf(httpEventTypes).toEqualTypeOf<readonly (keyof HttpCircuitBreakerEvents)[]>();
});

test('anything may be asked whether it is an HTTP breaker', () => {
  const value: unknown = new HttpCircuitBreaker();
  expectTypeOf(checkHttpCircuitBreaker('breaker', value)).toEqualTypeOf<HttpCircuitBreaker>();
  expectTypeOf(isHttpCircuitBreaker).parameter(0).toBeUnknown();
  if (isHttpCircuitBreaker(value)) expectTypeOf(value).toEqualTypeOf<HttpCircuitBreaker>();
});
