import type { CircuitBreakerState } from './state.ts';
import type { StateMachine } from './state-machine.ts';

/**
 * What a breaker knows of itself at one moment. Counts are those of the window in use, except where
 * it says otherwise.
 */
export interface CircuitBreakerMetrics {
  readonly state: CircuitBreakerState;
  /** Percent, or -1 below `minimumNumberOfCalls`. */
  readonly failureRate: number;
  /** Percent, or -1 below `minimumNumberOfCalls`. */
  readonly slowCallRate: number;
  readonly numberOfBufferedCalls: number;
  readonly numberOfFailedCalls: number;
  readonly numberOfSlowCalls: number;
  readonly numberOfSlowFailedCalls: number;
  readonly numberOfSlowSuccessfulCalls: number;
  readonly numberOfSuccessfulCalls: number;
  /** Calls refused in this period, those of the bulkhead not among them. */
  readonly numberOfNotPermittedCalls: number;
  /** Permits out, of every period. */
  readonly callsInFlight: number;
  /** Failures in a row in this period, stalled calls among them. */
  readonly consecutiveFailures: number;
  /** Endings that came after their period or their lease was over, in all. */
  readonly lateOutcomes: number;
  /** Calls counted as slow while they were still out, in all. */
  readonly stalledCalls: number;
  /** Since it was last closed. The next wait goes by it. */
  readonly openingsInARow: number;
  /** Moves to `open`, by hand too, in all. */
  readonly totalOpenings: number;
  /** Milliseconds since the epoch. */
  readonly lastOpenedAt: number | undefined;
  /** From the latest opening of a closed breaker until it closed again, in ms. */
  readonly lastRecoveryMs: number | undefined;
  /**
   * Ms since it opened, if it has not closed since: trial calls that fail do not begin it anew. What
   * should page a person, rather than the number of moves.
   */
  readonly outageMs: number | undefined;
  /** Ms. */
  readonly timeInState: number;
  /** Its window once reached the minimum: before that it has judged nothing. */
  readonly everEvaluated: boolean;
  /** In `open`: whole ms after which a call is no longer refused, 0 once that is so. */
  readonly retryAfterMs: number | undefined;
}

export function readMetrics(machine: StateMachine, now: number): CircuitBreakerMetrics {
  const { state, period, history } = machine;
  const { window } = period;
  window.advance(now);
  return {
    state: state.name,
    failureRate: period.failureRate,
    slowCallRate: period.slowCallRate,
    numberOfBufferedCalls: window.calls,
    numberOfFailedCalls: window.failed,
    numberOfSlowCalls: window.slow,
    numberOfSlowFailedCalls: window.slowFailed,
    numberOfSlowSuccessfulCalls: window.slow - window.slowFailed,
    numberOfSuccessfulCalls: window.calls - window.failed,
    numberOfNotPermittedCalls: period.notPermitted,
    callsInFlight: machine.callsInFlight,
    consecutiveFailures: period.consecutiveFailures,
    lateOutcomes: history.lateOutcomes,
    stalledCalls: history.stalledCalls,
    openingsInARow: state.openings,
    totalOpenings: history.totalOpenings,
    lastOpenedAt:
      history.lastOpened === undefined
        ? undefined
        : machine.options.clock.dateOf(history.lastOpened),
    lastRecoveryMs: history.lastRecoveryMs,
    outageMs: history.outageBegan === undefined ? undefined : now - history.outageBegan,
    timeInState: now - state.since,
    everEvaluated: history.everEvaluated,
    retryAfterMs: machine.retryAfterMs(now),
  };
}
