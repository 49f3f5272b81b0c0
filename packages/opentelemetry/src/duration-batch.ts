import type { Attributes, Histogram } from '@opentelemetry/api';

const SIZE = 64;

/**
 * Durations on their way to a histogram. One by one, as calls end, they would cost a third more of what
 * counting a call costs: the SDK's code is not at hand then. So they are not recorded in the context
 * of their call, which the SDK does not look at.
 */
export class DurationBatch {
  readonly #histogram: Histogram;
  readonly #attributes: Attributes;
  readonly #seconds = new Float64Array(SIZE);
  #length = 0;
  // The first after a collection goes at once: the SDK takes its instant for the start of the series,
  // which must not be that of the next collection.
  #limit = 1;

  constructor(histogram: Histogram, attributes: Attributes) {
    this.#histogram = histogram;
    this.#attributes = attributes;
  }

  add(ms: number): void {
    this.#seconds[this.#length++] = ms / 1000;
    if (this.#length < this.#limit) return;
    this.#limit = SIZE;
    this.#recordAll();
  }

  /** At a collection. */
  handOver(): void {
    this.#limit = 1;
    this.#recordAll();
  }

  #recordAll(): void {
    // A record of others may make calls.
    const waiting = this.#seconds.slice(0, this.#length);
    this.#length = 0;
    for (const seconds of waiting) {
      try {
        this.#histogram.record(seconds, this.#attributes);
      } catch {
        // A provider's failure is no matter of a call.
      }
    }
  }
}
