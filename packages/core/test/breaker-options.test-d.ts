import { expectTypeOf, test } from 'vitest';
import {
  causedBy,
  CircuitBreaker,
  ManualClock,
  type CancelTimer,
  type CircuitBreakerOptions,
  type Clock,
  type CountedResult,
  type ErrorMatcher,
  type GrowingWait,
  type OpenDecision,
  type WaitDuration,
} from '../src/index.ts';

const make = (options: CircuitBreakerOptions): CircuitBreaker =>
  new CircuitBreaker('pricing', options);

test('options that are constants are options', () => {
  const options = {
    slidingWindowType: 'time-based',
    slidingWindowSize: 30,
    waitDurationInOpenState: { initial: 1000, multiplier: 2, max: 30_000 },
    transitionToStateAfterWaitDuration: 'evaluate',
    initialState: 'forced-open',
    ignoreErrors: [TypeError],
  } as const;
  make(options);
  expectTypeOf(options).toExtend<CircuitBreakerOptions>();
});

test('a misspelt option is an error', () => {
  // @ts-expect-error: the option is called failureRateThreshold.
  make({ failureRateTreshold: 40 });
  // @ts-expect-error: the option is called waitDurationInOpenState.
  make({ waitDuration: 1000 });
  // @ts-expect-error: Recloser sets no timeouts.
  make({ timeout: 1000 });
});

test('a value of another type is an error', () => {
  // @ts-expect-error: a percentage is a number.
  make({ failureRateThreshold: '40%' });
  // @ts-expect-error: the window is called time-based.
  make({ slidingWindowType: 'time' });
  // @ts-expect-error: half-open leads to open, closed or evaluate.
  make({ transitionToStateAfterWaitDuration: 'half-open' });
  // @ts-expect-error: the state is called half-open.
  make({ initialState: 'halfOpen' });
  // @ts-expect-error: true or false.
  make({ detectStalledCalls: 'yes' });
  // @ts-expect-error: a list, even of one.
  make({ ignoreErrors: TypeError });
  // @ts-expect-error: a class or a predicate, not a name.
  make({ ignoreErrors: ['TypeError'] });
  // @ts-expect-error: left out is not undefined.
  make({ failureRateThreshold: undefined });
  const options: CircuitBreakerOptions = { failureRateThreshold: 40 };
  // @ts-expect-error: options are copied once: to change them later does nothing.
  options.failureRateThreshold = 50;
});

test('a wait is a number, growing, or a function of the openings in a row', () => {
  make({ waitDurationInOpenState: 1000 });
  make({
    waitDurationInOpenState: (openings) => {
      expectTypeOf(openings).toBeNumber();
      return openings * 1000;
    },
  });
  const growing: GrowingWait = { initial: 1000, randomizationFactor: 0.5 };
  make({ waitDurationInOpenState: growing });
  expectTypeOf<CircuitBreakerOptions['waitDurationInOpenState']>().toEqualTypeOf<
    WaitDuration | undefined
  >();
  // @ts-expect-error: a growing wait needs its first.
  make({ waitDurationInOpenState: { max: 1000 } });
  // @ts-expect-error: the field is called multiplier.
  make({ waitDurationInOpenState: { initial: 1000, factor: 2 } });
  // @ts-expect-error: it has to answer at once.
  make({ waitDurationInOpenState: async () => 1000 });
});

test('errors are matched by classes and by predicates', () => {
  abstract class Base extends Error {}
  class WithArguments extends Error {
    constructor(status: number, url: URL) {
      super(`${status} ${url.href}`);
    }
  }
  const matchers: readonly ErrorMatcher[] = [
    Base,
    WithArguments,
    causedBy(WithArguments),
    (error) => error === undefined,
  ];
  make({ recordErrors: matchers, ignoreErrors: matchers });
  expectTypeOf(causedBy(Base)).toEqualTypeOf<(error: unknown) => boolean>();
  // @ts-expect-error: a class, not one of its instances.
  causedBy(new Error());
  // @ts-expect-error: not a class of errors.
  causedBy(Date);
});

test('a result may open the breaker for a span or until a date', () => {
  make({
    recordResult: (value) => {
      expectTypeOf(value).toBeUnknown();
      return value === null;
    },
    transitionOnResult: (result) => {
      expectTypeOf(result).toEqualTypeOf<CountedResult>();
      if ('error' in result) return { openFor: 1000 };
      expectTypeOf(result.value).toBeUnknown();
      return result.value === 0 ? { openUntil: new Date() } : undefined;
    },
  });
  expectTypeOf<OpenDecision>().toEqualTypeOf<
    { readonly openFor: number } | { readonly openUntil: Date }
  >();
  make({ transitionOnResult: () => null });
  make({ transitionOnResult: () => false });
  // @ts-expect-error: the span is called openFor.
  make({ transitionOnResult: () => ({ for: 1000 }) });
  // @ts-expect-error: a date, not its text.
  make({ transitionOnResult: () => ({ openUntil: '2030-01-01' }) });
});

test('a clock may be one of your own, or one that is moved by hand', () => {
  const clock = new ManualClock({ date: 0 });
  make({ clock });
  expectTypeOf(clock).toExtend<Clock>();
  expectTypeOf(clock.now()).toBeNumber();
  expectTypeOf(clock.date()).toBeNumber();
  expectTypeOf(clock.timers).toBeNumber();
  expectTypeOf(clock.advance(1000)).toBeVoid();
  expectTypeOf(clock.setTimer(() => {}, 1000)).toEqualTypeOf<CancelTimer>();
  make({ clock: { now: () => 0, date: () => 0 } });
  make({ clock: { now: () => 0, date: () => 0, setTimer: () => () => {} } });
  // @ts-expect-error: a clock tells the date, too.
  make({ clock: { now: () => 0 } });
  // @ts-expect-error: what sets a timer gives what stops it.
  make({ clock: { now: () => 0, date: () => 0, setTimer: () => 1 } });
  // @ts-expect-error: it begins at `now` and `date`.
  new ManualClock({ time: 0 });
});
