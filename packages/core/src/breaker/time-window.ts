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

  constructor(size: number) {
    this.#size = size;
  }

  record(now: number, failed: boolean, slow: boolean): number {
    this.advance(now);
    const empty = this.#oldest === this.#next;
    if (empty) this.#origin = Math.floor(now / 1000);
    const second = Math.floor(now / 1000) - this.#origin;
    if (empty || this.#buckets![this.#at(this.#next - 1) + SECOND] !== second) this.#begin(second);
    const place = this.#next - 1;
    const buckets = this.#buckets!;
    const bucket = this.#at(place);
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
    return place;
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
  }

  #at(place: number): number {
    return (place % this.#capacity) * FIELDS;
  }

  #begin(second: number): void {
    if (this.#next - this.#oldest === this.#capacity) this.#grow();
    const bucket = this.#at(this.#next++);
    this.#buckets!.fill(0, bucket, bucket + FIELDS);
    this.#buckets![bucket + SECOND] = second;
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
