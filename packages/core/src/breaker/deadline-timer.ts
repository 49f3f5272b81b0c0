import { atOnce, checkFunction } from './checks.ts';
import { setSystemTimer, type CancelTimer } from './clock.ts';
import type { MonotonicClock } from './monotonic-clock.ts';

// setTimeout reads a longer span as 1 ms.
const LONGEST_SPAN = 2 ** 31 - 1;

/**
 * The one timer of a breaker, where it is to move without a call. It may fire before the deadline,
 * early or after a part of a long span: whoever is called looks at the clock, and arms it again.
 */
export class DeadlineTimer {
  readonly #fire: () => void;
  #cancel: CancelTimer | undefined;

  constructor(fire: () => void) {
    this.#fire = fire;
  }

  get isArmed(): boolean {
    return this.#cancel !== undefined;
  }

  cancel(): void {
    const cancel = this.#cancel;
    this.#cancel = undefined;
    cancel?.();
  }

  /** For a deadline; Infinity for none. The one before must have been cancelled. */
  arm(clock: MonotonicClock, deadline: number): void {
    if (deadline === Infinity) return;
    const span = Math.min(Math.max(Math.ceil(deadline - clock.latest), 0), LONGEST_SPAN);
    const fire = (): void => {
      this.#cancel = undefined;
      this.#fire();
    };
    const { source } = clock;
    const cancel =
      source.setTimer === undefined ? setSystemTimer(fire, span) : source.setTimer(fire, span);
    this.#cancel = checkFunction('clock.setTimer: what it returned', atOnce(cancel));
  }
}
