import { checkNames, checkObject, shown } from './checks.ts';
import type { CancelTimer, Clock } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is moved: for tests, of your own code too.
 *
 *     const clock = new ManualClock();
 *     const breaker = new CircuitBreaker('pricing', { clock });
 *     clock.advance(60_001);
 */
export class ManualClock implements Clock {
  #now: number;
  #date: number;
  #timers: Timer[] = [];

  /**
   * @param start.now  monotonic milliseconds to begin with. @default 0
   * @param start.date  wall clock to begin with, milliseconds since the epoch. @default `now`
   */
  constructor(start: { readonly now?: number; readonly date?: number } = {}) {
    checkNames('ManualClock: start', checkObject('ManualClock: start', start), ['now', 'date']);
    this.#now = finite('now', start.now ?? 0);
    this.#date = finite('date', start.date ?? this.#now);
  }

  /** Monotonic milliseconds, since the origin that it began with. */
  now(): number {
    return this.#now;
  }

  /** The wall clock: milliseconds since the epoch. */
  date(): number {
    return this.#date;
  }

  /** Runs the callback when `advance` has moved the clock on by `ms`. */
  setTimer(callback: () => void, ms: number): CancelTimer {
    const timer = { due: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How many timers are set: 0 shows that nothing was left behind. */
  get timers(): number {
    return this.#timers.length;
  }

  /**
   * Moves both clocks on by `ms` milliseconds, and runs the timers that come due on the way, each
   * at its own instant, in the order of their instants. What a timer throws is thrown here.
   * @throws RangeError where `ms` is negative or no finite number
   */
  advance(ms: number): void {
    if (finite('ms', ms) < 0)
      throw new RangeError(`ManualClock.advance: ms must not be negative, but is ${ms}`);
    const target = this.#now + ms;
    for (let timer = this.#nextDue(target); timer !== undefined; timer = this.#nextDue(target)) {
      const next = timer;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#moveTo(Math.max(this.#now, next.due));
      next.callback();
    }
    this.#moveTo(target);
  }

  #moveTo(instant: number): void {
    // A timer may have moved the clock on further.
    if (instant < this.#now) return;
    this.#date += instant - this.#now;
    this.#now = instant;
  }

  #nextDue(target: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due <= target && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  }
}

function finite(name: string, value: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new RangeError(
      `ManualClock: ${name} must be a finite number of milliseconds, but is ${shown(value)}`,
    );
  }
  return value;
}
