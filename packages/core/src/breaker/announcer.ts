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
    const event = { ...headingOf(machine, type, instant), state, ...rest };
    if (this.#shared === undefined) this.#own?.push(event);
    else this.#shared.push(event, this.#own);
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
    this.announce(permit.machine, type, state, instant, {
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
  reportError(machine: StateMachine, error: unknown, source: string): void {
    const { latest } = machine.options.clock;
    const state = machine.state.name;
    const event = { ...headingOf(machine, 'error', latest), state, error, source };
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
  instant: number,
): Heading {
  const at = options.clock.dateOf(instant);
  return key === undefined ? { type, breaker, at } : { type, breaker, key, at };
}
