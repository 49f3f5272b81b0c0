import { atOnce, checkAtLeast } from './checks.ts';
import { classifyError } from './classify-error.ts';
import { ResultRecordedAsFailureError } from './errors.ts';
import type { CircuitBreakerEventType, OutcomeDetails } from './events.ts';
import type { CountedResult } from './options.ts';
import type { Period } from './period.ts';
import type { StateMachine } from './state-machine.ts';

/** What a failure may tell beside its details. */
export interface FailureDetails extends OutcomeDetails {
  /**
   * Ms after which the dependency asked to be called again. If the breaker opens by its own wait,
   * it waits at least until then.
   */
  readonly retryAfter?: number | undefined;
}

/** Hears what the breaker finds out about a call before the call ends. */
export interface CallObserver {
  stalled(): void;
  writtenOff(): void;
}

type Phase = 'out' | 'written-off' | 'succeeded' | 'ended';

/**
 * One admitted call. It settles once, by one of its methods; a second settle is ignored. It belongs
 * to the period that admitted it: settled later it changes nothing but `lateOutcomes`. It measures
 * the elapsed time itself, from admission to the settle.
 */
export class Permit {
  /** @internal */ readonly machine: StateMachine;
  /** The period that admitted it; undefined where it was `disabled`. @internal */
  readonly period: Period | undefined;
  /** @internal */ readonly startedAt: number;
  #phase: Phase = 'out';
  /** It was counted as stalled. @internal */
  stalled = false;
  /** It was recorded as slow; for a follower set by its leader. @internal */
  slow = false;
  /** Another breaker's permit for the same call measures the time. @internal */
  readonly follows: boolean;
  /** Where its outcome stands in the window. @internal */
  place = 0;
  /** Which success of its period it was. @internal */
  successNumber = 0;
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

  /** Milliseconds since admission. */
  elapsed(): number {
    return this.machine.now() - this.startedAt;
  }

  /** The call succeeded. */
  success(details?: OutcomeDetails): void {
    this.#succeed(undefined, details, undefined);
  }

  /**
   * The call failed, whatever `recordErrors` and `ignoreErrors` say.
   * @throws RangeError for a `retryAfter` that is negative or no finite number; the permit is then
   *   still out
   */
  failure(error?: unknown, details?: FailureDetails): void {
    checkRetryAfter(details);
    this.#fail(error, details, subjectOf(error));
  }

  /** The call counts nowhere; in half-open its permit goes back. */
  ignore(error?: unknown, details?: OutcomeDetails): void {
    const now = this.#end('ended', error, details);
    if (now === undefined) return;
    if (!this.stalled) this.machine.giveBackTrial();
    this.#announce('ignored', now, error, details);
    this.machine.announcer.deliver();
  }

