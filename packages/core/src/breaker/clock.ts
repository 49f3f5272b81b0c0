/** Stops a timer that `Clock.setTimer` set. */
export type CancelTimer = () => void;

/**
 * The time a breaker lives by. Give one of your own to drive a breaker by hand or from a
 * simulation.
 */
export interface Clock {
  /** Monotonic milliseconds, from any origin. All spans and deadlines are measured with it. */
  now(): number;
  /**
   * The wall clock: milliseconds since the epoch. It turns dates into spans, and dates what people
   * see.
   */
  date(): number;
  /**
   * Calls back once after so many milliseconds. Used only where
   * `automaticTransitionFromOpenToHalfOpenEnabled` is set.
   * @default a `setTimeout` that does not keep the process alive
   */
  setTimer?(callback: () => void, ms: number): CancelTimer;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
};

export function setSystemTimer(callback: () => void, ms: number): CancelTimer {
  const timer: unknown = setTimeout(callback, ms);
  // Node, Bun and Deno give an object here, browsers and workerd a number.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    (timer as { unref(): void }).unref();
  }
  return () => clearTimeout(timer as number);
}
