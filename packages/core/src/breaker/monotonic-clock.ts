import { atOnce } from './checks.ts';
import type { Clock } from './clock.ts';

// Beyond 2 ** 53 a millisecond is lost in the number.
const EARLIEST = -Number.MAX_SAFE_INTEGER;
const LATEST = Number.MAX_SAFE_INTEGER;
const NEVER = EARLIEST - 1;

/**
 * Reads a clock so that time never runs backwards: a step back is read as standing still and going
 * on from there, so that a deadline is put off by no more than the time since the last reading.
 */
export class MonotonicClock {
  readonly source: Clock;
  #reading = NEVER;
  #steppedBack = 0;
  #held = 0;
  #isReadWhileHeld = false;
  // Of the latest reading, once it was asked for while time stands still.
  #date: number | undefined;

  constructor(source: Clock) {
    this.source = source;
  }

  /** The latest instant that was read. */
  get latest(): number {
    return this.#reading === NEVER ? 0 : this.#reading + this.#steppedBack;
  }

  /** @throws what the clock throws, and a TypeError where it answers no finite number */
  now(): number {
    if (this.#isReadWhileHeld) return this.latest;
    const reading = this.source.now();
    // Nearly always so, which saves a tenth of a call (test/bench/parts/try-acquire.ts).
    const isLater = typeof reading === 'number' && reading >= this.#reading && reading <= LATEST;
    if (!isLater) this.#checkStepBack(reading);
    this.#reading = reading;
    this.#isReadWhileHeld = this.#held > 0;
    return reading + this.#steppedBack;
  }

  /** Of what is not later, if it is a reading at all. */
  #checkStepBack(reading: number): void {
    const checked = atOnce(reading);
    if (!Number.isFinite(checked) || checked < EARLIEST || checked > LATEST) {
      throw new TypeError(
        `clock.now() must return milliseconds, a number within 2 ** 53, not ${String(checked)}`,
      );
    }
    this.#steppedBack += this.#reading - checked;
  }

  /**
   * From the next reading on time stands still until `resume`: a step of several breakers has one
   * instant.
   */
  hold(): void {
    this.#held++;
  }

  resume(): void {
    this.#held--;
    if (this.#held > 0) return;
    this.#isReadWhileHeld = false;
    this.#date = undefined;
  }

  /** Wall-clock time of the latest reading. */
  get date(): number {
    return this.dateOf(this.latest);
  }

  /**
   * Wall-clock time of an instant. A broken wall clock harms nothing: the system's is read instead.
   */
  dateOf(instant: number): number {
    const date = this.#date ?? this.#readDate();
    if (this.#isReadWhileHeld) this.#date = date;
    return date - (this.latest - instant);
  }

  #readDate(): number {
    let date = NaN;
    try {
      date = atOnce(this.source.date());
    } catch {
      // Read the system's.
    }
    return Number.isFinite(date) ? date : Date.now();
  }
}
