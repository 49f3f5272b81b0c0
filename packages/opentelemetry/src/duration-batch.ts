import type { Attributes, Histogram } from '@opentelemetry/api';

const SIZE = 64;

/**
 * Durations on their way to a histogram. Handed over one by one as calls end they cost a seventh more
 * than all that counts a call (test/bench/parts/listener.ts): the SDK's code is not at hand then.
 */
export class DurationBatch {
  readonly #histogram: Histogram;
  readonly #attributes: Attributes;
  readonly #seconds = new Float64Array(SIZE);
  #length = 0;

  constructor(histogram: Histogram, attributes: Attributes) {
    this.#histogram = histogram;
    this.#attributes = attributes;
  }

  add(ms: number): void {
    this.#seconds[this.#length++] = ms / 1000;
    if (this.#length === SIZE) this.handOver();
  }

  handOver(): void {
    const length = this.#length;
    this.#length = 0;
    try {
      for (let index = 0; index < length; index++) {
        this.#histogram.record(this.#seconds[index]!, this.#attributes);
      }
    } catch {
      // A provider's failure is no matter of a call.
    }
  }
}
