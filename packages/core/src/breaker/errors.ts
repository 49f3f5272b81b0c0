import { causesOf } from './causes.ts';
import type { CircuitBreakerState } from './state.ts';

/**
 * Why a call was refused: the wait is not over (`open`), a hold is in force (`held`), an operator
 * forbids all calls (`forced-open`), the trial calls are all taken (`half-open-full`), or the
 * bulkhead is full (`concurrency`).
 */
export type NotPermittedReason = 'open' | 'held' | 'forced-open' | 'half-open-full' | 'concurrency';

/**
 * What the latest failure was, in words and numbers only, so that no response or error is kept
 * alive by it.
 */
export interface LastFailure {
  /**
   * A network error kind, such as `response-timeout`; the error's name where no HTTP is known;
   * `stalled`, `written-off` or `reported` for failures that are no errors.
   */
  readonly kind?: string;
  /** The HTTP status, where a response was the failure. */
  readonly status?: number;
  /** The error's own code, such as `ECONNRESET`. */
  readonly code?: string;
  /** When it was recorded: milliseconds since the epoch. */
  readonly at: number;
}

/** What a refusal tells; each part as `CallNotPermittedError` has it. */
export interface Refusal {
  readonly breaker: string;
  readonly key?: string | undefined;
  readonly state: CircuitBreakerState;
  readonly reason: NotPermittedReason;
  readonly retryAfterMs?: number | undefined;
  readonly lastFailure?: LastFailure | undefined;
}

// A registered symbol, so that the guards work across copies of the package and across realms.
const brand: unique symbol = Symbol.for('@recloser/core.CallNotPermittedError');

/**
 * The one error of every refusal: the call was not made. Its `code` is in no client's list of
 * errors to retry. It carries a stack only where `writableStackTraceEnabled` is set, since refusals
 * come in bulk during an outage.
 */
export class CallNotPermittedError extends Error {
  static {
    Object.defineProperty(this.prototype, brand, { value: true });
  }

  override readonly name: string = 'CallNotPermittedError';
  readonly code = 'ERR_CALL_NOT_PERMITTED';
  /** The name or key of the breaker that refused. */
  readonly breaker: string;
  /** Its key in a registry, where that is not its name. */
  readonly key: string | undefined;
  /** The state that refused. */
  readonly state: CircuitBreakerState;
  readonly reason: NotPermittedReason;
  /**
   * Whole milliseconds after which a call is no longer refused for this reason. Only in `open`: in
   * half-open a returning trial call decides, in forced-open a person.
   */
  readonly retryAfterMs: number | undefined;
  /** What the breaker saw fail last. */
  readonly lastFailure: LastFailure | undefined;

  constructor(refusal: Refusal) {
    const key = refusal.key === undefined ? '' : ` (${refusal.key})`;
    super(
      `Circuit breaker '${refusal.breaker}'${key} is ${refusal.state}: ${explanation(refusal)}`,
    );
    this.breaker = refusal.breaker;
    this.key = refusal.key;
    this.state = refusal.state;
    this.reason = refusal.reason;
    this.retryAfterMs = refusal.retryAfterMs;
    this.lastFailure = refusal.lastFailure;
  }
}

function explanation({ reason, retryAfterMs, lastFailure }: Refusal): string {
  const cause = lastFailure === undefined ? '' : ` (last failure: ${describeFailure(lastFailure)})`;
  switch (reason) {
    case 'open':
      return `the call was not made; try again in ${retryAfterMs} ms${cause}`;
    case 'held':
      return `the call was not made; the dependency asked to be left alone for another ${retryAfterMs} ms`;
    case 'forced-open':
      return 'the call was not made; an operator forbids all calls';
    case 'half-open-full':
      return `the call was not made; all trial calls are taken${cause}`;
    case 'concurrency':
      return 'the call was not made; as many calls as maxConcurrentCalls allows are out';
  }
}

function describeFailure({ kind = '', status, code }: LastFailure): string {
  let words = kind;
  if (code !== undefined) words += words === '' ? code : `, ${code}`;
  // A body that broke off came after a good status.
  if (status !== undefined) words += words === '' ? `status ${status}` : `, status ${status}`;
  return words === '' ? 'unknown' : words;
}

/** Makes the refusal without its stack trace, which is most of the cost of an error. */
export function withoutStackTrace<T extends Error>(make: () => T): T {
  const errors = Error as { stackTraceLimit?: number };
  const limit = errors.stackTraceLimit;
  try {
    errors.stackTraceLimit = 0;
  } catch {
    return make();
  }
  try {
    return make();
  } finally {
    if (limit === undefined) delete errors.stackTraceLimit;
    else errors.stackTraceLimit = limit;
  }
}

/** Is this error itself a refusal, of this copy of the package or of another? */
export function isRefusal(error: unknown): error is CallNotPermittedError {
  try {
    return (
      typeof error === 'object' &&
      error !== null &&
      (error as { [brand]?: unknown })[brand] === true
    );
  } catch {
    return false;
  }
}

/**
 * Finds the refusal in whatever a client wrapped around it: the error itself, or any `cause` below
 * it. Never throws, and ends where causes go round in a circle.
 *
 *     try {
 *       return await api.get('/prices');
 *     } catch (error) {
 *       const refusal = getCallNotPermitted(error);
 *       if (refusal === undefined) throw error;
 *       return tryAgainIn(refusal.retryAfterMs);
 *     }
 */
export function getCallNotPermitted(error: unknown): CallNotPermittedError | undefined {
  for (const cause of causesOf(error)) if (isRefusal(cause)) return cause;
  return undefined;
}

/**
 * Was the call refused by a breaker? True at any depth of `cause`, across copies of the package. So
 * it does not narrow `error`, which may be any client's own: `getCallNotPermitted` gives the
 * refusal.
 *
 *     catch (error) {
 *       if (isCallNotPermitted(error)) return lastKnownPrice;
 *       throw error;
 *     }
 */
export function isCallNotPermitted(error: unknown): boolean {
  return getCallNotPermitted(error) !== undefined;
}

/** A move by hand that the table of transitions forbids. The breaker is as it was. */
export class IllegalStateTransitionError extends Error {
  override readonly name: string = 'IllegalStateTransitionError';
  readonly code = 'ERR_ILLEGAL_STATE_TRANSITION';
  readonly breaker: string;
  readonly from: CircuitBreakerState;
  readonly to: CircuitBreakerState;

  constructor(breaker: string, from: CircuitBreakerState, to: CircuitBreakerState) {
    super(`Circuit breaker '${breaker}' can't move from ${from} to ${to}; nothing was changed`);
    this.breaker = breaker;
    this.from = from;
    this.to = to;
  }
}

/**
 * Stands in the `failure` event of a call whose returned value `recordResult` made a failure. The
 * caller got the value.
 */
export class ResultRecordedAsFailureError extends Error {
  override readonly name: string = 'ResultRecordedAsFailureError';
  readonly code = 'ERR_RESULT_RECORDED_AS_FAILURE';
  readonly breaker: string;
  /** The returned value. */
  readonly result: unknown;

  constructor(breaker: string, result: unknown) {
    super(`Circuit breaker '${breaker}' recorded this result as a failure (recordResult)`);
    this.breaker = breaker;
    this.result = result;
  }
}
