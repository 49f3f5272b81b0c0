import type {
  ControlDate,
  ControlOptions,
  ControlReason,
  ControlResult,
  ControlSpan,
} from './control-types.ts';
import type { OperatorOrders } from './operator-orders.ts';

/**
 * The operator's hand on the breakers whose key or name matches a pattern. Each order has a reason,
 * and is announced as a `control` event. Calls in flight go on; what they report is late.
 *
 * Every order throws a TypeError for a missing reason or an unknown option, and a RangeError for a span
 * or a date that is not to come; nothing is moved then.
 */
export class BreakerControl {
  readonly #orders: OperatorOrders;
  readonly #pattern: string;

  /** @internal */
  constructor(orders: OperatorOrders, pattern: string) {
    this.#orders = orders;
    this.#pattern = pattern;
  }

  /**
   * Refuses all calls, also to breakers made later, until `for`, `until` or `handBack`. A call that gets
   * no breaker for want of room (`registryFull`) passes all the same.
   */
  forceOpen(options: ControlOptions): ControlResult {
    return this.#orders.give('forceOpen', this.#pattern, options);
  }

  /**
   * Opens for that long; then trial calls decide as ever. A breaker made meanwhile opens for the
   * rest.
   */
  open(options: ControlReason & (ControlSpan | ControlDate)): ControlResult {
    return this.#orders.give('open', this.#pattern, options);
  }

  /** Closes, with fresh counts. */
  close(options: ControlReason): ControlResult {
    return this.#orders.give('close', this.#pattern, options);
  }

  /** Admits trial calls from now on; closed breakers can't do that, and are skipped. */
  halfOpen(options: ControlReason): ControlResult {
    return this.#orders.give('halfOpen', this.#pattern, options);
  }

  /** Lets all calls pass and counts nothing, also for breakers made later, until it ends. */
  disable(options: ControlOptions): ControlResult {
    return this.#orders.give('disable', this.#pattern, options);
  }

  /** Lets all calls pass and counts them, also for breakers made later, until it ends. */
  metricsOnly(options: ControlOptions): ControlResult {
    return this.#orders.give('metricsOnly', this.#pattern, options);
  }

  /** A fresh closed state from anywhere; ends what stands for this pattern, or within it. */
  reset(options: ControlReason): ControlResult {
    return this.#orders.give('reset', this.#pattern, options);
  }

  /**
   * Ends what stands for this pattern, or within it (`*` ends all), and lets go what an operator holds:
   * to closed, or to the operator's state that `initialState` names. Where a wider order still stands,
   * that holds.
   */
  handBack(options: ControlReason): ControlResult {
    return this.#orders.give('handBack', this.#pattern, options);
  }
}
