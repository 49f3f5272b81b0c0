import { expectTypeOf, test } from 'vitest';
import {
  BreakerRegistry,
  ManualClock,
  type BreakerRegistryOptions,
  type BreakerRegistrySnapshot,
  type CircuitBreaker,
  type LastFailure,
  type NamedConfiguration,
} from '../src/index.ts';

test('a registry makes the breaker of a key, or has no room for it', () => {
  const registry = new BreakerRegistry();
  expectTypeOf(registry.get('inventory')).toEqualTypeOf<CircuitBreaker | undefined>();
  expectTypeOf(registry.get('inventory', 'slow')).toEqualTypeOf<CircuitBreaker | undefined>();
  expectTypeOf(registry.has('inventory')).toBeBoolean();
  expectTypeOf(registry.delete('inventory')).toBeBoolean();
  expectTypeOf(registry.clear()).toBeVoid();
  expectTypeOf(registry.size).toBeNumber();
  for (const [key, breaker] of registry) {
    expectTypeOf(key).toBeString();
    expectTypeOf(breaker).toEqualTypeOf<CircuitBreaker>();
  }
  // @ts-expect-error: it may be undefined.
  void registry.get('inventory').execute(() => 1);
  // @ts-expect-error: options are set once, by a name.
  registry.get('inventory', { failureRateThreshold: 40 });
});

test('options that are constants are options', () => {
  const options = {
    breaker: { failureRateThreshold: 40 },
    configs: { slow: { slowCallDurationThreshold: 1000 }, slower: { base: 'slow' } },
    maxBreakers: 10,
    idleTimeout: 1000,
  } as const;
  new BreakerRegistry(options);
  expectTypeOf(options).toExtend<BreakerRegistryOptions>();
  const slow: NamedConfiguration = { base: 'default', slowCallDurationThreshold: 1000 };
  new BreakerRegistry({ configs: { slow }, clock: new ManualClock() });
});

test('a misspelt option, or one in the wrong place, is an error', () => {
  // @ts-expect-error: the option is called maxBreakers.
  new BreakerRegistry({ maxSize: 10 });
  // @ts-expect-error: a breaker's options stand under breaker.
  new BreakerRegistry({ failureRateThreshold: 40 });
  // @ts-expect-error: all share one clock, which stands beside them.
  new BreakerRegistry({ breaker: { clock: new ManualClock() } });
  // @ts-expect-error: the option is called base.
  new BreakerRegistry({ configs: { slow: { extends: 'default' } } });
});

test('a snapshot is data to read', () => {
  const snapshot = new BreakerRegistry().snapshot();
  expectTypeOf(snapshot).toEqualTypeOf<BreakerRegistrySnapshot>();
  expectTypeOf(snapshot.evictions).toBeNumber();
  expectTypeOf(snapshot.breakers[0]!.key).toBeString();
  expectTypeOf(snapshot.breakers[0]!.failureRate).toBeNumber();
  expectTypeOf(snapshot.breakers[0]!.lastFailure).toEqualTypeOf<LastFailure | undefined>();
  // @ts-expect-error: a snapshot is for reading.
  snapshot.breakers.length = 0;
});
