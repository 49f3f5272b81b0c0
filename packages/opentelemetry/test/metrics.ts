import type { Attributes } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type MetricData,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics';

/** What one collection exported. */
export class Collected {
  readonly metrics: readonly MetricData[];

  constructor(metrics: readonly MetricData[]) {
    this.metrics = metrics;
  }

  /** What was exported of one metric, with the time that it is of. */
  points(name: string): MetricData['dataPoints'] {
    return this.metrics.find(({ descriptor }) => descriptor.name === full(name))?.dataPoints ?? [];
  }

  /** The samples of one metric whose attributes have these among them: attributes, and the value. */
  samples(name: string, among: Attributes = {}): readonly (readonly [Attributes, unknown])[] {
    return this.points(name)
      .filter(({ attributes }) =>
        Object.entries(among).every(([part, value]) => attributes[full(part)] === value),
      )
      .map(({ attributes, value }) => [attributes, value] as const);
  }

  /** The value of the one sample of a metric with these attributes; undefined where there is none. */
  value(name: string, among: Attributes = {}): unknown {
    const [first, ...others] = this.samples(name, among);
    if (others.length > 0) throw new Error(`${name} has ${others.length + 1} such samples`);
    return first?.[1];
  }

  /** Values by one attribute. */
  by(part: string, name: string, among: Attributes = {}): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      this.samples(name, among).map(([attributes, value]) => [attributes[full(part)], value]),
    );
  }
}

export interface Metrics extends AsyncDisposable {
  readonly provider: MeterProvider;
  collect(): Promise<Collected>;
}

/** The SDK with an exporter in memory, for `await using`. It collects when it is told to. */
export function startMetrics(
  temporality: AggregationTemporality = AggregationTemporality.CUMULATIVE,
  views: ViewOptions[] = [],
): Metrics {
  const exporter = new InMemoryMetricExporter(temporality);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 31 - 1 });
  const provider = new MeterProvider({ readers: [reader], views });
  return {
    provider,
    async collect() {
      exporter.reset();
      await reader.forceFlush();
      const scopes = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
      return new Collected(scopes.flatMap(({ metrics }) => metrics));
    },
    [Symbol.asyncDispose]: () => provider.shutdown(),
  };
}

/** What a table of instruments calls its kind. */
export function kindOf(metric: MetricData): string {
  if (metric.dataPointType === DataPointType.GAUGE) return 'gauge';
  if (metric.dataPointType === DataPointType.SUM)
    return metric.isMonotonic ? 'counter' : 'up-down counter';
  return 'histogram';
}

function full(name: string): string {
  return `circuit_breaker.${name}`;
}
