import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { describe, expect, test } from 'vitest';
import { instrument } from '../src/index.ts';
import { gone, GONE, startEviction } from './eviction.ts';
import { Collected, startMetrics, type Metrics } from './metrics.ts';
import { startOutage } from './outage.ts';

const counters = [
  'calls',
  'refused_calls',
  'transitions',
  'openings',
  'late_outcomes',
  'stalled_calls',
];
const gauges = [
  'calls_in_flight',
  'buffered_calls',
  'state',
  'failure_ratio',
  'slow_call_ratio',
  'time_in_state',
  'outage',
  'ever_opened',
  'ever_evaluated',
];

describe('the series of a breaker that was evicted', () => {
  test('end, where the SDK exports what it heard since the last collection', async () => {
    await using metrics = startMetrics(AggregationTemporality.DELTA);
    await startEviction(metrics);
    await metrics.collect();

    const collected = await metrics.collect();

    for (const name of [...counters, ...gauges])
      expect(collected.samples(name, gone), name).toEqual([]);
    expect(collected.samples('state')).toHaveLength(6);
    expect(collected.value('breakers')).toBe(0);
  });

  test('tell of no state, no outage and no call, where the SDK goes on exporting them', async () => {
    await using metrics = startMetrics();
    await startEviction(metrics);

    const first = await metrics.collect();
    for (const name of gauges) {
      const values = first.samples(name, gone).map(([, value]) => value);
      expect(new Set(values), name).toEqual(new Set([0]));
    }
    expect(first.value('openings', gone)).toBe(1);
    expect(first.value('state', { key: 'https://b.example.com', state: 'closed' })).toBe(1);

    const second = await metrics.collect();
    for (const name of gauges) {
      for (const [, value] of second.samples(name, gone)) expect(value, name).toBe(0);
    }
  });

  test('tell of no ratio, though it had none any more before it went', async () => {
    await using metrics = startMetrics();
    const { breaker, call } = startOutage({
      level: 'host',
      maxBreakers: 1,
      hostBreaker: { minimumNumberOfCalls: 2, consecutiveFailureThreshold: 9 },
    });
    instrument(breaker, { meterProvider: metrics.provider });
    call(200, 0, GONE);
    call(200, 0, GONE);
    call(503, 0, GONE);
    expect((await metrics.collect()).value('failure_ratio', gone)).toBeCloseTo(1 / 3);
    breaker.control('*').reset({ reason: 'a test' });
    await metrics.collect();
    call(200, 0, 'https://b.example.com');

    expect((await metrics.collect()).value('failure_ratio', gone)).toBe(0);
  });

  test('end for each reader, whichever collects first', async () => {
    const exporters = [0, 1].map(
      () => new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    );
    const [first, second] = exporters.map(
      (exporter) =>
        new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 31 - 1 }),
    );
    const provider = new MeterProvider({ readers: [first!, second!] });
    const metrics: Metrics = {
      provider,
      async collect() {
        await first!.forceFlush();
        return latest(exporters[0]!);
      },
      [Symbol.asyncDispose]: () => provider.shutdown(),
    };
    await using _ = metrics;
    await second!.forceFlush();
    await startEviction(metrics);
    await metrics.collect();

    await second!.forceFlush();

    expect(latest(exporters[1]!).value('state', { ...gone, state: 'open' })).toBe(0);
  });

  test('begin anew with a breaker of the same key', async () => {
    await using metrics = startMetrics();
    const { call } = await startEviction(metrics);
    await metrics.collect();
    call(503, 0, GONE);

    const collected = await metrics.collect();

    expect(collected.value('state', { ...gone, state: 'closed' })).toBe(1);
    expect(collected.value('openings', gone)).toBe(0);
    expect(collected.by('outcome', 'calls', gone)).toMatchObject({ failure: 1 });
  });
});

test('a rate that is none any more has no sample, where the SDK exports what is new', async () => {
  await using metrics = startMetrics(AggregationTemporality.DELTA);
  const { breaker, call } = startOutage({
    level: 'host',
    hostBreaker: { minimumNumberOfCalls: 2, consecutiveFailureThreshold: 5 },
  });
  instrument(breaker, { meterProvider: metrics.provider });
  call(200);
  call(503);
  expect((await metrics.collect()).value('failure_ratio')).toBe(0.5);

  breaker.control('*').reset({ reason: 'a test' });

  expect((await metrics.collect()).samples('failure_ratio')).toEqual([]);
});

function latest(exporter: InMemoryMetricExporter): Collected {
  const { scopeMetrics } = exporter.getMetrics().at(-1)!;
  return new Collected(scopeMetrics.flatMap(({ metrics }) => metrics));
}
