import type { CancelTimer, Clock } from '@recloser/core';
import { setSystemTimer, systemClock } from '@recloser/core/adapter';

/** The clock given, or the system's; timers keep no process alive. */
export class AdminClock {
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Monotonic ms. */
  now(): number {
    return this.#clock.now();
  }

  /** Milliseconds since the epoch. */
  date(): number {
    return this.#clock.date();
  }

  setTimer(callback: () => void, ms: number): CancelTimer {
    return this.#clock.setTimer?.(callback, ms) ?? setSystemTimer(callback, ms);
  }
}
