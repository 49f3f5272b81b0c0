import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import {
  DURATION_BOUNDS,
  RECOVERY_BOUNDS,
  type BreakerSeries,
  type CallCount,
  type StatisticsObserver,
} from '@recloser/telemetry';
import { groupOf } from './attributes-of.ts';
import { DurationBatch } from './duration-batch.ts';

type ByOutcome = Readonly<Record<'success' | 'failure', DurationBatch>>;

/**
 * Records durations, those of calls in batches. They bear no key: a histogram's series can't be
 * ended, so that those of breakers which are gone would stay for ever.
 */
export class DurationRecorder implements StatisticsObserver {
  readonly #durations: Histogram | undefined;
  readonly #recoveries: Histogram;
  readonly #shared: Readonly<Attributes>;
  /** By the name that an override gives. */
  readonly #batches = new Map<string | undefined, ByOutcome>();
  /** Of the latest call that an endpoint told of, until its host tells of it. */
  #toldByEndpoint: number | undefined = undefined;

  constructor(meter: Meter, shared: Readonly<Attributes>, callDurations: boolean) {
    this.#shared = shared;
    this.#durations = callDurations
      ? meter.createHistogram('circuit_breaker.call.duration', {
          description: 'How long calls took that succeeded or failed',
          unit: 's',
          advice: { explicitBucketBoundaries: inSeconds(DURATION_BOUNDS) },
        })
      : undefined;
    this.#recoveries = meter.createHistogram('circuit_breaker.recovery.duration', {
      description: 'From when a breaker opened until it closed again',
      unit: 's',
      advice: { explicitBucketBoundaries: inSeconds(RECOVERY_BOUNDS) },
    });
  }

  ended(series: BreakerSeries, call: CallCount, ms: number): void {
    const { outcome } = call;
    if (this.#durations === undefined || (outcome !== 'success' && outcome !== 'failure')) return;
    if (this.#isToldAgain(series, call, ms)) return;
    this.#batchesOf(series, this.#durations)[outcome].add(ms);
  }

  recovered(series: BreakerSeries, ms: number): void {
    try {
      this.#recoveries.record(ms / 1000, groupOf(series, this.#shared));
    } catch {
      // A provider's failure is no matter of a call.
    }
  }

  /** At each collection, the one that tells of the end too: hands over what waits. */
  handOver(): void {
    for (const { success, failure } of this.#batches.values()) {
      success.handOver();
      failure.handOver();
    }
  }

  /**
   * Is it the host that tells of what its endpoint has told? They do so in one step, by one clock
   * that stands still in it.
   */
  #isToldAgain({ level }: BreakerSeries, { domain }: CallCount, ms: number): boolean {
    const before = this.#toldByEndpoint;
    this.#toldByEndpoint = level === 'endpoint' ? ms : undefined;
    return level === 'host' && domain !== 'host' && ms === before;
  }

  #batchesOf({ key, name }: BreakerSeries, durations: Histogram): ByOutcome {
    const given = name === key ? undefined : name;
    const known = this.#batches.get(given);
    if (known !== undefined) return known;
    const attributes = groupOf({ key, name, level: undefined }, this.#shared);
    // As with `error.type` in the semantic conventions, only what failed says so. Of attributes the SDK
    // makes a text at each record: where a success has none it costs a third.
    const failed = { ...attributes, 'circuit_breaker.outcome': 'failure' };
    const made = {
      success: new DurationBatch(durations, attributes),
      failure: new DurationBatch(durations, failed),
    };
    this.#batches.set(given, made);
    return made;
  }
}

function inSeconds(bounds: readonly number[]): number[] {
  return bounds.map((ms) => ms / 1000);
}
