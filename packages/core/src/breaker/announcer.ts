import {
  circuitBreakerEventTypes,
  type CircuitBreakerEventType,
  type OutcomeDetails,
} from './events.ts';
import { Listeners } from './listeners.ts';
import type { MonotonicClock } from './monotonic-clock.ts';
import type { Permit } from './permit.ts';
import type { CircuitBreakerState } from './state.ts';

interface Heading {
  readonly type: string;
  readonly breaker: string;
  readonly key?: string;
  readonly at: number;
}

/**
 * Makes the events of one breaker. Ask `wants` first: an event is made only if somebody
 * listens.
 */
export class Announcer {
  readonly #breaker: string;
  readonly #key: string | undefined;
  readonly #clock: MonotonicClock;
  #listeners: Listeners;
  // Where the listeners are shared, those who listen to this breaker alone.
  #own: Listeners | undefined;
  #isShared: boolean;
  #former: Listeners | undefined;

  /**
   * @param key  where a registry knows it by another text than its name
   * @param shared  the listeners of many breakers; without them this one has its own
   */
  constructor(
    breaker: string,
    key: string | undefined,
    clock: MonotonicClock,
    shared: Listeners | undefined,
  ) {
    this.#breaker = breaker;
    this.#key = key;
    this.#clock = clock;
    this.#isShared = shared !== undefined;
    this.#listeners = shared ?? new Listeners(circuitBreakerEventTypes);
  }

  on(type: string, listener: (event: never) => unknown): () => void {
    if (!this.#isShared) return this.#listeners.on(type, listener);
    return (this.#own ??= new Listeners(circuitBreakerEventTypes)).on(type, listener);
  }

  wants(type: CircuitBreakerEventType): boolean {
    return this.#listeners.wants(type) || (this.#own !== undefined && this.#own.wants(type));
  }

  /** Ends a step. */
  deliver(): void {
    this.#listeners.deliver();
    this.#former?.deliver();
    this.#former = undefined;
  }

  /**
   * Runs a part of a step that touches other breakers, or is the user's: events wait for the end of
   * the step.
   */
  withinStep<T>(part: () => T): T {
    return this.#listeners.suspended(part);
  }

  /** Nobody hears of this breaker any more, but for those who begin to listen from now on. */
  detach(): void {
    this.#isShared = false;
    this.#own = undefined;
    // A step in the middle of which it is detached has its events there.
    this.#former = this.#listeners;
    this.#listeners = new Listeners(circuitBreakerEventTypes);
  }

  announce(
    type: CircuitBreakerEventType,
    state: CircuitBreakerState,
    instant: number,
    rest?: object,
  ): void {
    const event = { ...this.#heading(type, instant), state, ...rest };
    this.#listeners.push(event, this.#own);
  }

  announceEnding(
    type: CircuitBreakerEventType,
    state: CircuitBreakerState,
    permit: Permit,
    instant: number,
    error: unknown,
    details: OutcomeDetails | undefined,
    rest?: object,
  ): void {
    this.announce(type, state, instant, {
      elapsed: instant - permit.startedAt,
      ...(error !== undefined && { error }),
      ...(permit.stalled && { stalled: true }),
      ...(details?.kind !== undefined && { kind: details.kind }),
      ...(details?.status !== undefined && { status: details.status }),
      ...(details?.code !== undefined && { code: details.code }),
      ...(details?.rule !== undefined && { rule: details.rule }),
      ...rest,
    });
  }

  /** Something of the user's threw: `source` names it. Heard in any case. */
  reportError(error: unknown, source: string, state: CircuitBreakerState): void {
    const event = { ...this.#heading('error', this.#clock.latest), state, error, source };
    this.#listeners.pushError(event, this.#own);
  }

  #heading(type: string, instant: number): Heading {
    const at = this.#clock.dateOf(instant);
    if (this.#key === undefined) return { type, breaker: this.#breaker, at };
    return { type, breaker: this.#breaker, key: this.#key, at };
  }
}
