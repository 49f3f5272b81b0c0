import { CountWindow } from './count-window.ts';
import type { Permit } from './permit.ts';
import type { SlidingWindow } from './sliding-window.ts';
import { TimeWindow } from './time-window.ts';
import { minimumInForce, type ResolvedOptions } from './resolve-options.ts';

/**
 * The counts of one stay in a state. `open` goes on with those of the state before it; every other
 * entry, a renewal and a reset included, begins a new period. A permit counts only while the period
 * that admitted it is in use.
 */
export class Period {
  readonly window: SlidingWindow;
  /** Below so many calls the rates read -1. */
  readonly minimum: number;
  /** Calls of this period that are out. */
  callsOut = 0;
  notPermitted = 0;
  /** Failures in a row, stalled calls included. */
  consecutiveFailures = 0;
  /** The latest instant at which the dependency asked to be called again. */
  retryAfter: number = -Infinity;
  failureRateAnnounced = false;
  slowCallRateAnnounced = false;
  // By its number, and not by its permit: that would keep a whole call alive.
  #successes = 0;
  #isLastAmended = false;
  #failuresBeforeLastSuccess = 0;

  constructor(options: ResolvedOptions, halfOpen: boolean) {
    const {
      minimumNumberOfCalls,
      permittedNumberOfCallsInHalfOpenState,
      slidingWindowType,
      slidingWindowSize,
    } = options;
    if (halfOpen) {
      this.window = new CountWindow(permittedNumberOfCallsInHalfOpenState);
      this.minimum = Math.min(minimumNumberOfCalls, permittedNumberOfCallsInHalfOpenState);
    } else {
      this.window =
        slidingWindowType === 'time-based'
          ? new TimeWindow(slidingWindowSize)
          : new CountWindow(slidingWindowSize);
      this.minimum = minimumInForce(options);
    }
  }

  get isEvaluated(): boolean {
    return this.window.calls >= this.minimum;
  }

  /** Percent, or -1 below the minimum. */
  get failureRate(): number {
    return this.isEvaluated ? this.failedShare : -1;
  }

  /** Percent, or -1 below the minimum. */
  get slowCallRate(): number {
    return this.isEvaluated ? this.slowShare : -1;
  }

  /** Percent of the calls in the window, whatever their number. */
  get failedShare(): number {
    return (this.window.failed * 100) / this.window.calls;
  }

  get slowShare(): number {
    return (this.window.slow * 100) / this.window.calls;
  }

  success(permit: Permit, now: number): void {
    permit.place = this.window.record(now, false, permit.slow);
    this.#endRow(permit);
  }

  failure(permit: Permit, now: number): void {
    permit.place = this.window.record(now, true, permit.slow);
    this.consecutiveFailures++;
  }

  /**
   * A call still out is recorded as a slow success, and stands for a failure in the row until it
   * succeeds.
   */
  stall(permit: Permit, now: number): void {
    permit.stalled = true;
    permit.slow = true;
    permit.place = this.window.record(now, false, true);
    this.consecutiveFailures++;
  }

  stalledSuccess(permit: Permit): void {
    this.#endRow(permit);
  }

  stalledFailure(permit: Permit, now: number): void {
    this.window.advance(now);
    this.window.turnIntoFailure(permit.place, true);
  }

  /**
   * A success becomes a failure. If it was the latest one, the row goes on as if it had not been.
   */
  amend(permit: Permit, now: number): void {
    this.window.advance(now);
    this.window.turnIntoFailure(permit.place, permit.slow);
    if (permit.successNumber !== this.#successes || this.#isLastAmended) return;
    // A stalled call stands in the row already, from the instant at which it stalled.
    this.consecutiveFailures += this.#failuresBeforeLastSuccess + (permit.stalled ? 0 : 1);
    this.#isLastAmended = true;
  }

  #endRow(permit: Permit): void {
    this.#failuresBeforeLastSuccess = this.consecutiveFailures;
    permit.successNumber = ++this.#successes;
    this.#isLastAmended = false;
    this.consecutiveFailures = 0;
  }
}
