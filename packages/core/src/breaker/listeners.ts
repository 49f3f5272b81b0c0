import { checkFunction, isThenable, unknownName } from './checks.ts';
import type { CallTally } from './call-tally.ts';
import type { ErrorEvent } from './events.ts';
import type { CircuitBreakerState } from './state.ts';

/** What every event has. */
export interface AnyEvent {
  readonly type: string;
  /** The name or key of the breaker. */
  readonly breaker: string;
  readonly at: number;
  readonly state?: CircuitBreakerState | undefined;
}

interface Entry {
  readonly listener: (event: never) => unknown;
  /** Undefined for one that always is. */
  readonly isAwake: (() => boolean) | undefined;
  removed: boolean;
}

interface Queued {
  readonly event: AnyEvent;
  /** The listeners of that breaker alone, beside those of all. */
  readonly own: Listeners | undefined;
  next: Queued | undefined;
}

/**
 * The listeners of one breaker, or of many that share them. Events wait in a queue until the step
 * that caused them is complete; what a listener does is a step of its own, whose events come after.
 * A listener that throws or rejects harms nobody: an `error` event tells, and with nobody listening
 * to that, `console.error` does.
 */
export class Listeners {
  readonly #types: readonly string[];
  // Made by the first listener: a breaker to which nobody listens pays for one check.
  #entries: Map<string, readonly Entry[]> | undefined;
  /** Undefined where nobody counts, so that this costs one check. */
  tallies: readonly CallTally[] | undefined;
  // A chain: most steps cause an event or two, for which an array takes far more room.
  #first: Queued | undefined;
  #last: Queued | undefined;
  #delivering = false;
  #isDeliveringError = false;
  #suspended = 0;
  // Sources are options and event types: few.
  readonly #printed = new Set<string>();

  constructor(types: readonly string[]) {
    this.#types = types;
  }

  /**
   * @param isAwake  while it says no the listener hears nothing, and no event is made for it
   * @returns the function that removes the listener
   * @throws TypeError for a type that is no event's, or a listener that is no function
   */
  on(type: string, listener: (event: never) => unknown, isAwake?: () => boolean): () => void {
    if (!this.#types.includes(type)) {
      throw new TypeError(`on: event ${unknownName(String(type), this.#types)}`);
    }
    checkFunction(`on: the listener for '${type}'`, listener);
    const entry: Entry = { listener, isAwake, removed: false };
    const entries = (this.#entries ??= new Map());
    entries.set(type, [...(entries.get(type) ?? []), entry]);
    return () => this.#remove(type, entry);
  }

  /** @returns the function that ends it */
  addTally(tally: CallTally): () => void {
    this.tallies = [...(this.tallies ?? []), tally];
    return () => {
      const rest = this.tallies?.filter((other) => other !== tally);
      this.tallies = rest?.length === 0 ? undefined : rest;
    };
  }

  /** Does anybody listen? Events are made only then. */
  wants(type: string): boolean {
    if (this.#entries === undefined) return false;
    for (const entry of this.#listenersOf(type)) if (mayBeAwake(entry)) return true;
    return false;
  }

  /** @param own  the listeners of the event's breaker alone, where these here are shared */
  push(event: AnyEvent, own?: Listeners): void {
    const queued: Queued = { event, own, next: undefined };
    if (this.#last === undefined) this.#first = queued;
    else this.#last.next = queued;
    this.#last = queued;
  }

  /** An `error` event, which is heard in any case. */
  pushError(event: AnyEvent & Pick<ErrorEvent, 'error' | 'source'>, own?: Listeners): void {
    const isHeard = this.wants('error') || own?.wants('error') === true;
    // What an error listener does may fail again, and so on for ever: that is only printed.
    if (isHeard && !this.#isDeliveringError) this.push(event, own);
    else this.#print(event.source, event.breaker, event.error);
  }

  /** A step that spans several breakers begins: what they deliver waits for `resume`. */
  suspend(): void {
    this.#suspended++;
  }

  resume(): void {
    this.#suspended--;
  }

  /** A part of a step that may touch other breakers, or is the user's: events wait for its end. */
  suspended<T>(part: () => T): T {
    this.suspend();
    try {
      return part();
    } finally {
      this.resume();
    }
  }

  /** Ends a step: delivers what it caused, in the order of causes. */
  deliver(): void {
    if (this.#first === undefined || this.#delivering || this.#suspended > 0) return;
    this.#delivering = true;
    for (let queued: Queued | undefined = this.#first; queued !== undefined; queued = queued.next) {
      const { event, own } = queued;
      this.#isDeliveringError = event.type === 'error';
      for (const entry of this.#listenersOf(event.type)) this.#call(entry, event, own);
      if (own === undefined) continue;
      for (const entry of own.#listenersOf(event.type)) this.#call(entry, event, own);
    }
    this.#first = undefined;
    this.#last = undefined;
    this.#delivering = false;
    this.#isDeliveringError = false;
  }

  #listenersOf(type: string): readonly Entry[] {
    return this.#entries?.get(type) ?? [];
  }

  #call(entry: Entry, event: AnyEvent, own: Listeners | undefined): void {
    if (entry.removed) return;
    try {
      if (entry.isAwake !== undefined && !entry.isAwake()) return;
      const returned = entry.listener(event as never);
      if (!isThenable(returned)) return;
      Promise.resolve(returned).catch((error: unknown) => this.#failed(event, error, own));
    } catch (error) {
      this.#failed(event, error, own);
    }
  }

  #failed(event: AnyEvent, error: unknown, own: Listeners | undefined): void {
    const { type, breaker, at, state } = event;
    const source = `a listener for '${type}'`;
    // An error event about an error listener could go round for ever.
    if (type === 'error') return this.#print(source, breaker, error);
    this.pushError({ type: 'error', breaker, at, state, error, source }, own);
    this.deliver();
  }

  #remove(type: string, entry: Entry): void {
    if (entry.removed) return;
    entry.removed = true;
    const rest = this.#listenersOf(type).filter((other) => other !== entry);
    if (rest.length > 0) this.#entries?.set(type, rest);
    else this.#entries?.delete(type);
  }

  /** Once for each source: what fails may fail at every call, in the middle of an outage. */
  #print(source: string, breaker: string, error: unknown): void {
    if (this.#printed.has(source)) return;
    this.#printed.add(source);
    const rest = "; listen to 'error' events to hear of it again";
    try {
      console.error(`recloser: ${source} threw (circuit breaker '${breaker}')${rest}`, error);
    } catch {
      // Nobody is left to tell.
    }
  }
}

/** One that throws is told of when the event is delivered, outside the step that caused it. */
function mayBeAwake({ isAwake }: Entry): boolean {
  try {
    return isAwake === undefined || isAwake();
  } catch {
    return true;
  }
}
