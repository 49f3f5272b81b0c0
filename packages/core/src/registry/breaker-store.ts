import { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import { LinkedList, type Linked } from '../breaker/linked-list.ts';
import type { Listeners } from '../breaker/listeners.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import type { ResolvedOptions } from '../breaker/resolve-options.ts';
import type { BreakerEvictedEvent, RegistryEvents } from './registry-events.ts';

// So many breakers are looked at to make room for one: what protects is not searched without end.
const MOST_LOOKED_AT = 64;

// So many idle breakers go each time one is used.
const MOST_EXPIRED_AT_ONCE = 8;

interface Entry extends Linked<Entry> {
  readonly key: string;
  readonly breaker: CircuitBreaker;
  usedAt: number;
}

export interface BreakerStoreOptions {
  readonly maxBreakers: number;
  /** In ms; Infinity for none. */
  readonly idleTimeout: number;
  readonly clock: MonotonicClock;
  readonly listeners: Listeners;
  /** Hears of every key that goes. */
  readonly onRemoved?: (key: string) => void;
}

/**
 * A bounded number of breakers by key, the least recently used first. It never forgets what
 * protects: only a breaker that is closed, or open with its wait elapsed, and has no call in flight
 * is evicted; where there is none, a new key gets no breaker.
 */
export class BreakerStore {
  readonly listeners: Listeners;
  evictions = 0;
  overflows = 0;
  readonly #options: BreakerStoreOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #order: LinkedList<Entry> = new LinkedList();

  constructor(options: BreakerStoreOptions) {
    this.#options = options;
    this.listeners = options.listeners;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** From the least to the most recently used. */
  *[Symbol.iterator](): IterableIterator<[key: string, breaker: CircuitBreaker]> {
    for (const { key } of this.#oldest(Infinity)) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) yield [key, entry.breaker];
    }
  }

  /** Looks without using. */
  peek(key: string): CircuitBreaker | undefined {
    return this.#entries.get(key)?.breaker;
  }

  find(key: string): CircuitBreaker | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#use(entry);
    return entry.breaker;
  }

  /**
   * Makes the breaker of a new key; undefined where there is no room.
   * @param keep  another of the same call, which is not to make room
   */
  add(
    key: string,
    name: string,
    options: ResolvedOptions,
    keep?: CircuitBreaker,
  ): CircuitBreaker | undefined {
    if (this.size >= this.#options.maxBreakers) this.#makeRoom(keep);
    // Judging breakers may run functions of the user's, which use the registry themselves.
    const madeMeanwhile = this.#entries.get(key);
    if (madeMeanwhile !== undefined) return madeMeanwhile.breaker;
    if (this.size >= this.#options.maxBreakers) {
      this.overflows++;
      this.#announce('registryFull', key, name, { maxBreakers: this.#options.maxBreakers });
      this.listeners.deliver();
      return undefined;
    }
    const breaker = new CircuitBreaker(name, options, this.listeners, key);
    const entry: Entry = { key, breaker, usedAt: 0, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#order.add(entry);
    this.#use(entry);
    this.#announce('breakerAdded', key, name);
    this.listeners.deliver();
    return breaker;
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#remove(entry, 'deleted');
    this.listeners.deliver();
    return true;
  }

  clear(): void {
    for (const entry of this.#oldest(Infinity)) this.#remove(entry, 'deleted');
    this.listeners.deliver();
  }

  /** The least recently used, so many at the most; a list of its own. */
  #oldest(most: number): Entry[] {
    const entries: Entry[] = [];
    for (let entry = this.#order.oldest; entry !== undefined; entry = entry.newer) {
      if (entries.length === most) break;
      entries.push(entry);
    }
    return entries;
  }

  #use(entry: Entry): void {
    this.#moveToYoungEnd(entry);
    if (this.#options.idleTimeout === Infinity) return;
    entry.usedAt = entry.breaker.machine.now();
    this.#expire(entry.usedAt);
  }

  #moveToYoungEnd(entry: Entry): void {
    if (this.#order.newest === entry) return;
    this.#order.remove(entry);
    this.#order.add(entry);
  }

  // Judging a breaker carries out its deadlines; no listener is to change the list meanwhile.
  #makeRoom(keep: CircuitBreaker | undefined): void {
    this.listeners.suspended(() => {
      let elapsed: Entry | undefined;
      let next = this.#order.oldest;
      const most = Math.min(MOST_LOOKED_AT, this.size);
      for (let looked = 0; looked < most && next !== undefined; looked++) {
        const entry: Entry = next;
        const idle = entry.breaker === keep ? 'busy' : idleness(entry.breaker);
        const isGone = !this.#order.has(entry);
        next = isGone ? this.#order.oldest : entry.newer;
        if (isGone) continue;
        if (idle === 'closed') return this.#remove(entry, 'room');
        if (idle === 'elapsed') elapsed ??= entry;
        else this.#moveToYoungEnd(entry);
      }
      if (elapsed !== undefined && this.#order.has(elapsed)) this.#remove(elapsed, 'room');
    });
  }

  #expire(now: number): void {
    const { oldest } = this.#order;
    if (oldest === undefined || oldest.usedAt + this.#options.idleTimeout >= now) return;
    this.listeners.suspended(() => {
      for (const entry of this.#oldest(MOST_EXPIRED_AT_ONCE)) {
        if (entry.usedAt + this.#options.idleTimeout >= now) return;
        const idle = idleness(entry.breaker);
        if (!this.#order.has(entry)) continue;
        if (idle !== 'busy') this.#remove(entry, 'idle');
        else {
          entry.usedAt = now;
          this.#moveToYoungEnd(entry);
        }
      }
    });
    this.listeners.deliver();
  }

  #remove(entry: Entry, reason: BreakerEvictedEvent['reason']): void {
    const { key, breaker } = entry;
    this.#entries.delete(key);
    this.#order.remove(entry);
    if (reason !== 'deleted') this.evictions++;
    const { openings: openingsInARow } = breaker.machine.state;
    const { consecutiveFailures } = breaker.machine.period;
    const lost = { reason, openingsInARow, consecutiveFailures };
    this.#announce('breakerEvicted', key, breaker.name, lost);
    this.#options.onRemoved?.(key);
    breaker.machine.detach();
  }

  #announce(type: keyof RegistryEvents, key: string, breaker: string, rest?: object): void {
    if (!this.listeners.wants(type)) return;
    const { clock } = this.#options;
    const event = { type, breaker, key, at: clock.date, ...rest };
    this.listeners.push(event);
  }
}

/** `closed`, or open with its wait `elapsed`: it protects nothing now. All else is `busy`. */
function idleness({ machine }: CircuitBreaker): 'closed' | 'elapsed' | 'busy' {
  const now = machine.touch();
  if (machine.callsInFlight > 0) return 'busy';
  if (machine.state.name === 'closed') return 'closed';
  return machine.state.name === 'open' && now > machine.state.until ? 'elapsed' : 'busy';
}