  /** The call returned this value: a success, or a failure where `recordResult` says so. */
  result(value: unknown): void {
    if (this.#hasEnded()) return;
    if (this.#isFailure(value)) {
      const error = new ResultRecordedAsFailureError(this.machine.name, value);
      this.#fail(error, undefined, undefined);
    } else {
      const subject = value === undefined || value === null ? undefined : { value };
      this.#succeed(undefined, undefined, subject);
    }
  }

  /**
   * The call threw this: a failure, a success or nothing to count, as `recordErrors` and
   * `ignoreErrors` say.
   */
  error(error: unknown): void {
    if (this.#hasEnded()) return;
    const { machine } = this;
    const report = (thrown: unknown, source: string): void => machine.reportError(thrown, source);
    const outcome = classifyError(machine.options, error, report);
    if (outcome === 'ignored') this.ignore(error);
    else if (outcome === 'failure') this.#fail(error, undefined, subjectOf(error));
    else this.#succeed(error, undefined, subjectOf(error));
  }

  /**
   * The call failed in a way that needs no counting: a closed or half-open breaker opens at once,
   * with its usual wait. In the operator's states it is a failure like any other.
   */
  trip(error?: unknown, details?: FailureDetails): void {
    checkRetryAfter(details);
    const now = this.#end('ended', error, details);
    if (now === undefined) return;
    this.#countFailure(now, error, details, { trip: true });
    const { machine } = this;
    machine.trip(now);
    machine.announcer.deliver();
  }

  /**
   * No outcome: the dependency asked to be left alone for `ms`. A closed or half-open breaker opens
   * for that long; in an open one the end of the wait can move out, never in. The operator's states
   * do not move.
   * @throws RangeError where `ms` is negative or no finite number; the permit is then still out
   */
  hold(ms: number, details?: OutcomeDetails): void {
    checkAtLeast('hold: ms', ms, 0);
    const now = this.#end('ended', undefined, details);
    if (now === undefined) return;
    this.#announce('held', now, undefined, details, { holdFor: ms });
    this.machine.hold(now, ms);
    this.machine.announcer.deliver();
  }

  /** Nothing was sent after all: as if the call had not been admitted. No event, late or not. */
  release(): void {
    if (this.#hasEnded()) return;
    const { machine } = this;
    machine.touch();
    const late = this.#isLate();
    this.#leave('ended');
    if (!late && !this.stalled) machine.giveBackTrial();
    machine.announcer.deliver();
  }

  /**
   * After `success`: it failed after all (its body broke off). The same record becomes a failure,
   * if its period is still in use; it is no second outcome. On a permit not yet settled it settles
   * as a failure; after any other ending, or a second time, it does nothing.
   * @returns whether it changed anything
   */
  amend(error?: unknown, details?: FailureDetails): boolean {
    if (!this.#hasEnded()) {
      this.failure(error, details);
      return true;
    }
    if (this.#phase !== 'succeeded') return false;
    const { machine } = this;
    const now = machine.touch();
    this.#phase = 'ended';
    const isInUse = this.period === machine.period;
    if (isInUse) {
      machine.period.amend(this, now);
      machine.history.failed(error, details, now);
      this.#announce('amended', now, error, details);
      machine.judge(now);
    }
    machine.announcer.deliver();
    return isInUse;
  }

  /**
   * The call is still out after `slowCallDurationThreshold`: counts as slow from now on. One of an
   * earlier period is neither counted nor announced.
   * @internal
   */
  stall(at: number): void {
    const { machine } = this;
    if (this.#phase !== 'out' || this.stalled) return;
    if (this.period === machine.period) {
      machine.period.stall(this, at);
      machine.history.stalledCalls++;
      machine.history.failed(undefined, STALLED, at);
      machine.freeTrial();
      this.#announce('stalledCall', at, undefined, undefined);
      machine.judge(at);
    }
    if (this.observer !== undefined) machine.announcer.withinStep(() => this.observer?.stalled());
  }

  /**
   * The call is out for longer than `permitLease`: a slow failure, unless it was counted as
   * stalled.
   * @internal
   */
  writeOff(at: number): void {
    const { machine } = this;
    if (this.#phase !== 'out') return;
    const { observer } = this;
    this.#leave('written-off');
    if (this.period === machine.period && !this.stalled) {
      this.slow = true;
      this.#countFailure(at, undefined, WRITTEN_OFF, { writtenOff: true });
      machine.judge(at);
    }
    // A wait function of the user's, asked as the breaker opens by it, may have ended the call.
    if (observer === undefined || this.#hasEnded()) return;
    machine.announcer.withinStep(() => observer.writtenOff());
  }

  #succeed(
    error: unknown,
    details: OutcomeDetails | undefined,
    subject: CountedResult | undefined,
  ): void {
    const now = this.#end('succeeded', error, details);
    if (now === undefined) return;
    const { machine } = this;
    if (this.stalled) machine.period.stalledSuccess(this);
    else machine.period.success(this, now);
    this.#announce('success', now, error, details);
    if (!this.stalled) machine.judge(now);
    if (subject !== undefined) machine.askForTransition(subject, now);
    machine.announcer.deliver();
  }

  #fail(
    error: unknown,
    details: FailureDetails | undefined,
    subject: CountedResult | undefined,
  ): void {
    const now = this.#end('ended', error, details);
    if (now === undefined) return;
    const { machine } = this;
    this.#countFailure(now, error, details);
    machine.judge(now);
    if (subject !== undefined) machine.askForTransition(subject, now);
    machine.announcer.deliver();
  }

  #countFailure(
    now: number,
    error: unknown,
    details: FailureDetails | undefined,
    rest?: { readonly trip: true } | { readonly writtenOff: true },
  ): void {
    const { period, history } = this.machine;
    if (this.stalled) period.stalledFailure(this, now);
    else period.failure(this, now);
    history.failed(error, details, now);
    if (details?.retryAfter !== undefined) {
      period.retryAfter = Math.max(period.retryAfter, now + details.retryAfter);
    }
    this.#announce('failure', now, error, details, rest);
  }

  /**
   * Ends the call. Answers the instant, if the ending still counts; a late one is announced as
   * such.
   */
  #end(
    phase: 'succeeded' | 'ended',
    error: unknown,
    details: OutcomeDetails | undefined,
  ): number | undefined {
    if (this.#hasEnded()) return undefined;
    const { machine } = this;
    const now = machine.touch();
    const late = this.#isLate();
    this.#leave(late ? 'ended' : phase);
    if (!late) {
      if (!this.follows && !this.stalled) {
        this.slow = now - this.startedAt > machine.options.slowCallDurationThreshold;
      }
      return now;
    }
    // An ending of a call that was admitted while disabled is silent.
    if (this.period !== undefined) {
      machine.history.lateOutcomes++;
      this.#announce('lateOutcome', now, error, details);
    }
    machine.announcer.deliver();
    return undefined;
  }

  #leave(phase: Phase): void {
    if (this.#phase === 'out') this.machine.leave(this);
    this.observer = undefined;
    this.#phase = phase;
  }

  // Methods, since V8 calls into its runtime for a private getter: 5 % of a call
  // (test/bench/parts/try-acquire.ts).
  #hasEnded(): boolean {
    return this.#phase === 'succeeded' || this.#phase === 'ended';
  }

  #isLate(): boolean {
    return this.period !== this.machine.period || this.#phase === 'written-off';
  }

  #isFailure(value: unknown): boolean {
    try {
      return Boolean(atOnce(this.machine.options.recordResult?.(value)));
    } catch (error) {
      this.machine.reportError(error, 'recordResult');
      return false;
    }
  }

  #announce(
    type: CircuitBreakerEventType,
    now: number,
    error: unknown,
    details: OutcomeDetails | undefined,
    rest?: object,
  ): void {
    const { announcer } = this.machine;
    announcer.tally(type, this, now, details);
    if (announcer.wants(type)) announcer.announceEnding(type, this, now, error, details, rest);
  }
}

/** What `lastFailure` says of a call that is still out, and stands for a failure. */
const STALLED: OutcomeDetails = { kind: 'stalled' };
const WRITTEN_OFF: OutcomeDetails = { kind: 'written-off' };

function checkRetryAfter(details: FailureDetails | undefined): void {
  if (details?.retryAfter !== undefined) checkAtLeast('retryAfter', details.retryAfter, 0);
}

/** What `transitionOnResult` is shown of an error: nothing where there is none. */
function subjectOf(error: unknown): CountedResult | undefined {
  return error === undefined || error === null ? undefined : { error };
}
