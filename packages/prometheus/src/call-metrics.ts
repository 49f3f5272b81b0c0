import type { Histogram } from '@recloser/telemetry';
import { histogramSamples } from './histogram-samples.ts';
import { ofBreakers, one, type MetricDefinition, type OwnSample } from './metric-definition.ts';
import type { Labels } from './scraped-metric.ts';

const SUCCESS: Labels = { outcome: 'success' };
const FAILURE: Labels = { outcome: 'failure' };
const OPEN: Labels = { reason: 'open' };
const DURATION = 'circuit_breaker_call_duration_seconds';

/** What is told of the calls of each breaker. */
export const callMetrics: readonly MetricDefinition[] = [
  ofBreakers(
    {
      name: 'circuit_breaker_calls_total',
      type: 'counter',
      help: 'Calls that ended, by what they counted as. An amended one was a success before.',
    },
    ({ series }) =>
      (series?.calls ?? []).map(({ count: value, outcome, kind, rule, domain }) => ({
        value,
        labels: {
          outcome,
          ...(kind !== undefined && { kind }),
          ...(rule !== undefined && { rule }),
          ...(domain !== undefined && { domain }),
        },
      })),
  ),
  ofBreakers(
    {
      name: DURATION,
      type: 'histogram',
      help: 'How long calls took that counted as a success or a failure.',
    },
    ({ series }) => [
      ...durationSamples(series?.durations.success, SUCCESS),
      ...durationSamples(series?.durations.failure, FAILURE),
    ],
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_refused_calls_total',
      type: 'counter',
      help: 'Calls that were refused, by the reason: they were not made.',
    },
    ({ series }) => {
      // With zero before the first, so that it is an increase. Other reasons are rare.
      const samples: OwnSample[] = [{ value: series?.refused.get('open') ?? 0, labels: OPEN }];
      for (const [reason, value] of series?.refused ?? []) {
        if (reason !== 'open') samples.push({ value, labels: { reason } });
      }
      return samples;
    },
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_failure_ratio',
      type: 'gauge',
      help: 'The share of failures in the window, 0 to 1. Nothing below the minimum number of calls.',
      aggregator: 'average',
    },
    ({ metrics }) => one(ratioOf(metrics.failureRate)),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_slow_call_ratio',
      type: 'gauge',
      help: 'The share of slow calls in the window, 0 to 1. Nothing below the minimum number of calls.',
      aggregator: 'average',
    },
    ({ metrics }) => one(ratioOf(metrics.slowCallRate)),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_buffered_calls',
      type: 'gauge',
      help: 'Calls in the window, by what they counted as.',
    },
    ({ metrics }) => [
      { value: metrics.numberOfSuccessfulCalls, labels: SUCCESS },
      { value: metrics.numberOfFailedCalls, labels: FAILURE },
    ],
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_calls_in_flight',
      type: 'gauge',
      help: 'Calls that are out now.',
    },
    ({ metrics }) => one(metrics.callsInFlight),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_late_outcomes_total',
      type: 'counter',
      help: 'Calls that ended after their period or their lease was over: they count nowhere.',
    },
    ({ metrics }) => one(metrics.lateOutcomes),
  ),
  ofBreakers(
    {
      name: 'circuit_breaker_stalled_calls_total',
      type: 'counter',
      help: 'Calls that were counted as slow while they were still out.',
    },
    ({ metrics }) => one(metrics.stalledCalls),
  ),
];

/** None before the first: most breakers fail never, and buckets are most of what a scrape costs. */
function durationSamples(histogram: Histogram | undefined, labels: Labels): readonly OwnSample[] {
  if (histogram === undefined || histogram.count === 0) return [];
  return histogramSamples(DURATION, histogram, labels);
}

/** Of percent; undefined where nothing is known. */
function ratioOf(percent: number): number | undefined {
  return percent < 0 ? undefined : percent / 100;
}
