import { HttpCircuitBreaker } from '@recloser/core';
import {
  AggregatorRegistry,
  openMetricsContentType,
  Registry,
  type OpenMetricsContentType,
} from 'prom-client';
import { expect, test } from 'vitest';
import { collectMetrics } from '../src/index.ts';
import { scrape, valueOf } from './scrape.ts';
import { ask, goThroughAnOutage, KEY, makeBreaker } from './watched.ts';

test('a register for OpenMetrics gives counters their one _total, and lets go of them', async () => {
  const watched = makeBreaker();
  const register = new Registry<OpenMetricsContentType>();
  register.setContentType(openMetricsContentType);
  const stop = collectMetrics(watched.breaker, { register });
  goThroughAnOutage(watched);

  const text = await register.metrics();
  expect(text).toContain(
    '# TYPE circuit_breaker_openings counter\ncircuit_breaker_openings_total{',
  );
  expect(text).not.toContain('_total_total');
  stop();
  expect(register.getMetricsAsArray()).toEqual([]);
});

test('default labels of a register are on every series', async () => {
  const { breaker } = makeBreaker();
  const register = new Registry();
  register.setDefaultLabels({ app: 'shop' });
  collectMetrics(breaker, { register });
  ask(breaker, 200);

  const lines = await scrape(register);
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => !line.includes('app="shop"'))).toEqual([]);
});

test('resetMetrics changes nothing: the counts are of the breaker', async () => {
  const watched = makeBreaker();
  const register = new Registry();
  collectMetrics(watched.breaker, { register });
  goThroughAnOutage(watched);
  const before = await scrape(register);
  register.resetMetrics();

  expect(await scrape(register)).toEqual(before);
});

test('workers of a cluster are put together', async () => {
  const workers = [makeBreaker(), makeBreaker()];
  const told = await Promise.all(
    workers.map(async (watched, index) => {
      const register = new Registry();
      collectMetrics(watched.breaker, { register });
      goThroughAnOutage(watched);
      watched.clock.advance(1000 + index * 1000);
      ask(watched.breaker, 200, 'https://api.example.com/stock');
      return await register.getMetricsAsJSON();
    }),
  );
  const cluster = AggregatorRegistry.aggregate(told);

  const ofOne = async (name: string, label = ''): Promise<number | undefined> =>
    await valueOf(cluster, name, `key="${KEY}",level="endpoint"${label}`);
  expect(await ofOne('circuit_breaker_state', ',state="closed"')).toBe(2);
  expect(await ofOne('circuit_breaker_time_in_state_seconds')).toBe(2);
  expect(await ofOne('circuit_breaker_recovery_duration_seconds_count')).toBe(2);
  const bucket = ',le="10",outcome="failure"';
  expect(await ofOne('circuit_breaker_call_duration_seconds_bucket', bucket)).toBe(4);
});

test('a scrape reads the breakers once for all metrics', async () => {
  let reads = 0;
  class Counting extends HttpCircuitBreaker {
    override snapshot(): ReturnType<HttpCircuitBreaker['snapshot']> {
      reads++;
      return super.snapshot();
    }
  }
  const register = new Registry();
  collectMetrics(new Counting(), { register });

  await register.metrics();
  expect(reads).toBe(1);
  await register.metrics();
  expect(reads).toBe(2);
});
