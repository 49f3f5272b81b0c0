import type { SlidingWindow } from './sliding-window.ts';

const FAILED = 1;
const SLOW = 2;
const BITS = 2;

// So many outcomes fit a number that every engine keeps in an array as it is. A typed array would take
// 300 bytes for a hundred calls, these take 100.
const OUTCOMES_PER_NUMBER = 15;

/** The outcomes of the last `size` calls. A place is the serial number of the outcome. */
export class CountWindow implements SlidingWindow {
  calls = 0;
  failed = 0;
  slow = 0;
  slowFailed = 0;
  readonly #size: number;
  #recorded = 0;
  // Made at the first outcome that is failed or slow: until then all are alike.
  #outcomes: number[] | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  record(_now: number, failed: boolean, slow: boolean): number {
    const place = this.#recorded++;
    if (this.calls < this.#size) this.calls++;
    this.#put(place, (failed ? FAILED : 0) | (slow ? SLOW : 0));
    return place;
  }

  turnIntoFailure(place: number, slow: boolean): void {
    if (place >= this.#recorded - this.#size) this.#put(place, FAILED | (slow ? SLOW : 0));
  }

  advance(): void {}

  /** In place of what stands there. */
  #put(place: number, outcome: number): void {
    if (outcome === 0 && this.#outcomes === undefined) return;
    const length = Math.ceil(this.#size / OUTCOMES_PER_NUMBER);
    const outcomes = (this.#outcomes ??= Array.from({ length }, () => 0));
    const slot = place % this.#size;
    const index = Math.floor(slot / OUTCOMES_PER_NUMBER);
    const shift = (slot % OUTCOMES_PER_NUMBER) * BITS;
    const former = (outcomes[index]! >> shift) & (FAILED | SLOW);
    if (outcome === former) return;
    outcomes[index]! ^= (outcome ^ former) << shift;
    this.#count(former, -1);
    this.#count(outcome, 1);
  }

  #count(outcome: number, change: 1 | -1): void {
    if (outcome & FAILED) this.failed += change;
    if (outcome & SLOW) this.slow += change;
    if (outcome === (FAILED | SLOW)) this.slowFailed += change;
  }
}
