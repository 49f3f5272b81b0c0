export { collectMetrics } from './collect-metrics.ts';
export type { CollectMetricsOptions, MetricNames } from './options.ts';
