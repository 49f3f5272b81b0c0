import { expectTypeOf, test } from 'vitest';
import type {
  BreakerRegistryOptions,
  CircuitBreakerMetrics,
  CircuitBreakerOptions,
  ControlOptions,
  HttpBreakerOptions,
  HttpCircuitBreakerOptions,
  LintContext,
  ManualClock,
  OutcomeRow,
  Override,
} from '../src/index.ts';

/** The names of an object whose values may be anything. */
type AnyIn<T> = {
  [Name in keyof Required<T>]: 0 extends 1 & Required<T>[Name] ? Name : never;
}[keyof T];

test('no option, condition or figure is of any type', () => {
  expectTypeOf<AnyIn<CircuitBreakerOptions>>().toBeNever();
  expectTypeOf<AnyIn<HttpBreakerOptions>>().toBeNever();
  expectTypeOf<AnyIn<HttpCircuitBreakerOptions>>().toBeNever();
  expectTypeOf<AnyIn<Override>>().toBeNever();
  expectTypeOf<AnyIn<OutcomeRow>>().toBeNever();
  expectTypeOf<AnyIn<BreakerRegistryOptions>>().toBeNever();
  expectTypeOf<AnyIn<ControlOptions>>().toBeNever();
  expectTypeOf<AnyIn<LintContext>>().toBeNever();
  expectTypeOf<AnyIn<CircuitBreakerMetrics>>().toBeNever();
  expectTypeOf<Parameters<ManualClock['advance']>>().toEqualTypeOf<[ms: number]>();
});
