import { metrics } from 'opentelemetry-api-1.9';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from 'opentelemetry-sdk-metrics-2';
import { expect, test, vi } from 'vitest';
import { instrument } from '../src/index.ts';
import { startOutage } from './outage.ts';

// No stand-in: the very package, at the lowest version of the range.
vi.mock('@opentelemetry/api', async () => await import('opentelemetry-api-1.9'));

test('the lowest versions of the API and of an SDK for it serve as well', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 31 - 1 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  const { breaker, call } = startOutage();
  instrument(breaker);
  call(503, 20);
  call(503, 20);
  call(200);

  await reader.forceFlush();

  const found = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics)
    .map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints] as const);
  const dataPoints = new Map(found);
  expect(dataPoints.get('circuit_breaker.openings')).toContainEqual(
    expect.objectContaining({ value: 1 }),
  );
  expect(dataPoints.get('circuit_breaker.refused_calls')).toMatchObject([{ value: 1 }]);
  expect(dataPoints.get('circuit_breaker.call.duration')).toContainEqual(
    expect.objectContaining({ value: expect.objectContaining({ count: 2, sum: 0.04 }) }),
  );
  await provider.shutdown();
  metrics.disable();
});

test('without an SDK the lowest API has no calls counted', () => {
  const { breaker } = startOutage();
  const on = vi.spyOn(breaker, 'on');

  instrument(breaker);

  expect(on).not.toHaveBeenCalled();
});
