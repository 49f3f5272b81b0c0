import { AggregationTemporality } from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { instrument } from '../src/index.ts';
import { startMetrics } from './metrics.ts';
import { startOutage } from './outage.ts';

test('a view makes room for the series of many breakers, and leaves the buckets as they are', async () => {
  const views = [{ instrumentName: 'circuit_breaker.*', aggregationCardinalityLimit: 60_000 }];
  await using metrics = startMetrics(AggregationTemporality.CUMULATIVE, views);
  const { breaker, call } = startOutage({ level: 'host' });
  instrument(breaker, { meterProvider: metrics.provider });
  for (let host = 0; host < 400; host++) call(200, 20, `https://h${host}.example.com`);

  const collected = await metrics.collect();

  expect(collected.samples('state')).toHaveLength(2400);
  expect(collected.samples('state', { state: 'closed' }).every(([, value]) => value === 1)).toBe(
    true,
  );
  expect(collected.value('call.duration')).toMatchObject({
    count: 400,
    buckets: { boundaries: expect.arrayContaining([0.005, 7.5]) },
  });
});

test('histograms have no series for each breaker, which could not end', async () => {
  await using metrics = startMetrics();
  const { breaker, clock, call } = startOutage({
    overrides: [{ host: 'h7.example.com', path: '/price', name: 'pricing' }],
  });
  instrument(breaker, { meterProvider: metrics.provider });
  for (let host = 0; host < 20; host++) {
    const url = `https://h${host}.example.com/price`;
    for (const status of [200, 503, 503]) call(status, 0, url);
    clock.advance(10_001);
    call(200, 0, url);
  }

  const collected = await metrics.collect();

  const pricing = { 'circuit_breaker.name': 'pricing' };
  const durations = collected.samples('call.duration').map(([attributes]) => attributes);
  expect(durations).toHaveLength(4);
  for (const outcome of [{}, { 'circuit_breaker.outcome': 'failure' }]) {
    expect(durations).toContainEqual(outcome);
    expect(durations).toContainEqual({ ...pricing, ...outcome });
  }
  expect(collected.samples('recovery.duration').map(([attributes]) => attributes)).toEqual([
    { 'circuit_breaker.level': 'endpoint' },
    { ...pricing, 'circuit_breaker.level': 'endpoint' },
  ]);
});
