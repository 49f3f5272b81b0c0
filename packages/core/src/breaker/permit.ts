import { checkAtLeast } from './checks.ts';
import type { OutcomeDetails } from './events.ts';
import type { Period } from './period.ts';
import type { StateMachine } from './state-machine.ts';

/** What a failure may tell beside its details. */
export interface FailureDetails extends OutcomeDetails {
  /**
   * Ms after which the dependency asked to be called again. If the breaker opens by its own wait, it waits at least
   * until then.
   */
  readonly retryAfter?: number | undefined;
}

/** Hears what the breaker finds out about a call before the call ends. */
export interface CallObserver {
  stalled(): void;
  writtenOff(): void;
}

export type Phase = 'out' | 'written-off' | 'succeeded' | 'ended';

/**
 * One admitted call. It settles once, by one of its methods; a second settle is ignored. It belongs to the period that
 * admitted it: settled later it changes nothing but `lateOutcomes`. It measures the elapsed time itself, from
 * admission to the settle.
 */
export class Permit {
  /** @internal */ readonly machine: StateMachine;
  /** The period that admitted it; undefined where it was `disabled`. @internal */
  readonly period: Period | undefined;
  /** @internal */ readonly startedAt: number;
  /** @internal */ phase: Phase = 'out';
  /** It was counted as stalled. @internal */
  stalled = false;
  /** It was recorded as slow; for a follower set by its leader. @internal */
  slow = false;
  /** Another breaker's permit for the same call measures the time. @internal */
  readonly follows: boolean;
  /** Where its outcome stands in the window. @internal */
  place = 0;
  /** @internal */ older: Permit | undefined = undefined;
  /** @internal */ newer: Permit | undefined = undefined;
  /** @internal */ observer: CallObserver | undefined = undefined;

  /** @internal */
  constructor(
    machine: StateMachine,
    period: Period | undefined,
    startedAt: number,
    follows: boolean,
  ) {
    this.machine = machine;
    this.period = period;
    this.startedAt = startedAt;
    this.follows = follows;
  }

  /** @internal */
  get hasEnded(): boolean {
    return this.phase === 'succeeded' || this.phase === 'ended';
  }

  /** Milliseconds since admission. */
  elapsed(): number {
    return this.machine.now() - this.startedAt;
  }

  /** The call succeeded. */
  success(details?: OutcomeDetails): void {
    this.machine.succeed(this, undefined, details);
  }

  /**
   * The call failed, whatever `recordErrors` and `ignoreErrors` say.
   * @throws RangeError for a `retryAfter` that is negative or no finite number; the permit is then still out
   */
  failure(error?: unknown, details?: FailureDetails): void {
    if (details?.retryAfter !== undefined)
      checkAtLeast('failure: retryAfter', details.retryAfter, 0);
    this.machine.fail(this, error, details, false);
  }

  /** The call counts nowhere; in half-open its permit goes back. */
  ignore(error?: unknown, details?: OutcomeDetails): void {
    this.machine.ignore(this, error, details);
  }

  /** The call returned this value: a success, or a failure where `recordResult` says so. */
  result(value: unknown): void {
    this.machine.classifyResult(this, value);
  }

  /** The call threw this: a failure, a success or nothing to count, as `recordErrors` and `ignoreErrors` say. */
  error(error: unknown): void {
    this.machine.classifyError(this, error);
  }

  /**
   * The call failed in a way that needs no counting: a closed or half-open breaker opens at once, with its usual wait.
   * In the operator's states it is a failure like any other.
   */
  trip(error?: unknown, details?: OutcomeDetails): void {
    this.machine.fail(this, error, details, true);
  }

  /**
   * No outcome: the dependency asked to be left alone for `ms`. A closed or half-open breaker opens for that long; in
   * an open one the end of the wait can move out, never in. The operator's states do not move.
   * @throws RangeError where `ms` is negative or no finite number; the permit is then still out
   */
  hold(ms: number, details?: OutcomeDetails): void {
    this.machine.hold(this, checkAtLeast('hold: ms', ms, 0), details);
  }

  /** Nothing was sent after all: as if the call had not been admitted. No event. */
  release(): void {
    this.machine.release(this);
  }

  /**
   * After `success`: it failed after all (its body broke off). The same record becomes a failure, if its period is still
   * in use; it is no second outcome. On a permit not yet settled it settles as a failure; after any other ending, or a
   * second time, it does nothing.
   */
  amend(error?: unknown, details?: OutcomeDetails): void {
    this.machine.amend(this, error, details);
  }
}
