import type { Attributes, BatchObservableResult } from '@opentelemetry/api';
import type { CallStatistics } from '@recloser/telemetry';
import type { ObservedInstruments } from './observed-instruments.ts';
import { ObservedBreaker } from './observed-breaker.ts';
import { ObservedOrders } from './observed-orders.ts';

/** Everything that a collection reads. Nothing is done between two. */
export class Observation {
  readonly #statistics: CallStatistics;
  readonly #instruments: ObservedInstruments;
  readonly #shared: Readonly<Attributes>;
  readonly #orders: ObservedOrders;
  #onEndTold: (() => void) | undefined = undefined;
  /** The breakers of the latest collection, by key. */
  #observed: ReadonlyMap<string, ObservedBreaker> = new Map();

  constructor(
    statistics: CallStatistics,
    instruments: ObservedInstruments,
    shared: Readonly<Attributes>,
  ) {
    this.#statistics = statistics;
    this.#instruments = instruments;
    this.#shared = { ...shared };
    this.#orders = new ObservedOrders(instruments.operatorOrders, this.#shared);
  }

  observe(result: BatchObservableResult): void {
    if (this.#onEndTold === undefined) this.#observeAll(result);
    else this.#observeEnd(result, this.#onEndTold);
  }

  /**
   * From now on all breakers are gone.
   * @param onTold  called once the next collection has heard it: no other needs to
   */
  end(onTold: () => void): void {
    this.#onEndTold = onTold;
  }

  #observeAll(result: BatchObservableResult): void {
    const instruments = this.#instruments;
    const snapshot = this.#statistics.breaker.snapshot();
    result.observe(instruments.breakers, snapshot.breakers.length, this.#shared);
    result.observe(instruments.evictions, snapshot.evictions, this.#shared);
    result.observe(instruments.overflows, snapshot.overflows, this.#shared);
    result.observe(instruments.unguardedRequests, snapshot.unguarded, this.#shared);
    this.#orders.observe(result, snapshot.orders);
    const former = this.#observed;
    const observed = new Map<string, ObservedBreaker>();
    for (const breaker of snapshot.breakers) {
      const { key } = breaker;
      const its = former.get(key) ?? new ObservedBreaker(breaker, instruments, this.#shared);
      observed.set(key, its);
      its.observe(result, breaker, this.#statistics.seriesOf(key));
    }
    for (const [key, gone] of former) if (!observed.has(key)) gone.observeEnd(result);
    this.#observed = observed;
  }

  #observeEnd(result: BatchObservableResult, onTold: () => void): void {
    result.observe(this.#instruments.breakers, 0, this.#shared);
    this.#orders.observe(result, []);
    for (const breaker of this.#observed.values()) breaker.observeEnd(result);
    // Not at once: the SDK is walking through its callbacks.
    queueMicrotask(onTold);
  }
}
