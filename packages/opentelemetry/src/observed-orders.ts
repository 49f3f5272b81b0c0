import type { Attributes, BatchObservableResult, Observable } from '@opentelemetry/api';
import type { HttpCircuitBreakerSnapshot } from '@recloser/core';

/** The operator's orders that stand, as collections see them. */
export class ObservedOrders {
  readonly #instrument: Observable;
  readonly #shared: Readonly<Attributes>;
  /** Zero for those that are over: an SDK may go on exporting what it last heard of them. */
  readonly #counts = new Map<string, { readonly attributes: Attributes; count: number }>();

  constructor(instrument: Observable, shared: Readonly<Attributes>) {
    this.#instrument = instrument;
    this.#shared = shared;
  }

  observe(result: BatchObservableResult, orders: HttpCircuitBreakerSnapshot['orders']): void {
    for (const known of this.#counts.values()) known.count = 0;
    for (const { action, expiresAt } of orders) this.#add(action, expiresAt !== undefined);
    for (const { attributes, count } of this.#counts.values()) {
      result.observe(this.#instrument, count, attributes);
    }
  }

  #add(action: string, expires: boolean): void {
    const known = this.#counts.get(`${action} ${expires}`);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const attributes = {
      ...this.#shared,
      'circuit_breaker.action': action,
      'circuit_breaker.expires': expires,
    };
    this.#counts.set(`${action} ${expires}`, { attributes, count: 1 });
  }
}
