import { HttpCircuitBreaker } from '@recloser/core';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { collectMetrics, type CollectMetricsOptions } from '../src/index.ts';
import { makeBreaker } from './watched.ts';

describe('what can not be is an error at once', () => {
  test.each<readonly [unknown, string]>([
    [{}, 'an object'],
    [undefined, 'undefined'],
  ])('a breaker that is %s', (breaker, found) => {
    expect(() => collectMetrics(breaker as HttpCircuitBreaker)).toThrow(
      new TypeError(
        `collectMetrics: breaker must be an HttpCircuitBreaker, but is ${found}: make one, and hand it to the adapter of your client, too`,
      ),
    );
  });

  test.each<readonly [unknown, Error]>([
    ['all', new TypeError("options must be an object, but is 'all'")],
    [{ naems: 'recloser' }, new TypeError("options: 'naems' is not known; did you mean 'names'?")],
    [
      { interval: 5 },
      new TypeError(
        "options: 'interval' is not known; known are register, names, group, level, durationBuckets, recoveryBuckets",
      ),
    ],
    [
      { register: {} },
      new TypeError('register must be a Registry of prom-client, but is an object'),
    ],
    [{ register: null }, new TypeError('register must be a Registry of prom-client, but is null')],
    [
      { names: 'micrometer' },
      new TypeError("names must be one of 'recloser', 'resilience4j', but is 'micrometer'"),
    ],
    [
      { names: 'Resilience4J' },
      new TypeError(
        "names must be one of 'recloser', 'resilience4j', but is 'Resilience4J'; did you mean 'resilience4j'?",
      ),
    ],
    [{ group: '' }, new TypeError("group must be a string that is not empty, but is ''")],
    [{ level: 'both' }, new TypeError("level must be one of 'host', 'endpoint', but is 'both'")],
    [
      { durationBuckets: [] },
      new TypeError(
        'durationBuckets must be a list of numbers that is not empty, but is an empty list',
      ),
    ],
    [{ durationBuckets: ['1'] }, new TypeError("durationBuckets must hold numbers, but holds '1'")],
    [
      { recoveryBuckets: [5, 5] },
      new RangeError(
        'recoveryBuckets must hold finite numbers above 0 that ascend, but has 5 after 5',
      ),
    ],
  ])('options that are %j', (options, error) => {
    const { breaker } = makeBreaker();
    const expected = Object.assign(error, { message: `collectMetrics: ${error.message}` });

    expect(() => collectMetrics(breaker, options as CollectMetricsOptions)).toThrow(expected);
  });

  test('a register in place of the options', () => {
    const { breaker } = makeBreaker();

    expect(() => collectMetrics(breaker, new Registry() as CollectMetricsOptions)).toThrow(
      new TypeError('collectMetrics: options must be a plain object, but is a Registry'),
    );
  });
});
