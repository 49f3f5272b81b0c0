import type { Attributes, BatchObservableResult, Observable } from '@opentelemetry/api';
import type { BreakerSnapshot, CircuitBreakerState } from '@recloser/core';
import { circuitBreakerStates } from '@recloser/core/adapter';
import type { BreakerSeries, CallCount, TransitionCount } from '@recloser/telemetry';
import { attributesOf, type BreakerIdentity } from './attributes-of.ts';
import type { ObservedInstruments } from './observed-instruments.ts';

/** One breaker, as collections see it. Its attributes are made once. */
export class ObservedBreaker {
  readonly #instruments: ObservedInstruments;
  readonly #own: Attributes;
  readonly #states: readonly (readonly [CircuitBreakerState, Attributes])[];
  readonly #succeeded: Attributes;
  readonly #failed: Attributes;
  readonly #refused = new Map<string, Attributes>();
  // By what was counted, which is another once a breaker of this key is made anew.
  readonly #counted = new WeakMap<CallCount | TransitionCount, Attributes>();
  readonly #judged = new Set<Observable>();

  constructor(
    identity: BreakerIdentity,
    instruments: ObservedInstruments,
    shared: Readonly<Attributes>,
  ) {
    this.#instruments = instruments;
    this.#own = attributesOf(identity, shared);
    this.#states = circuitBreakerStates.map((state) => [state, this.#with({ state })]);
    this.#succeeded = this.#with({ outcome: 'success' });
    this.#failed = this.#with({ outcome: 'failure' });
  }

  /** @param series  what was counted of it, if anything was */
  observe(
    result: BatchObservableResult,
    now: BreakerSnapshot,
    series: BreakerSeries | undefined,
  ): void {
    const instruments = this.#instruments;
    const own = this.#own;
    for (const [state, attributes] of this.#states) {
      result.observe(instruments.state, state === now.state ? 1 : 0, attributes);
    }
    this.#observeBuffered(result, now.numberOfSuccessfulCalls, now.numberOfFailedCalls);
    this.#observeRatio(result, instruments.failureRatio, now.failureRate);
    this.#observeRatio(result, instruments.slowCallRatio, now.slowCallRate);
    result.observe(instruments.callsInFlight, now.callsInFlight, own);
    result.observe(instruments.timeInState, now.timeInState / 1000, own);
    result.observe(instruments.outage, (now.outageMs ?? 0) / 1000, own);
    result.observe(instruments.openings, now.totalOpenings, own);
    result.observe(instruments.everOpened, now.totalOpenings > 0 ? 1 : 0, own);
    result.observe(instruments.everEvaluated, now.everEvaluated ? 1 : 0, own);
    result.observe(instruments.lateOutcomes, now.lateOutcomes, own);
    result.observe(instruments.stalledCalls, now.stalledCalls, own);
    if (series !== undefined) this.#observeCounted(result, series);
  }

  /**
   * Of a breaker that is gone, once. The SDK for JavaScript goes on exporting what it last heard of a
   * series that is no longer observed, where temporality is cumulative: an evicted breaker would be
   * open for ever. What only grows may stay as it is.
   */
  observeEnd(result: BatchObservableResult): void {
    const instruments = this.#instruments;
    for (const [, attributes] of this.#states) result.observe(instruments.state, 0, attributes);
    this.#observeBuffered(result, 0, 0);
    const { callsInFlight, timeInState, outage, everOpened, everEvaluated } = instruments;
    const others = [callsInFlight, timeInState, outage, everOpened, everEvaluated];
    for (const instrument of [...others, ...this.#judged]) result.observe(instrument, 0, this.#own);
  }

  #observeBuffered(result: BatchObservableResult, succeeded: number, failed: number): void {
    const { bufferedCalls } = this.#instruments;
    result.observe(bufferedCalls, succeeded, this.#succeeded);
    result.observe(bufferedCalls, failed, this.#failed);
  }

  /** @param percent  -1 where there is none */
  #observeRatio(result: BatchObservableResult, ratio: Observable, percent: number): void {
    if (percent < 0) return;
    this.#judged.add(ratio);
    result.observe(ratio, percent / 100, this.#own);
  }

  #observeCounted(result: BatchObservableResult, series: BreakerSeries): void {
    const { calls, refusedCalls, transitions } = this.#instruments;
    for (const call of series.calls) {
      const { outcome, kind, rule, domain } = call;
      const attributes = this.#of(call, { outcome, kind, rule, domain });
      result.observe(calls, call.count, attributes);
    }
    for (const move of series.transitions) {
      const { from, to, reason } = move;
      result.observe(transitions, move.count, this.#of(move, { from, to, reason }));
    }
    for (const [reason, count] of series.refused) {
      let attributes = this.#refused.get(reason);
      if (attributes === undefined)
        this.#refused.set(reason, (attributes = this.#with({ reason })));
      result.observe(refusedCalls, count, attributes);
    }
  }

  #of(counted: CallCount | TransitionCount, parts: Attributes): Attributes {
    const known = this.#counted.get(counted);
    if (known !== undefined) return known;
    const made = this.#with(parts);
    this.#counted.set(counted, made);
    return made;
  }

  /** Its own, and what else there is of these. */
  #with(parts: Attributes): Attributes {
    const attributes = { ...this.#own };
    for (const [name, value] of Object.entries(parts)) {
      if (value !== undefined) attributes[`circuit_breaker.${name}`] = value;
    }
    return attributes;
  }
}
