import type { SlidingWindow } from './sliding-window.ts';

// The fields of a bucket: one whole second in which calls ended.
const SECOND = 0;
const CALLS = 1;
const FAILED = 2;
const SLOW = 3;
const SLOW_FAILED = 4;
const FIELDS = 5;

/**
 * The outcomes of the last `size` whole seconds, the running one included. A call leaves with its
 * whole second (as in Resilience4j). Only seconds in which calls ended have a bucket, so neither an
 * idle gap nor the width of the window costs anything. A place is the serial number of a bucket.
 */
export class TimeWindow implements SlidingWindow {
  calls = 0;
  failed = 0;
  slow = 0;
  slowFailed = 0;
  readonly #size: number;
  #origin = 0;
  #oldest = 0;
  #next = 0;
  // Bucket n stands at n modulo the capacity. Seconds are counted from the one that came into an
  // empty window: so they fit 31 bits, whatever the clock's origin.
  #buckets: Int32Array | undefined;
  #capacity = 0;
  // Of the running second, in which calls are counted without a look at the others: a tenth of a call
  // (test/bench/parts/try-acquire.ts).
  #bucket = 0;
  #secondEnds = -Infinity;

  constructor(size: number) {
    this.#size = size;
  }

  record(now: number, failed: boolean, slow: boolean): number {
    if (now >= this.#secondEnds) this.#beginSecond(now);
    const bucket = this.#bucket;
    const buckets = this.#buckets!;
    this.calls++;
    buckets[bucket + CALLS]!++;
    if (failed) {
      this.failed++;
      buckets[bucket + FAILED]!++;
    }
    if (slow) {
      this.slow++;
      buckets[bucket + SLOW]!++;
    }
    if (failed && slow) {
      this.slowFailed++;
      buckets[bucket + SLOW_FAILED]!++;
    }
    return this.#next - 1;
  }

  turnIntoFailure(place: number, slow: boolean): void {
    if (place < this.#oldest) return;
    const bucket = this.#at(place);
    this.failed++;
    this.#buckets![bucket + FAILED]!++;
    if (!slow) return;
    this.slowFailed++;
    this.#buckets![bucket + SLOW_FAILED]!++;
  }

  advance(now: number): void {
    const gone = Math.floor(now / 1000) - this.#origin - this.#size;
    while (this.#oldest < this.#next) {
      const buckets = this.#buckets!;
      const bucket = this.#at(this.#oldest);
      if (buckets[bucket + SECOND]! > gone) return;
      this.calls -= buckets[bucket + CALLS]!;
      this.failed -= buckets[bucket + FAILED]!;
      this.slow -= buckets[bucket + SLOW]!;
      this.slowFailed -= buckets[bucket + SLOW_FAILED]!;
      this.#oldest++;
    }
    // The running second has left with the rest. A call that stalled before now may still be recorded.
    this.#secondEnds = -Infinity;
  }

  #at(place: number): number {
    return (place % this.#capacity) * FIELDS;
  }

  #beginSecond(now: number): void {
    this.advance(now);
    const second = Math.floor(now / 1000);
    this.#secondEnds = (second + 1) * 1000;
    if (this.#oldest === this.#next) this.#origin = second;
    if (this.#next - this.#oldest === this.#capacity) this.#grow();
    this.#bucket = this.#at(this.#next++);
    this.#buckets!.fill(0, this.#bucket, this.#bucket + FIELDS);
    this.#buckets![this.#bucket + SECOND] = second - this.#origin;
  }

  #grow(): void {
    const capacity = Math.min(this.#size, Math.max(4, this.#capacity * 2));
    const buckets = new Int32Array(capacity * FIELDS);
    for (let place = this.#oldest; place < this.#next; place++) {
      const from = this.#at(place);
      buckets.set(this.#buckets!.subarray(from, from + FIELDS), (place % capacity) * FIELDS);
    }
    this.#buckets = buckets;
    this.#capacity = capacity;
  }
}
