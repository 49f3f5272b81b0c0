import type { HttpCircuitBreakerSnapshot, BreakerSnapshot } from '@recloser/core';
import type { BreakerSeries } from '@recloser/telemetry';
import type { CallTimers } from './call-timers.ts';
import type { Labels, MetricDescription, Sample } from './scraped-metric.ts';

/** One breaker at the moment of a scrape. */
export interface BreakerReading {
  readonly labels: Labels;
  readonly metrics: BreakerSnapshot;
  /** Undefined where it has told nothing since it is watched. */
  readonly series: BreakerSeries | undefined;
  /** They stand still, but under Resilience4j's names. */
  readonly timers: CallTimers;
}

/** What one call of `collectMetrics` watches, at the moment of a scrape. */
export interface WholeReading {
  /** Of what is no breaker's own. */
  readonly labels: Labels;
  readonly snapshot: HttpCircuitBreakerSnapshot;
  /** Those that are told of. */
  readonly breakers: readonly BreakerReading[];
}

export interface MetricDefinition extends MetricDescription {
  read(whole: WholeReading): readonly Sample[];
}

/** A sample, but for the labels of its breaker. */
export interface OwnSample {
  readonly value: number;
  readonly labels: Labels;
  readonly metricName?: string;
}

type Description = Pick<MetricDefinition, 'name' | 'help' | 'type'> &
  Partial<Pick<MetricDefinition, 'aggregator'>>;

/** A metric of each breaker. */
export function ofBreakers(
  description: Description,
  samplesOf: (breaker: BreakerReading) => readonly OwnSample[],
): MetricDefinition {
  return {
    aggregator: 'sum',
    ...description,
    read: ({ breakers }) => {
      const samples: Sample[] = [];
      for (const breaker of breakers) {
        for (const { value, labels, metricName } of samplesOf(breaker)) {
          const sharedLabels = breaker.labels;
          samples.push(
            metricName === undefined
              ? { value, labels, sharedLabels }
              : { value, labels, sharedLabels, metricName },
          );
        }
      }
      return samples;
    },
  };
}

/** A metric of a whole `HttpCircuitBreaker`. */
export function ofTheWhole(
  description: Description,
  samplesOf: (snapshot: HttpCircuitBreakerSnapshot) => readonly OwnSample[],
): MetricDefinition {
  return {
    aggregator: 'sum',
    ...description,
    read: ({ labels, snapshot }) =>
      samplesOf(snapshot).map((sample) => ({ ...sample, sharedLabels: labels })),
  };
}

export const NO_LABELS: Labels = {};

/** The one sample of a breaker; none where there is no value. */
export function one(value: number | undefined): readonly OwnSample[] {
  return value === undefined ? [] : [{ value, labels: NO_LABELS }];
}
