import {
  circuitBreakerEventTypes,
  type CircuitBreakerEventType,
  type OutcomeDetails,
} from './events.ts';
import { Listeners } from './listeners.ts';
import type { Permit } from './permit.ts';
import type { CircuitBreakerState } from './state.ts';
import type { StateMachine } from './state-machine.ts';

interface Heading {
  readonly type: string;
  readonly breaker: string;
  readonly key?: string;
  readonly at: number;
  readonly state: CircuitBreakerState;
}

/** The heading of an event about a call, and what becomes of it. */
interface Ending extends Heading {
  elapsed: number;
  error?: unknown;
  stalled?: true;
  kind?: string;
  status?: number;
  code?: string;
  rule?: string;
  domain?: string;
}

/**
 * Makes the events of one breaker. Ask `wants` first: an event is made only if somebody
 * listens.
 */
export class Announcer {
  // Those who listen to many breakers, this one among them.
  #shared: Listeners | undefined;
  // Those who listen to this breaker alone. Made when it is needed, as is all that most breakers of a
  // large registry never need.
  #own: Listeners | undefined;
  #former: Listeners | undefined;

  /** @param shared  the listeners of many breakers; without them this one has its own alone */
  constructor(shared: Listeners | undefined) {
    this.#shared = shared;
  }

  on(type: string, listener: (event: never) => unknown): () => void {
    return (this.#own ??= ownListeners()).on(type, listener);
  }

  wants(type: CircuitBreakerEventType): boolean {
    return (
      (this.#shared !== undefined && this.#shared.wants(type)) ||
      (this.#own !== undefined && this.#own.wants(type))
    );
  }

  /** Has an ending counted by those who count. */
  tally(
    type: CircuitBreakerEventType,
    permit: Permit,
    instant: number,
    details: OutcomeDetails | undefined,
  ): void {
    const tallies = this.#shared?.tallies;
    if (tallies === undefined) return;
    const { machine, startedAt } = permit;
    const { name, key = name } = machine;
    for (const tally of tallies) {
      try {
        tally(key, name, type, instant - startedAt, details);
      } catch (error) {
        this.reportError(machine, error, `what counts '${type}'`);
      }
    }
  }

  /** Ends a step. */
  deliver(): void {
    (this.#shared ?? this.#own)?.deliver();
    this.#former?.deliver();
    this.#former = undefined;
  }

  /**
   * Runs a part of a step that touches other breakers, or is the user's: events wait for the end of
   * the step.
   */
  withinStep<T>(part: () => T): T {
    return (this.#shared ?? (this.#own ??= ownListeners())).suspended(part);
  }

  /** Nobody hears of this breaker any more, but for those who begin to listen from now on. */
  detach(): void {
    // A step in the middle of which it is detached has its events there.
    this.#former = this.#shared;
    this.#shared = undefined;
    this.#own = undefined;
  }

  /** @param machine  of the breaker; to keep it here would cost every breaker a field */
  announce(
    machine: StateMachine,
    type: CircuitBreakerEventType,
    state: CircuitBreakerState,
    instant: number,
    rest?: object,
  ): void {
    const event = { ...headingOf(machine, type, state, instant), ...rest };
    this.push(event);
  }

  /**
   * Of a call. Written out: these are the events of every call where somebody counts calls, and
   * spreads cost more than all the rest of it (test/bench/parts/listener.ts).
   */
  announceEnding(
    type: CircuitBreakerEventType,
    permit: Permit,
    instant: number,
    error: unknown,
    details: OutcomeDetails | undefined,
    rest?: object,
  ): void {
    const { machine } = permit;
    const { name: breaker, key, options } = machine;
    const at = options.clock.dateOf(instant);
    const state = machine.state.name;
    const elapsed = instant - permit.startedAt;
    const event: Ending =
      key === undefined
        ? { type, breaker, at, state, elapsed }
        : { type, breaker, key, at, state, elapsed };
    if (error !== undefined) event.error = error;
    if (permit.stalled) event.stalled = true;
    if (details !== undefined) {
      const { kind, status, code, rule, domain } = details;
      if (kind !== undefined) event.kind = kind;
      if (status !== undefined) event.status = status;
      if (code !== undefined) event.code = code;
      if (rule !== undefined) event.rule = rule;
      if (domain !== undefined) event.domain = domain;
    }
    if (rest !== undefined) Object.assign(event, rest);
    this.push(event);
  }

  // Not private, as a class with a private method adds a field to each of its instances.
  push(event: Heading): void {
    if (this.#shared === undefined) this.#own?.push(event);
    else this.#shared.push(event, this.#own);
  }

  /** Something of the user's threw: `source` names it. Heard in any case. */
  reportError(machine: StateMachine, error: unknown, source: string): void {
    const { latest } = machine.options.clock;
    const state = machine.state.name;
    const event = { ...headingOf(machine, 'error', state, latest), error, source };
    if (this.#shared === undefined) (this.#own ??= ownListeners()).pushError(event);
    else this.#shared.pushError(event, this.#own);
  }
}

function ownListeners(): Listeners {
  return new Listeners(circuitBreakerEventTypes);
}

function headingOf(
  { name: breaker, key, options }: StateMachine,
  type: string,
  state: CircuitBreakerState,
  instant: number,
): Heading {
  const at = options.clock.dateOf(instant);
  return key === undefined ? { type, breaker, at, state } : { type, breaker, key, at, state };
}
