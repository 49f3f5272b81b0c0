import type { SlidingWindow } from './sliding-window.ts';

const FAILED = 1;
const SLOW = 2;

/** The outcomes of the last `size` calls. A place is the serial number of the outcome. */
export class CountWindow implements SlidingWindow {
  calls = 0;
  failed = 0;
  slow = 0;
  slowFailed = 0;
  readonly #size: number;
  #recorded = 0;
  // Made at the first outcome: most breakers of a large registry wait idle.
  #outcomes: Uint8Array | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  record(_now: number, failed: boolean, slow: boolean): number {
    const outcomes = (this.#outcomes ??= new Uint8Array(this.#size));
    const place = this.#recorded++;
    const slot = place % this.#size;
    if (this.calls === this.#size) this.#forget(outcomes[slot]!);
    else this.calls++;
    outcomes[slot] = (failed ? FAILED : 0) | (slow ? SLOW : 0);
    if (failed) this.failed++;
    if (slow) this.slow++;
    if (failed && slow) this.slowFailed++;
    return place;
  }

  turnIntoFailure(place: number, slow: boolean): void {
    if (this.#outcomes === undefined || place < this.#recorded - this.#size) return;
    this.#outcomes[place % this.#size]! |= FAILED;
    this.failed++;
    if (slow) this.slowFailed++;
  }

  advance(): void {}

  #forget(outcome: number): void {
    if (outcome & FAILED) this.failed--;
    if (outcome & SLOW) this.slow--;
    if (outcome === (FAILED | SLOW)) this.slowFailed--;
  }
}
