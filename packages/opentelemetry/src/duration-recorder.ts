import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import {
  DURATION_BOUNDS,
  RECOVERY_BOUNDS,
  type BreakerSeries,
  type CallCount,
  type StatisticsObserver,
} from '@recloser/telemetry';
import { groupOf } from './attributes-of.ts';

type ByOutcome = Readonly<Record<'success' | 'failure', Attributes>>;

/**
 * Records durations as they come. They bear no key: a histogram's series can't be ended, so that
 * those of breakers which are gone would stay for ever.
 */
export class DurationRecorder implements StatisticsObserver {
  readonly #durations: Histogram | undefined;
  readonly #recoveries: Histogram;
  readonly #shared: Readonly<Attributes>;
  /** By the name that an override gives. */
  readonly #attributes = new Map<string | undefined, ByOutcome>();
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
    record(this.#durations, ms, this.#attributesOf(series)[outcome]);
  }

  recovered(series: BreakerSeries, ms: number): void {
    record(this.#recoveries, ms, groupOf(series, this.#shared));
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

  #attributesOf({ key, name }: BreakerSeries): ByOutcome {
    const given = name === key ? undefined : name;
    const known = this.#attributes.get(given);
    if (known !== undefined) return known;
    const named = groupOf({ key, name, level: undefined }, this.#shared);
    const made = {
      success: { ...named, 'circuit_breaker.outcome': 'success' },
      failure: { ...named, 'circuit_breaker.outcome': 'failure' },
    };
    this.#attributes.set(given, made);
    return made;
  }
}

function record(histogram: Histogram, ms: number, attributes: Attributes): void {
  try {
    histogram.record(ms / 1000, attributes);
  } catch {
    // A provider's failure is no matter of a call.
  }
}

function inSeconds(bounds: readonly number[]): number[] {
  return bounds.map((ms) => ms / 1000);
}
