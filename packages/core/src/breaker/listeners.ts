import { checkFunction, unknownName } from './checks.ts';
import type { ErrorEvent } from './events.ts';
import type { CircuitBreakerState } from './state.ts';

/** What every event has. */
export interface AnyEvent {
  readonly type: string;
  readonly breaker?: string;
  readonly at: number;
  readonly state?: CircuitBreakerState | undefined;
}

interface Entry {
  readonly listener: (event: never) => unknown;
  removed: boolean;
}

/**
 * The listeners of one breaker, or of many that share them. Events wait in a queue until the step that caused them is
 * complete; what a listener does is a step of its own, whose events come after. A listener that throws or rejects
 * harms nobody: an `error` event tells, and with nobody listening to that, `console.error` does.
 */
export class Listeners {
  readonly #types: readonly string[];
  // Made by the first listener: a breaker to which nobody listens pays for one check.
  #entries: Map<string, readonly Entry[]> | undefined;
  #queue: AnyEvent[] = [];
  #delivering = false;
  #steps = 0;

  constructor(types: readonly string[]) {
    this.#types = types;
  }

  /**
   * @returns the function that removes the listener
   * @throws TypeError for a type that is no event's, or a listener that is no function
   */
  on(type: string, listener: (event: never) => unknown): () => void {
    if (!this.#types.includes(type))
      throw new TypeError(`on: event ${unknownName(String(type), this.#types)}`);
    checkFunction(`on: the listener for '${type}'`, listener);
    const entry: Entry = { listener, removed: false };
    const entries = (this.#entries ??= new Map());
    entries.set(type, [...(entries.get(type) ?? []), entry]);
    return () => this.#remove(type, entry);
  }

  /** Does anybody listen? Events are made only then. */
  wants(type: string): boolean {
    return this.#entries !== undefined && this.#entries.has(type);
  }

  push(event: AnyEvent): void {
    this.#queue.push(event);
  }

  /** An `error` event, which is heard in any case. */
  pushError(event: AnyEvent & Pick<ErrorEvent, 'error' | 'source'>): void {
    if (this.wants('error')) this.push(event);
    else
      console.error(
        `recloser: ${event.source} threw (circuit breaker '${event.breaker}')`,
        event.error,
      );
  }

  /** Runs part of a step that spans several breakers: what they deliver waits for the end of the whole. */
  withinStep(part: () => void): void {
    this.#steps++;
    try {
      part();
    } finally {
      this.#steps--;
    }
  }

  /** Ends a step: delivers what it caused, in the order of causes. */
  deliver(): void {
    if (this.#queue.length === 0 || this.#delivering || this.#steps > 0) return;
    this.#delivering = true;
    for (let next = 0; next < this.#queue.length; next++) {
      const event = this.#queue[next]!;
      for (const entry of this.#entries?.get(event.type) ?? []) {
        if (!entry.removed) this.#call(entry, event);
      }
    }
    this.#queue = [];
    this.#delivering = false;
  }

  clear(): void {
    for (const entries of this.#entries?.values() ?? [])
      for (const entry of entries) entry.removed = true;
    this.#entries = undefined;
  }

  #call(entry: Entry, event: AnyEvent): void {
    try {
      const returned = entry.listener(event as never);
      if (isThenable(returned))
        Promise.resolve(returned).catch((error: unknown) => this.#failed(event, error));
    } catch (error) {
      this.#failed(event, error);
    }
  }

  #failed(event: AnyEvent, error: unknown): void {
    const source = `a listener for '${event.type}'`;
    if (event.type === 'error') {
      console.error(`recloser: ${source} threw (circuit breaker '${event.breaker}')`, error);
      return;
    }
    this.pushError({ ...event, type: 'error', error, source });
    this.deliver();
  }

  #remove(type: string, entry: Entry): void {
    if (entry.removed) return;
    entry.removed = true;
    const rest = this.#entries?.get(type)?.filter((other) => other !== entry) ?? [];
    if (rest.length > 0) this.#entries?.set(type, rest);
    else this.#entries?.delete(type);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
