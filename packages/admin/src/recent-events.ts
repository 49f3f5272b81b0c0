import type { HttpCircuitBreaker, HttpCircuitBreakerEvents } from '@recloser/core';
import type { AdminClock } from './admin-clock.ts';
import { plainEvent } from './plain-event.ts';
import { safeJson } from './safe-json.ts';

/** An event as the API sends it: its heading, and the fields of its type as JSON has them. */
export interface RecentEvent {
  /** Grows from event to event. */
  readonly id: number;
  readonly type: keyof HttpCircuitBreakerEvents;
  /** The name, for what has no key. */
  readonly key: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly [field: string]: unknown;
}

interface KeptEvent extends Pick<RecentEvent, 'id' | 'key'> {
  readonly json: string;
}

const keptTypes: readonly (keyof HttpCircuitBreakerEvents)[] = [
  'stateTransition',
  'control',
  'reset',
  'held',
  'failureRateExceeded',
  'slowCallRateExceeded',
  'breakerEvicted',
  'registryFull',
  'endpointLimitReached',
  'partitionLimitReached',
  'error',
];

/** The latest events of a breaker, those of each call not among them. */
export class RecentEvents {
  readonly #size: number;
  readonly #listeners = new Set<() => void>();
  readonly #stops: readonly (() => void)[];
  #events: KeptEvent[] = [];
  #latestId: number;

  constructor(breaker: HttpCircuitBreaker, size: number, clock: AdminClock) {
    this.#size = size;
    // A process that takes the place of this one begins above all of its ids.
    this.#latestId = Math.max(0, Math.floor(clock.date())) * 1000;
    this.#stops = keptTypes.map((type) =>
      breaker.on(type, (event) => this.#add(plainEvent(event))),
    );
  }

  /** Keeps no more. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }

  get latestId(): number {
    return this.#latestId;
  }

  /** Those that came after an id; all, where it is none of this process. The oldest first. */
  after(id: number): readonly KeptEvent[] {
    if (id > this.#latestId) return this.#events;
    return this.#events.filter((event) => event.id > id);
  }

  /** Those of one breaker, the oldest first. */
  of(key: string): readonly KeptEvent[] {
    return this.#events.filter((event) => event.key === key);
  }

  /** @returns the function that removes the listener */
  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(event: Readonly<Record<string, unknown>>): void {
    const id = ++this.#latestId;
    // As text, since a short piece of a long text would keep all of that.
    const json = safeJson({ id, ...event });
    this.#events.push({ id, key: String(event['key']), json });
    if (this.#events.length > this.#size) this.#events.shift();
    for (const listener of this.#listeners) listener();
  }
}

/** As JSON. */
export function listOf(events: readonly KeptEvent[]): string {
  return `[${events.map(({ json }) => json).join(',')}]`;
}
