import { LinkedList } from './linked-list.ts';
import type { Permit } from './permit.ts';

/**
 * The calls out, oldest first, so that the next that stalls or outlives its lease is found, and any
 * that ends is taken out, in constant time.
 */
export class CallsInFlight {
  readonly #stallAfter: number;
  readonly #lease: number;
  readonly #calls: LinkedList<Permit> = new LinkedList();
  #oldestUnstalled: Permit | undefined;

  /** Both in ms; Infinity for none. */
  constructor(stallAfter: number, lease: number) {
    this.#stallAfter = stallAfter;
    this.#lease = lease;
  }

  add(permit: Permit): void {
    this.#calls.add(permit);
    this.#oldestUnstalled ??= permit;
  }

  remove(permit: Permit): void {
    if (!this.#calls.has(permit)) return;
    if (this.#oldestUnstalled === permit) this.#oldestUnstalled = permit.newer;
    this.#calls.remove(permit);
  }

  isDue(now: number): boolean {
    return this.nextStall < now || this.nextLeaseEnd < now;
  }

  /** The instant strictly after which the next call counts as stalled. */
  get nextStall(): number {
    const next = this.#oldestUnstalled;
    return next === undefined ? Infinity : next.startedAt + this.#stallAfter;
  }

  /** The instant strictly after which the next call is written off. */
  get nextLeaseEnd(): number {
    const next = this.#calls.oldest;
    return next === undefined ? Infinity : next.startedAt + this.#lease;
  }

  /**
   * The call that stalls next. Without a lease it leaves the list, so that one that never ends
   * holds no memory.
   */
  takeStalled(): Permit {
    const permit = this.#oldestUnstalled!;
    if (this.#lease === Infinity) this.remove(permit);
    else this.#oldestUnstalled = permit.newer;
    return permit;
  }

  takeExpired(): Permit {
    const permit = this.#calls.oldest!;
    this.remove(permit);
    return permit;
  }
}
