import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { collectMetrics } from '../src/index.ts';
import { scrape, valueOf } from './scrape.ts';
import { ask, makeBreaker } from './watched.ts';

describe('several breakers on one register', () => {
  test('are told apart by their groups, of which one may be none', async () => {
    const [one, two] = [makeBreaker().breaker, makeBreaker().breaker];
    const register = new Registry();
    collectMetrics(one, { register });
    collectMetrics(two, { register, group: 'payments' });
    ask(one, 200);
    ask(two, 200);
    ask(two, 200);

    const total = 'circuit_breaker_calls_total';
    expect(await scrape(register, total)).toHaveLength(2);
    expect(await valueOf(register, total, 'group="payments"')).toBe(2);
  });

  test.each([
    [undefined, 'without a group'],
    ['payments', "in the group 'payments'"],
  ])('of the group %s are an error', (group, which) => {
    const register = new Registry();
    collectMetrics(makeBreaker().breaker, { register, group });

    expect(() => collectMetrics(makeBreaker().breaker, { register, group })).toThrow(
      `collectMetrics: the register has the metrics of another breaker ${which}: give each breaker a group of its own`,
    );
  });

  test('of which two are the same one are an error', () => {
    const { breaker } = makeBreaker();
    const register = new Registry();
    collectMetrics(breaker, { register });

    expect(() => collectMetrics(breaker, { register, group: 'again' })).toThrow(
      'collectMetrics: the register has the metrics of this breaker already, under the names of recloser',
    );
  });
});

test('one breaker may be on two registers, and under both names on one', async () => {
  const { breaker } = makeBreaker();
  const [one, two] = [new Registry(), new Registry()];
  collectMetrics(breaker, { register: one });
  collectMetrics(breaker, { register: one, names: 'resilience4j' });
  collectMetrics(breaker, { register: two });
  ask(breaker, 200);

  expect(await valueOf(one, 'circuit_breaker_calls_total')).toBe(1);
  expect(await valueOf(one, 'resilience4j_circuitbreaker_calls_seconds_count', 'successful')).toBe(
    1,
  );
  expect(await valueOf(two, 'circuit_breaker_calls_total')).toBe(1);
});
