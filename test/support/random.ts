/** The generator sfc32: a seed gives the same numbers everywhere. */
export class Random {
  #a: number;
  #b = 0x9e3779b9 | 0;
  #c = 0x243f6a88;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    // Until seeds that differ in one bit have nothing in common.
    for (let round = 0; round < 15; round++) this.next();
  }

  /** From 0 up to, and never, 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** The gap to the next arrival, where arrivals know nothing of one another. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }
}
