/** What an operator may do to breakers. */
export type ControlAction =
  'forceOpen' | 'open' | 'close' | 'halfOpen' | 'disable' | 'metricsOnly' | 'reset' | 'handBack';

/** Why an operator acts. */
export interface ControlReason {
  /** Stands in the `control` event. */
  readonly reason: string;
}

/** Why an operator acts, and until when the order stands: one of `for` and `until`, or neither. */
export type ControlOptions = ControlReason & (ControlSpan | ControlDate | ControlWithoutEnd);

/** For how long an order stands. */
export interface ControlSpan {
  /** Ms from now. */
  readonly for: number;
  readonly until?: never;
}

/** Until when an order stands. */
export interface ControlDate {
  /** By the wall clock; it must be still to come. */
  readonly until: Date;
  readonly for?: never;
}

interface ControlWithoutEnd {
  readonly for?: never;
  readonly until?: never;
}

/** What an order did to the breakers there are. */
export interface ControlResult {
  /** The keys of the breakers that were moved. */
  readonly moved: readonly string[];
  /**
   * The keys of those that match and stay as they are: they can't make this move from the state
   * they are in, or another order still holds them.
   */
  readonly skipped: readonly string[];
}

/** An order that holds for breakers made later, too. */
export interface StandingOrder {
  /** As it was given to `control`. */
  readonly pattern: string;
  readonly action: ControlAction;
  /** In the operator's words. */
  readonly reason: string;
  /** When it ends by itself: milliseconds since the epoch, as the wall clock was when it was given. */
  readonly expiresAt?: number;
}

/** An order, or the end of one: the audit of the operator's hand. */
export interface ControlEvent extends ControlResult {
  readonly type: 'control';
  /** The pattern that the order is about. */
  readonly breaker: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly action: ControlAction;
  /** In the operator's words; `expired` where an order ended by itself. */
  readonly reason: string;
  /** When the order ends by itself: milliseconds since the epoch. */
  readonly expiresAt?: number;
}
