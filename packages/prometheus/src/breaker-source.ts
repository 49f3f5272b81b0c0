import type { BreakerSnapshot, HttpCircuitBreaker } from '@recloser/core';
import { CallStatistics, type BreakerSeries, type StatisticsObserver } from '@recloser/telemetry';
import { callTimers, kindOf, type CallTimers } from './call-timers.ts';
import type { BreakerReading, WholeReading } from './metric-definition.ts';
import type { ResolvedOptions } from './options.ts';
import type { Labels } from './scraped-metric.ts';

/** Counts what one `HttpCircuitBreaker` does, and is read at each scrape. */
export class BreakerSource {
  readonly breaker: HttpCircuitBreaker;
  readonly group: string | undefined;
  readonly #options: ResolvedOptions;
  readonly #statistics: CallStatistics;
  readonly #timers = new WeakMap<BreakerSeries, CallTimers>();
  readonly #ownLabels: Labels;
  /** Of the breakers of the latest scrape: prom-client writes an object of labels out but once. */
  #labels: ReadonlyMap<string, Labels> = new Map();
  readonly #noCalls: CallTimers = callTimers([]);

  constructor(breaker: HttpCircuitBreaker, options: ResolvedOptions) {
    this.breaker = breaker;
    this.group = options.group;
    this.#options = options;
    this.#ownLabels = options.group === undefined ? {} : { group: options.group };
    this.#statistics = new CallStatistics(breaker, {
      durationBounds: options.durationBuckets?.map(milliseconds),
      recoveryBounds: options.recoveryBuckets?.map(milliseconds),
      ...(options.names === 'resilience4j' && { observer: this.#timing() }),
    });
  }

  read(): WholeReading {
    const snapshot = this.breaker.snapshot();
    const labelsOf = new Map<string, Labels>();
    const breakers: BreakerReading[] = [];
    for (const metrics of snapshot.breakers) {
      if (!this.#tellsOf(metrics)) continue;
      const { key } = metrics;
      const series = this.#statistics.seriesOf(key);
      const timers = (series && this.#timers.get(series)) ?? this.#noCalls;
      const labels = this.#labels.get(key) ?? this.#labelsOf(metrics);
      labelsOf.set(key, labels);
      breakers.push({ labels, metrics, series, timers });
    }
    this.#labels = labelsOf;
    return { labels: this.#ownLabels, snapshot, breakers };
  }

  stop(): void {
    this.#statistics.stop();
  }

  #tellsOf({ level }: BreakerSnapshot): boolean {
    const wanted = this.#options.level;
    return wanted === undefined || level === undefined || level === wanted;
  }

  #labelsOf({ key, name, level }: BreakerSnapshot): Labels {
    // Breakers may share a name, so that the key tells them apart.
    if (this.#options.names === 'resilience4j') {
      return { name, ...(name !== key && { key }), ...this.#ownLabels };
    }
    return {
      key,
      ...(name !== key && { name }),
      ...(level !== undefined && { level }),
      ...this.#ownLabels,
    };
  }

  #timing(): StatisticsObserver {
    return {
      ended: (series, { outcome }, ms) => {
        let timers = this.#timers.get(series);
        if (timers === undefined) {
          timers = callTimers(series.durations.success.bounds);
          this.#timers.set(series, timers);
        }
        timers[kindOf[outcome]].observe(ms);
      },
    };
  }
}

function milliseconds(seconds: number): number {
  return seconds * 1000;
}
