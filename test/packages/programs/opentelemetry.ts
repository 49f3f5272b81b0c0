import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { instrument } from '@recloser/opentelemetry';
import type { Outage } from './until-refused.ts';
import { watchedOutage } from './watched-outage.ts';

export function outage(url: string): Promise<Outage> {
  return watchedOutage(url, (breaker) => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const meterProvider = new MeterProvider({
      readers: [new PeriodicExportingMetricReader({ exporter })],
    });
    instrument(breaker, { meterProvider });
    return async () => {
      await meterProvider.forceFlush();
      const [collected] = exporter.getMetrics() as [ResourceMetrics];
      await meterProvider.shutdown();
      const refused = collected.scopeMetrics
        .flatMap(({ metrics }) => metrics)
        .find(({ descriptor }) => descriptor.name === 'circuit_breaker.refused_calls');
      return refused?.dataPoints.map(({ attributes, value }) => [
        attributes['circuit_breaker.reason'],
        value,
      ]);
    };
  });
}
