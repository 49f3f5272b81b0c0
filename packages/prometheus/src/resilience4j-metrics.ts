// Names, labels and units are those of Resilience4j 2 with Micrometer's Prometheus registry, which
// writes `.` as `_`, timers in seconds, and counters with `_total`:
// https://github.com/resilience4j/resilience4j/blob/master/resilience4j-micrometer/src/main/java/io/github/resilience4j/micrometer/tagged/AbstractCircuitBreakerMetrics.java

import type { CallKind } from './call-timers.ts';
import { histogramSamples } from './histogram-samples.ts';
import { ofBreakers, one, type MetricDefinition } from './metric-definition.ts';
import type { Labels } from './scraped-metric.ts';
import { stateMetric } from './state-metric.ts';

const CALLS = 'resilience4j_circuitbreaker_calls_seconds';

const kinds: Readonly<Record<CallKind, Labels>> = {
  successful: { kind: 'successful' },
  failed: { kind: 'failed' },
  ignored: { kind: 'ignored' },
};
const allKinds = Object.keys(kinds) as CallKind[];
const NOT_PERMITTED: Labels = { kind: 'not_permitted' };

/** All metrics by Resilience4j's names. */
export const resilience4jMetrics: readonly MetricDefinition[] = [
  ofBreakers(
    {
      name: CALLS,
      type: 'histogram',
      help: 'Calls that ended, by what they counted as, and how long they took.',
    },
    ({ timers }) =>
      allKinds.flatMap((kind) => {
        const { histogram } = timers[kind];
        const samples = histogramSamples(CALLS, histogram, kinds[kind]);
        // Resilience4j begins with zeros. Buckets are most of what a scrape costs; that of +Inf no
        // histogram may be without.
        return histogram.count === 0 ? samples.slice(-3) : samples;
      }),
  ),
  ofBreakers(
    {
      name: `${CALLS}_max`,
      type: 'gauge',
      help: 'The longest call of the last two to three minutes.',
      aggregator: 'max',
    },
    ({ timers }) =>
      allKinds.map((kind) => ({ value: timers[kind].maximum.value / 1000, labels: kinds[kind] })),
  ),
  ofBreakers(
    {
      name: 'resilience4j_circuitbreaker_not_permitted_calls_total',
      type: 'counter',
      help: 'Calls that were refused, those of the bulkhead not among them.',
    },
    ({ series }) => {
      let value = 0;
      for (const [reason, count] of series?.refused ?? []) {
        // Resilience4j's bulkhead is no part of its circuit breaker.
        if (reason !== 'concurrency') value += count;
      }
      return [{ value, labels: NOT_PERMITTED }];
    },
  ),
  stateMetric('resilience4j_circuitbreaker_state', (state) => state.replace('-', '_')),
  ofBreakers(
    {
      name: 'resilience4j_circuitbreaker_buffered_calls',
      type: 'gauge',
      help: 'Calls in the window, by what they counted as.',
    },
    ({ metrics }) => [
      { value: metrics.numberOfSuccessfulCalls, labels: kinds.successful },
      { value: metrics.numberOfFailedCalls, labels: kinds.failed },
    ],
  ),
  ofBreakers(
    {
      name: 'resilience4j_circuitbreaker_slow_calls',
      type: 'gauge',
      help: 'Slow calls in the window, by what they counted as.',
    },
    ({ metrics }) => [
      { value: metrics.numberOfSlowSuccessfulCalls, labels: kinds.successful },
      { value: metrics.numberOfSlowFailedCalls, labels: kinds.failed },
    ],
  ),
  ofBreakers(
    {
      name: 'resilience4j_circuitbreaker_failure_rate',
      type: 'gauge',
      help: 'Percent of the window that failed; -1 below the minimum number of calls.',
      aggregator: 'average',
    },
    ({ metrics }) => one(metrics.failureRate),
  ),
  ofBreakers(
    {
      name: 'resilience4j_circuitbreaker_slow_call_rate',
      type: 'gauge',
      help: 'Percent of the window that was slow; -1 below the minimum number of calls.',
      aggregator: 'average',
    },
    ({ metrics }) => one(metrics.slowCallRate),
  ),
];
