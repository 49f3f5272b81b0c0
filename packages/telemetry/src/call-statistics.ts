import type {
  CircuitBreakerEventType,
  HttpCircuitBreaker,
  NotPermittedEvent,
  OutcomeDetails,
  StateTransitionEvent,
} from '@recloser/core';
import { checkHttpCircuitBreaker, tallyCalls } from '@recloser/core/adapter';
import { BreakerSeries, type CallOutcome } from './breaker-series.ts';
import {
  resolveStatisticsOptions,
  type CallStatisticsOptions,
  type ResolvedStatisticsOptions,
} from './statistics-options.ts';

/**
 * Counts what the breakers of an `HttpCircuitBreaker` tell, one series for each living breaker. It
 * is read when somebody asks; between two readings a call costs a few additions.
 */
export class CallStatistics {
  readonly breaker: HttpCircuitBreaker;
  /** Of every living breaker that has told anything since. May be walked through again and again. */
  readonly series: Iterable<BreakerSeries>;
  readonly #options: ResolvedStatisticsOptions;
  readonly #series = new Map<string, BreakerSeries>();
  readonly #stops: readonly (() => void)[];

  /** @throws TypeError or RangeError that names what is wrong */
  constructor(breaker: HttpCircuitBreaker, options: CallStatisticsOptions = {}) {
    this.breaker = checkHttpCircuitBreaker('CallStatistics: breaker', breaker);
    this.series = { [Symbol.iterator]: () => this.#series.values() };
    this.#options = resolveStatisticsOptions(options);
    this.#stops = [
      tallyCalls(breaker, (key, name, type, elapsed, details) => {
        if (isOutcome(type)) this.#ended(this.#of(key, name), type, elapsed, details);
      }),
      breaker.on('notPermitted', (event) => this.#refused(event)),
      breaker.on('stateTransition', (event) => this.#moved(event)),
      // The last that a breaker tells.
      breaker.on('breakerEvicted', ({ key }) => this.#series.delete(key)),
    ];
  }

  /** Of one living breaker; undefined where it has told nothing since. */
  seriesOf(key: string): BreakerSeries | undefined {
    return this.#series.get(key);
  }

  /** Counts no more; what was counted stays. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }

  #ended(
    series: BreakerSeries,
    outcome: CallOutcome,
    elapsed: number,
    details: OutcomeDetails | undefined,
  ): void {
    const call = series.call(outcome, details?.kind, details?.rule, details?.domain);
    if (outcome === 'success') series.durations.success.observe(elapsed);
    else if (outcome === 'failure') series.durations.failure.observe(elapsed);
    this.#options.observer.ended?.(series, call, elapsed);
  }

  #refused(event: NotPermittedEvent): void {
    const series = this.#of(event.key ?? event.breaker, event.breaker);
    series.refusal(event.reason);
    this.#options.observer.refused?.(series, event);
  }

  #moved(event: StateTransitionEvent): void {
    const series = this.#of(event.key ?? event.breaker, event.breaker);
    const { recoveryMs } = event;
    const { observer } = this.#options;
    series.transition(event);
    if (recoveryMs !== undefined) series.recoveries.observe(recoveryMs);
    observer.moved?.(series, event);
    if (recoveryMs !== undefined) observer.recovered?.(series, recoveryMs);
  }

  #of(key: string, name: string): BreakerSeries {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const { durationBounds, recoveryBounds } = this.#options;
    const level = this.breaker.levelOf(key);
    const made = new BreakerSeries(key, name, level, durationBounds, recoveryBounds);
    this.#series.set(key, made);
    return made;
  }
}

const outcomes: readonly string[] = [
  'success',
  'failure',
  'ignored',
  'held',
  'amended',
] satisfies CallOutcome[];

function isOutcome(type: CircuitBreakerEventType): type is CallOutcome {
  return outcomes.includes(type);
}
