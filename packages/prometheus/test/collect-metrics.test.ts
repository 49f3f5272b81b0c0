import { HttpCircuitBreaker } from '@recloser/core';
import { Registry, register as globalRegister } from 'prom-client';
import { expect, test } from 'vitest';
import { collectMetrics } from '../src/index.ts';
import { scrape, valueOf } from './scrape.ts';
import { setUp } from './set-up.ts';
import { ask, goThroughAnOutage, KEY, makeBreaker } from './watched.ts';

test('the metrics are on the global register where no other is given', async () => {
  const stop = collectMetrics(makeBreaker().breaker);

  expect(await scrape(globalRegister, 'circuit_breaker_breakers')).toEqual([
    'circuit_breaker_breakers 0',
  ]);
  stop();
});

test('the series of a breaker end with it, and another of its key begins anew', async () => {
  const { breaker, register } = setUp({ maxBreakers: 1 });
  ask(breaker, 200, 'https://api.example.com/one');
  ask(breaker, 200, 'https://api.example.com/one');
  ask(breaker, 200, 'https://api.example.com/two');
  expect((await scrape(register)).filter((line) => line.includes('/one'))).toEqual([]);

  ask(breaker, 200, 'https://api.example.com/one');
  expect(await valueOf(register, 'circuit_breaker_calls_total')).toBe(1);
});

test('a name is a label where there is one, beside the key', async () => {
  const { clock, breaker } = makeBreaker({ overrides: [{ path: '/price', name: 'pricing' }] });
  const register = new Registry();
  collectMetrics(breaker, { register });
  ask(breaker, 200);
  breaker.admit({ method: 'PUT', url: 'https://api.example.com/price' }).responded(200);
  ask(breaker, 200, 'https://api.example.com/stock');
  clock.advance(1000);

  expect(await scrape(register, 'circuit_breaker_time_in_state_seconds')).toEqual([
    `circuit_breaker_time_in_state_seconds{key="${KEY}",name="pricing",level="endpoint"} 1`,
    'circuit_breaker_time_in_state_seconds{key="PUT https://api.example.com/price",name="pricing",level="endpoint"} 1',
    'circuit_breaker_time_in_state_seconds{key="GET https://api.example.com/stock",level="endpoint"} 1',
  ]);
});

test('one level alone may be told of', async () => {
  const { breaker } = makeBreaker({ level: 'both' });
  const register = new Registry();
  collectMetrics(breaker, { register, level: 'host' });
  ask(breaker, 200);

  expect(await scrape(register, 'circuit_breaker_calls_total')).toEqual([
    'circuit_breaker_calls_total{outcome="success",rule="the dependency answered",key="https://api.example.com",level="host"} 1',
  ]);
});

test('breakers of keys of your own are of no level, and told of in any case', async () => {
  const breaker = new HttpCircuitBreaker({ key: () => 'payments' });
  const register = new Registry();
  collectMetrics(breaker, { register, level: 'host' });
  ask(breaker, 200);

  expect(await scrape(register, 'circuit_breaker_openings_total')).toEqual([
    'circuit_breaker_openings_total{key="payments"} 0',
  ]);
});

test('buckets of your own are told as they were given', async () => {
  const { clock, breaker } = makeBreaker();
  const register = new Registry();
  const options = { register, durationBuckets: [0.0021, 3], recoveryBuckets: [10.001] };
  collectMetrics(breaker, options);
  goThroughAnOutage({ breaker, clock });

  const bounds = (await scrape(register)).flatMap(
    (line) => /[{,]le="([^"]+)"/.exec(line)?.[1] ?? [],
  );
  expect(bounds).toEqual(['0.0021', '3', '+Inf', '0.0021', '3', '+Inf', '10.001', '+Inf']);
  expect(
    await valueOf(register, 'circuit_breaker_recovery_duration_seconds_bucket', 'le="10.001"'),
  ).toBe(1);
});
