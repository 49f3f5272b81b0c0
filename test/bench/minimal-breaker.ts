const BUCKETS = 30;
const FIELDS = 3;
const MINIMUM = 100;
const SLOW = 60_000;

/**
 * The floor: the least that a breaker with a time window has to do for a call that it admits, with
 * nothing to set and no error left unharmed. It opens at half of the calls failing.
 */
export class MinimalBreaker {
  isOpen = false;
  #calls = 0;
  #failed = 0;
  #slow = 0;
  readonly #ring = new Int32Array(BUCKETS * FIELDS);
  readonly #seconds = new Int32Array(BUCKETS);

  /** When the call began; -1 where it is refused. */
  acquire(): number {
    return this.isOpen ? -1 : performance.now();
  }

  record(begun: number, now: number, isFailure: boolean): void {
    const second = Math.floor(now / 1000);
    const place = second % BUCKETS;
    const bucket = place * FIELDS;
    if (this.#seconds[place] !== second) this.#begin(place, second);
    this.#calls++;
    this.#ring[bucket]!++;
    if (isFailure) {
      this.#failed++;
      this.#ring[bucket + 1]!++;
    }
    if (now - begun > SLOW) {
      this.#slow++;
      this.#ring[bucket + 2]!++;
    }
    const worse = Math.max(this.#failed, this.#slow);
    if (this.#calls >= MINIMUM && worse * 2 >= this.#calls) this.isOpen = true;
  }

  async execute<T>(body: () => Promise<T>): Promise<T> {
    const begun = this.acquire();
    if (begun < 0) throw new Error('refused');
    try {
      const value = await body();
      this.record(begun, performance.now(), false);
      return value;
    } catch (error) {
      this.record(begun, performance.now(), true);
      throw error;
    }
  }

  #begin(place: number, second: number): void {
    const bucket = place * FIELDS;
    this.#calls -= this.#ring[bucket]!;
    this.#failed -= this.#ring[bucket + 1]!;
    this.#slow -= this.#ring[bucket + 2]!;
    this.#ring.fill(0, bucket, bucket + FIELDS);
    this.#seconds[place] = second;
  }
}
