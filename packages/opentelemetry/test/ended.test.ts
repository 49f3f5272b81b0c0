import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { describe, expect, test, vi } from 'vitest';
import { instrument } from '../src/index.ts';
import { Collected, startMetrics } from './metrics.ts';
import { ENDPOINT, startOutage } from './outage.ts';

const endpoint = { key: ENDPOINT };

describe('once it is ended', () => {
  test('nothing is observed or recorded, and ending it again does nothing', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    const stop = instrument(breaker, { meterProvider: metrics.provider });
    call(200);
    await metrics.collect();
    stop();
    stop();
    call(200);
    call(200, 0, 'https://other.example.com');

    const collected = await metrics.collect();

    expect(collected.value('calls', endpoint)).toBe(1);
    expect(collected.value('breakers')).toBe(0);
    expect(collected.value('call.duration')).toMatchObject({ count: 1 });
  });

  test('no breaker of it is open for ever, and what it counted stays', async () => {
    await using metrics = startMetrics();
    const { breaker, clock, call } = startOutage();
    const stop = instrument(breaker, { meterProvider: metrics.provider });
    call(503);
    call(503);
    breaker.control('nobody').forceOpen({ reason: 'a test' });
    clock.advance(1000);
    expect((await metrics.collect()).value('outage', endpoint)).toBe(1);
    const meter = metrics.provider.getMeter('@recloser/opentelemetry');
    const removed = vi.spyOn(meter, 'removeBatchObservableCallback');
    stop();

    for (const collected of [await metrics.collect(), await metrics.collect()]) {
      expect(collected.value('outage', endpoint)).toBe(0);
      expect(collected.value('state', { ...endpoint, state: 'open' })).toBe(0);
      expect(collected.value('operator_orders')).toBe(0);
      expect(collected.value('openings', endpoint)).toBe(1);
    }
    expect(removed).toHaveBeenCalledOnce();
  });

  test('others that are collected after it, and its breaker that is reported again, are as they are', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    const other = startOutage();
    const meterProvider = metrics.provider;
    const stop = instrument(breaker, { meterProvider });
    instrument(other.breaker, { meterProvider, attributes: { client: 'other' } });
    call(503);
    call(503);
    await metrics.collect();
    stop();
    instrument(breaker, { meterProvider });
    other.call(200);

    const collected = await metrics.collect();

    expect(collected.samples('breakers').map(([, value]) => value)).toEqual([2, 2]);
    const opened = collected.samples('state', { ...endpoint, state: 'open' });
    expect(opened.map(([{ client }, value]) => [client, value])).toEqual([
      [undefined, 1],
      ['other', 0],
    ]);
  });

  test('a breaker that is reported again is reported once', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage();
    const meterProvider = metrics.provider;
    instrument(breaker, { meterProvider })();
    const stop = instrument(breaker, { meterProvider });
    call(200);
    stop();
    instrument(breaker, { meterProvider });
    stop();
    call(200);

    expect((await metrics.collect()).value('calls', endpoint)).toBe(1);
    expect(() => instrument(breaker, { meterProvider })).toThrow('already');
  });
});

test('what was counted last is exported as the provider shuts down', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 31 - 1 });
  const exported = vi.spyOn(exporter, 'export');
  const provider = new MeterProvider({ readers: [reader] });
  const { breaker, call } = startOutage();
  instrument(breaker, { meterProvider: provider });
  call(200);

  await provider.shutdown();

  const [[last] = []] = exported.mock.calls;
  const found = last?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  expect(new Collected(found).value('calls', endpoint)).toBe(1);
});
