import { histogramSamples } from './histogram-samples.ts';
import { NO_LABELS, ofBreakers, one, type MetricDefinition } from './metric-definition.ts';
import { stateMetric } from './state-metric.ts';

const RECOVERY = 'circuit_breaker_recovery_duration_seconds';

/** What is told of the state of each breaker, and of its outages. */
export const stateMetrics: readonly MetricDefinition[] = [
  stateMetric('circuit_breaker_state', (state) => state),
  ofBreakers(
    {
      name: 'circuit_breaker_time_in_state_seconds',
      type: 'gauge',
      help: 'How long it has been in its state.',
      aggregator: 'max',
    },
    ({ metrics }) => one(metrics.timeInState / 1000),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_outage_seconds',
      type: 'gauge',
      help: 'How long ago it opened, if it has not closed since: trial calls that fail included. Else 0.',
      aggregator: 'max',
    },
    ({ metrics }) => one((metrics.outageMs ?? 0) / 1000),
  ),
  ofBreakers(
    {
      name: RECOVERY,
      type: 'histogram',
      help: 'How long outages took that are over: from open to closed. Nothing before the first opening.',
    },
    // With zeros from when it opens, so that the first recovery is an increase.
    ({ series, metrics }) =>
      series === undefined || metrics.totalOpenings === 0
        ? []
        : histogramSamples(RECOVERY, series.recoveries, NO_LABELS),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_transitions_total',
      type: 'counter',
      help: 'Moves from one state to another, by the reason.',
    },
    ({ series }) =>
      (series?.transitions ?? []).map(({ count: value, from, to, reason }) => ({
        value,
        labels: { from, to, reason },
      })),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_openings_total',
      type: 'counter',
      help: 'Moves to open since the breaker was made.',
    },
    ({ metrics }) => one(metrics.totalOpenings),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_ever_opened',
      type: 'gauge',
      help: '1 once it was open, else 0.',
      aggregator: 'max',
    },
    ({ metrics }) => one(Number(metrics.totalOpenings > 0)),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_ever_evaluated',
      type: 'gauge',
      help: '1 once its window reached the minimum number of calls, else 0: it has judged nothing yet.',
      aggregator: 'max',
    },
    ({ metrics }) => one(Number(metrics.everEvaluated)),
  ),
];
