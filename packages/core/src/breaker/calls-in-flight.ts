import type { Permit } from './permit.ts';

/**
 * The calls out, oldest first: a list linked through the permits, so that the oldest that stalls or
 * outlives its lease is found, and any that ends is taken out, in constant time.
 */
export class CallsInFlight {
  readonly #stallAfter: number;
  readonly #lease: number;
  #oldest: Permit | undefined;
  #newest: Permit | undefined;
  #oldestUnstalled: Permit | undefined;

  /** Both in ms; Infinity for none. */
  constructor(stallAfter: number, lease: number) {
    this.#stallAfter = stallAfter;
    this.#lease = lease;
  }

  add(permit: Permit): void {
    permit.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = permit;
    else this.#newest.newer = permit;
    this.#newest = permit;
    this.#oldestUnstalled ??= permit;
  }

  remove(permit: Permit): void {
    const { older, newer } = permit;
    if (older === undefined && this.#oldest !== permit) return;
    if (this.#oldestUnstalled === permit) this.#oldestUnstalled = newer;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    permit.older = undefined;
    permit.newer = undefined;
  }

  isDue(now: number): boolean {
    return this.nextStall < now || this.nextLeaseEnd < now;
  }

  /** The instant strictly after which the next call counts as stalled. */
  get nextStall(): number {
    return this.#oldestUnstalled === undefined
      ? Infinity
      : this.#oldestUnstalled.startedAt + this.#stallAfter;
  }

  /** The instant strictly after which the next call is written off. */
  get nextLeaseEnd(): number {
    return this.#oldest === undefined ? Infinity : this.#oldest.startedAt + this.#lease;
  }

  /**
   * Takes the call that stalls next. Without a lease it leaves the list, so that one that never
   * ends holds no memory.
   */
  takeStalled(): Permit {
    const permit = this.#oldestUnstalled!;
    if (this.#lease === Infinity) this.remove(permit);
    else this.#oldestUnstalled = permit.newer;
    return permit;
  }

  takeExpired(): Permit {
    const permit = this.#oldest!;
    this.remove(permit);
    return permit;
  }
}
