import { CircuitBreaker, HttpCircuitBreaker } from '@recloser/core';
import { Registry, type OpenMetricsContentType } from 'prom-client';
import { expectTypeOf, test } from 'vitest';
import { collectMetrics, type CollectMetricsOptions, type MetricNames } from '../src/index.ts';

const breaker = new HttpCircuitBreaker();

test('it gives the function that ends it', () => {
  expectTypeOf(collectMetrics(breaker)).toEqualTypeOf<() => void>();
  expectTypeOf(collectMetrics(breaker, {})).toEqualTypeOf<() => void>();
  // @ts-expect-error: a breaker of any call has no keys.
  collectMetrics(new CircuitBreaker('prices'));
  // @ts-expect-error: the options come second.
  collectMetrics({ register: new Registry() }, breaker);
});

test('registers of both kinds are registers', () => {
  collectMetrics(breaker, { register: new Registry() });
  collectMetrics(breaker, { register: new Registry<OpenMetricsContentType>() });
  // @ts-expect-error: no register.
  collectMetrics(breaker, { register: new Map() });
});

test('options that are constants are options', () => {
  const options = {
    names: 'resilience4j',
    group: 'payments',
    level: 'host',
    durationBuckets: [0.1, 1],
    recoveryBuckets: [60],
  } as const satisfies CollectMetricsOptions;
  collectMetrics(breaker, options);
  collectMetrics(breaker, { names: undefined, group: undefined, level: undefined });
  // @ts-expect-error: the option is called names.
  collectMetrics(breaker, { name: 'resilience4j' });
  // @ts-expect-error: both is what it does without.
  collectMetrics(breaker, { level: 'both' });
});

test('there are two sets of names', () => {
  expectTypeOf<MetricNames>().toEqualTypeOf<'recloser' | 'resilience4j'>();
  expectTypeOf<CollectMetricsOptions['names']>().toEqualTypeOf<MetricNames | undefined>();
});
