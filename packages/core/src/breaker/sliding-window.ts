/**
 * The outcomes of the latest calls, as counts. `count-window.ts` holds a number of calls,
 * `time-window.ts` a number of seconds. Every instant given must not be earlier than the one
 * before.
 */
export interface SlidingWindow {
  readonly calls: number;
  readonly failed: number;
  readonly slow: number;
  readonly slowFailed: number;
  /** Takes an outcome in, and returns the place by which `turnIntoFailure` finds it again. */
  record(now: number, failed: boolean, slow: boolean): number;
  /**
   * Turns a success that was recorded at that place into a failure; does nothing once it has left
   * the window.
   */
  turnIntoFailure(place: number, slow: boolean): void;
  /** Lets go what is too old by now. */
  advance(now: number): void;
}
