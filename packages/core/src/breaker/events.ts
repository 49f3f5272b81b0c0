import type { NotPermittedReason } from './errors.ts';
import type { CircuitBreakerState } from './state.ts';

/** Why a breaker moved. */
export type TransitionReason =
  | 'failure-rate'
  | 'slow-call-rate'
  | 'failure-count'
  | 'consecutive-failures'
  | 'trip'
  | 'hold'
  | 'result'
  | 'trial-calls'
  | 'half-open-limit'
  | 'wait-elapsed'
  | 'manual'
  | 'reset';

interface EventOf<Type extends string> {
  readonly type: Type;
  /** The name or key of the breaker. */
  readonly breaker: string;
  /** Its key in a registry, where that is not its name. */
  readonly key?: string;
  /** When it took effect: milliseconds since the epoch. */
  readonly at: number;
  /** The state as the event found it. */
  readonly state: CircuitBreakerState;
}

/** What an adapter or a rule knows of an ending beyond the error. */
export interface OutcomeDetails {
  /**
   * A network error kind, such as `refused`; the error's name where no HTTP is known; `stalled`,
   * `written-off` or `reported` for failures that are no errors.
   */
  readonly kind?: string | undefined;
  /** The HTTP status. */
  readonly status?: number | undefined;
  /** The error's own code, such as `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /** The name of the row that decided. */
  readonly rule?: string | undefined;
  /** What the row says is at fault where a call failed: the endpoint, or its host. */
  readonly domain?: 'endpoint' | 'host' | undefined;
}

interface Ended extends OutcomeDetails {
  /** From admission to this ending, in ms. */
  readonly elapsed: number;
  /** The call had been counted as stalled before it ended. */
  readonly stalled?: true;
}

/** A call counted as a success. */
export interface SuccessEvent extends EventOf<'success'>, Ended {}

/** A call counted as a failure. */
export interface FailureEvent extends EventOf<'failure'>, Ended {
  readonly error?: unknown;
  /** It opened the breaker at once. */
  readonly trip?: true;
  /** The call was out for longer than `permitLease`. */
  readonly writtenOff?: true;
}

/** A call ended in a way that counts nowhere. */
export interface IgnoredEvent extends EventOf<'ignored'>, Ended {
  readonly error?: unknown;
}

/** The dependency asked to be left alone. Counts as no failure. */
export interface HeldEvent extends EventOf<'held'>, Ended {
  /** How long the dependency asked to be left alone, in ms. */
  readonly holdFor: number;
}

/** A success became a failure, since its body broke off. It is still one call. */
export interface AmendedEvent extends EventOf<'amended'>, Ended {
  readonly error?: unknown;
}

/** A call was refused: it was not made. */
export interface NotPermittedEvent extends EventOf<'notPermitted'> {
  readonly reason: NotPermittedReason;
}

/** The breaker moved from one state to another. */
export interface StateTransitionEvent extends EventOf<'stateTransition'> {
  readonly from: CircuitBreakerState;
  readonly to: CircuitBreakerState;
  readonly reason: TransitionReason;
  /** How long it is going to refuse, in ms; only on a move to `open`. */
  readonly wait?: number;
  /** From when it first opened, in ms; only on a move to `closed` that ends an outage. */
  readonly recoveryMs?: number;
}

/**
 * The failure rate reached its threshold. A closed breaker then opens, one in `metrics-only` only
 * tells.
 */
export interface FailureRateExceededEvent extends EventOf<'failureRateExceeded'> {
  /** Percent. */
  readonly rate: number;
}

/**
 * The slow-call rate reached its threshold. A closed breaker then opens, one in `metrics-only` only
 * tells.
 */
export interface SlowCallRateExceededEvent extends EventOf<'slowCallRateExceeded'> {
  /** Percent. */
  readonly rate: number;
}

/** The breaker was reset by hand. */
export interface ResetEvent extends EventOf<'reset'> {}

/**
 * A call ended after its period was over, or after its permit was written off: it counts nowhere.
 */
export interface LateOutcomeEvent extends EventOf<'lateOutcome'>, Ended {
  readonly error?: unknown;
}

/** A call was counted as slow while it is still out. */
export interface StalledCallEvent extends EventOf<'stalledCall'> {
  /** From admission until it counted as stalled, in ms. */
  readonly elapsed: number;
}

/**
 * A listener, predicate, wait, key or partition function or a clock of the user's threw. No call
 * was harmed. With nobody listening, `console.error` tells, once for each source.
 */
export interface ErrorEvent extends Omit<EventOf<'error'>, 'state'> {
  /** Undefined where it was no breaker's own function: then `breaker` is `*`. */
  readonly state?: CircuitBreakerState | undefined;
  readonly error: unknown;
  /** What threw: an option's name, `clock`, `a listener for 'success'`, `when of the row '…'`. */
  readonly source: string;
}

/** The events of one breaker by their names, as `on` takes them. */
export interface CircuitBreakerEvents {
  readonly success: SuccessEvent;
  readonly failure: FailureEvent;
  readonly ignored: IgnoredEvent;
  readonly held: HeldEvent;
  readonly amended: AmendedEvent;
  readonly notPermitted: NotPermittedEvent;
  readonly stateTransition: StateTransitionEvent;
  readonly failureRateExceeded: FailureRateExceededEvent;
  readonly slowCallRateExceeded: SlowCallRateExceededEvent;
  readonly reset: ResetEvent;
  readonly lateOutcome: LateOutcomeEvent;
  readonly stalledCall: StalledCallEvent;
  readonly error: ErrorEvent;
}

/** The name of an event. */
export type CircuitBreakerEventType = keyof CircuitBreakerEvents;

/** Any event, told apart by its `type`. */
export type CircuitBreakerEvent = CircuitBreakerEvents[CircuitBreakerEventType];

const types: Readonly<Record<CircuitBreakerEventType, true>> = {
  success: true,
  failure: true,
  ignored: true,
  held: true,
  amended: true,
  notPermitted: true,
  stateTransition: true,
  failureRateExceeded: true,
  slowCallRateExceeded: true,
  reset: true,
  lateOutcome: true,
  stalledCall: true,
  error: true,
};

export const circuitBreakerEventTypes: readonly string[] = Object.keys(types);
