/** Spans in ms, counted by upper bounds; nothing is made for one. */
export class Histogram {
  /** Of each bucket its upper bound, which belongs to it, in ms; ascending. */
  readonly bounds: readonly number[];
  /** How many fell into each bucket alone; the last is for what is above all bounds. */
  readonly counts: number[];
  count = 0;
  /** In ms. */
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(ms: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && ms > bounds[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.count++;
    this.sum += ms;
  }
}
