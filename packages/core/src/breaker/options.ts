import type { Clock } from './clock.ts';
import type { ErrorMatcher } from './error-list.ts';
import type { CircuitBreakerState } from './state.ts';
import type { WaitDuration } from './wait-duration.ts';

/** What `transitionOnResult` is asked about: a returned value, or a thrown error. */
export type CountedResult = { readonly value: unknown } | { readonly error: unknown };

/** How long to open for: a span in ms, or until an instant of the wall clock. */
export type OpenDecision = { readonly openFor: number } | { readonly openUntil: Date };

/**
 * Every option of a breaker. Names and behaviour are Resilience4j's where it has them. All spans
 * are milliseconds. They are checked and copied once, at construction: a wrong one is a TypeError
 * or RangeError that names it.
 */
export interface CircuitBreakerOptions {
  /**
   * Percent of failed calls in the window, in (0, 100], at which a closed breaker opens: reached
   * means at or above.
   *
   * A rate means the same at any traffic; a count does not.
   * @default 50
   */
  readonly failureRateThreshold?: number;
  /**
   * Percent of slow calls in the window, in (0, 100], at which a closed breaker opens: at or above.
   *
   * A slow answer is still an answer: by default only a window without a quick one opens.
   * @default 100
   */
  readonly slowCallRateThreshold?: number;
  /**
   * A call that takes strictly longer, in ms, is slow, whether it succeeds or fails.
   * @default 60_000
   */
  readonly slowCallDurationThreshold?: number;
  /**
   * Whether the window holds the last calls or the last whole seconds.
   *
   * Calls are kept however old they are; seconds follow the traffic, and are forgotten in idle
   * gaps.
   * @default 'count-based'
   */
  readonly slidingWindowType?: 'count-based' | 'time-based';
  /**
   * Calls (at most 10,000,000), or seconds (at most 3,600), and never ms. Type and size are one
   * choice: a type given without a size brings its own default.
   *
   * The larger it is, the steadier are the rates, and the later they show a change.
   * @default 100 calls, or 30 seconds
   */
  readonly slidingWindowSize?: number;
  /**
   * Below so many calls in the window both rates read -1 and decide nothing. A count window caps it
   * by its size, half-open by the permitted calls.
   *
   * Two failures of three calls are 67 percent, and tell little.
   * @default 100
   */
  readonly minimumNumberOfCalls?: number;
  /**
   * So many failures in the window open it while it holds fewer calls than the minimum: a count for
   * low traffic.
   *
   * It must be below the minimum in force, from which on the rate decides.
   * @default none
   */
  readonly failureCountThreshold?: number;
  /**
   * So many failures in a row open it, at any traffic and however old. A success ends the row, an
   * ignored call does not; a stalled call stands for a failure until it succeeds.
   *
   * It finds a dead dependency before any window is full.
   * @default none
   */
  readonly consecutiveFailureThreshold?: number;
  /**
   * How long an open breaker refuses, in ms and at least 1: a number,
   * `{ initial, multiplier, max, randomizationFactor }`, or a function of the openings in a row. A
   * wait of n ms still refuses at n ms exactly. A function that throws or answers no number is
   * reported as an `error` event and read as 60,000.
   *
   * Waits that grow are patient with what stays broken, and jitter keeps instances from coming back
   * in the same moment.
   * @default 60_000
   */
  readonly waitDurationInOpenState?: WaitDuration;
  /**
   * Move to half-open at the end of the wait by a timer (which keeps no process alive), not by the
   * next call.
   *
   * Without it a breaker reads as open after its wait until a call comes, and needs no timer.
   * @default false
   */
  readonly automaticTransitionFromOpenToHalfOpenEnabled?: boolean;
  /**
   * Trial calls of a half-open period; further calls are refused. When so many have ended, or the
   * minimum if that is less, the rates decide.
   *
   * Every instance of a service sends so many at each try.
   * @default 10
   */
  readonly permittedNumberOfCallsInHalfOpenState?: number;
  /**
   * Trial calls out at one time; further ones are refused.
   *
   * For what is fragile as it comes back; closing takes longer.
   * @default none
   */
  readonly maxConcurrentCallsInHalfOpenState?: number;
  /**
   * The longest that half-open may last, in ms: at least 1, or 0 for no limit.
   *
   * Without it, `detectStalledCalls` and `permitLease` a trial call that never ends holds the
   * breaker half-open for ever.
   * @default 0
   */
  readonly maxWaitDurationInHalfOpenState?: number;
  /**
   * Where half-open goes at its limit (an error without one). `'evaluate'` counts the limit from
   * the first trial call and judges what was counted by then, without the minimum; with a trial
   * call out and nothing counted it opens.
   * @default 'open'
   */
  readonly transitionToStateAfterWaitDuration?: 'open' | 'closed' | 'evaluate';
  /**
   * Classes and predicates: only these errors are failures, all others successes. A refusal of
   * another breaker is ignored unless it is listed. A predicate that throws matches nothing and is
   * reported as an `error` event.
   * @default all errors
   */
  readonly recordErrors?: readonly ErrorMatcher[];
  /** Classes and predicates: these errors count nowhere. Wins over `recordErrors`. @default none */
  readonly ignoreErrors?: readonly ErrorMatcher[];
  /**
   * True for a returned value that is a failure; the caller still gets the value. One that throws
   * is reported as an `error` event, and the value counts as a success.
   * @default none
   */
  readonly recordResult?: (value: unknown) => boolean;
  /**
   * Asked about counted outcomes while closed, after counting: may open for a time of its own,
   * `{ openFor }` in ms or `{ openUntil }`, a Date.
   * @default none
   */
  readonly transitionOnResult?: (result: CountedResult) => OpenDecision | undefined | null | false;
  /**
   * A bulkhead over the calls out in the current closed (or metrics-only) period: one more is
   * refused with reason `concurrency`, and counted nowhere.
   *
   * It does not hold in half-open, where calls that still hang from the outage would block the
   * recovery.
   * @default none
   */
  readonly maxConcurrentCalls?: number;
  /**
   * Count a call that is still out after `slowCallDurationThreshold` as slow at once, not when it
   * returns.
   *
   * A call that never returns counts nowhere otherwise.
   * @default false
   */
  readonly detectStalledCalls?: boolean;
  /**
   * A call out for longer, in ms, is written off as a slow failure; what it reports later is a late
   * outcome.
   *
   * So a call that never settles keeps no place in `callsInFlight` and in the bulkhead for ever.
   * @default none
   */
  readonly permitLease?: number;
  /**
   * What it begins as; nothing is announced. One that begins open, half-open or forced open has
   * opened once, and its wait or limit runs from its making.
   * @default 'closed'
   */
  readonly initialState?: CircuitBreakerState;
  /**
   * Give refusals a stack trace, at several times their cost.
   *
   * Refusals come in bulk while a dependency is down.
   * @default false
   */
  readonly writableStackTraceEnabled?: boolean;
  /**
   * What tells the time, `{ now, date, setTimer }`: a `ManualClock` in tests.
   * @default the system's: performance.now, Date.now, and a setTimeout that keeps no process alive
   */
  readonly clock?: Clock;
}

/** The defaults of a bare breaker: Resilience4j's, but for the time window's size (100 s there). */
export const circuitBreakerDefaults = {
  failureRateThreshold: 50,
  slowCallRateThreshold: 100,
  slowCallDurationThreshold: 60_000,
  slidingWindowType: 'count-based',
  slidingWindowSize: { 'count-based': 100, 'time-based': 30 },
  minimumNumberOfCalls: 100,
  waitDurationInOpenState: 60_000,
  automaticTransitionFromOpenToHalfOpenEnabled: false,
  permittedNumberOfCallsInHalfOpenState: 10,
  maxWaitDurationInHalfOpenState: 0,
  transitionToStateAfterWaitDuration: 'open',
  detectStalledCalls: false,
  initialState: 'closed',
  writableStackTraceEnabled: false,
} as const;
