import { CallsInFlight } from './calls-in-flight.ts';
import { checkAtLeast } from './checks.ts';
import { setSystemTimer, type CancelTimer } from './clock.ts';
import {
  getCallNotPermitted,
  ResultRecordedAsFailureError,
  type NotPermittedReason,
} from './errors.ts';
import type { CircuitBreakerEventType, OutcomeDetails, TransitionReason } from './events.ts';
import { History } from './history.ts';
import type { Listeners } from './listeners.ts';
import { circuitBreakerDefaults, type CountedResult, type OpenDecision } from './options.ts';
import { Period } from './period.ts';
import { Permit, type FailureDetails, type Phase } from './permit.ts';
import type { ResolvedOptions } from './resolve-options.ts';
import type { CircuitBreakerState, HalfOpen, State } from './state.ts';

// After a long sleep a breaker of short spans would move without end: then the rest is taken as one move.
const MOST_CHANGES_IN_ONE_TOUCH = 1000;

// setTimeout reads a longer span as 1 ms.
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The breaker itself: admit → permit → outcome → transition. Deadlines are instants, carried out in their order, each
 * as of its own instant, whenever the breaker is touched; it needs no timer for them.
 */
export class StateMachine {
  readonly name: string;
  readonly options: ResolvedOptions;
  readonly listeners: Listeners;
  readonly history: History = new History();
  state: State;
  period: Period;
  callsInFlight = 0;
  readonly #calls: CallsInFlight | undefined;
  #cancelTimer: CancelTimer | undefined;

  constructor(name: string, options: ResolvedOptions, listeners: Listeners) {
    this.name = name;
    this.options = options;
    this.listeners = listeners;
    const stallAfter = options.detectStalledCalls ? options.slowCallDurationThreshold : Infinity;
    const watched = stallAfter !== Infinity || options.permitLease !== Infinity;
    this.#calls = watched ? new CallsInFlight(stallAfter, options.permitLease) : undefined;
    this.period = new Period(options, options.initialState === 'half-open');
    const now = this.now();
    const initial = options.initialState;
    // As in Resilience4j, a breaker that begins open or half-open has opened once.
    const openings = initial === 'open' || initial === 'half-open' ? 1 : 0;
    this.state = this.#stateOf(
      initial,
      now,
      openings,
      initial === 'open' ? now + this.#ownWait(openings) : now,
      false,
    );
    this.#armTimer();
  }

  /** The monotonic clock; stands still where the user's clock fails. */
  now(): number {
    try {
      return this.options.clock.now();
    } catch (error) {
      this.#reportError(error, 'clock');
      return this.options.clock.latest;
    }
  }

  /** Reads the clock and carries out what has come due. Whoever calls it ends its step with `listeners.deliver()`. */
  touch(): number {
    const now = this.now();
    const calls = this.#calls;
    if (this.state.deadline <= now || (calls !== undefined && calls.isDue(now)))
      this.#carryOutDeadlines(now);
    return now;
  }

  /** Wall-clock time of an instant. A broken wall clock harms nothing: the system's is read instead. */
  dateOf(instant: number): number {
    let date = NaN;
    try {
      date = this.options.clock.source.date();
    } catch {
      // Read the system's.
    }
    return (Number.isFinite(date) ? date : Date.now()) - (this.options.clock.latest - instant);
  }

  /** Whole ms after which `open` no longer refuses: the end of the wait itself still does. */
  retryAfterMs(now: number): number | undefined {
    if (this.state.name !== 'open') return undefined;
    return now > this.state.until ? 0 : Math.ceil(this.state.until - now) + 1;
  }

  // ---- admission

  /** Whoever calls it ends the step with `listeners.deliver()`. */
  tryAcquire(follows: boolean): Permit | NotPermittedReason {
    const now = this.touch();
    const reason = this.whyNot(now);
    return reason === undefined ? this.#admit(now, follows) : this.#refuse(reason, now);
  }

  /** Why a call is not permitted now, asked without taking. */
  whyNot(now: number): NotPermittedReason | undefined {
    const { state, period, options } = this;
    switch (state.name) {
      case 'closed':
      case 'metrics-only':
        return period.callsOut < options.maxConcurrentCalls ? undefined : 'concurrency';
      case 'open':
        if (now > state.until) return undefined;
        return state.held ? 'held' : 'open';
      case 'half-open': {
        const free =
          state.permitsLeft > 0 && state.trialsOut < options.maxConcurrentCallsInHalfOpenState;
        return free ? undefined : 'half-open-full';
      }
      case 'disabled':
        return undefined;
      case 'forced-open':
        return 'forced-open';
    }
  }

  #admit(now: number, follows: boolean): Permit {
    if (this.state.name === 'open') this.#enterHalfOpen(now, 'wait-elapsed');
    if (this.state.name === 'half-open') this.#beginTrial(this.state, now);
    const counted = this.state.name !== 'disabled';
    const permit = new Permit(this, counted ? this.period : undefined, now, follows);
    if (counted) this.period.callsOut++;
    this.callsInFlight++;
    if (!follows) this.#calls?.add(permit);
    return permit;
  }

  #refuse(reason: NotPermittedReason, now: number): NotPermittedReason {
    if (reason !== 'concurrency') this.period.notPermitted++;
    if (this.listeners.wants('notPermitted')) this.#announce('notPermitted', now, { reason });
    return reason;
  }

  #beginTrial(state: HalfOpen, now: number): void {
    state.permitsLeft--;
    state.trialsOut++;
    if (
      this.options.transitionToStateAfterWaitDuration !== 'evaluate' ||
      state.deadline !== Infinity
    )
      return;
    state.deadline = now + this.#halfOpenLimit;
    this.#armTimer();
  }

  // ---- endings

  classifyResult(permit: Permit, value: unknown): void {
    if (permit.hasEnded) return;
    if (this.#asks('recordResult', value)) {
      this.fail(
        permit,
        new ResultRecordedAsFailureError(this.name, value),
        undefined,
        false,
        false,
      );
    } else {
      this.succeed(
        permit,
        undefined,
        undefined,
        value === undefined || value === null ? undefined : { value },
      );
    }
  }

  classifyError(permit: Permit, error: unknown): void {
    if (permit.hasEnded) return;
    const { recordErrors, ignoreErrors } = this.options;
    const onThrow = (source: string) => (thrown: unknown) => this.#reportError(thrown, source);
    if (ignoreErrors?.(error, onThrow('ignoreErrors')) === true)
      return this.ignore(permit, error, undefined);
    if (recordErrors?.(error, onThrow('recordErrors')) === true)
      return this.fail(permit, error, undefined, false);
    if (getCallNotPermitted(error) !== undefined) return this.ignore(permit, error, undefined);
    if (recordErrors === undefined) return this.fail(permit, error, undefined, false);
    this.succeed(permit, error, undefined, subjectOf(error));
  }

  succeed(
    permit: Permit,
    error: unknown,
    details: OutcomeDetails | undefined,
    subject?: CountedResult,
  ): void {
    if (permit.hasEnded) return;
    const now = this.touch();
    if (this.#isLate(permit)) this.#endLate(permit, now, error, details);
    else {
      this.#end(permit, now, 'succeeded');
      if (permit.stalled) this.period.stalledSuccess(permit);
      else this.period.success(permit, now);
      if (this.listeners.wants('success'))
        this.#announceEnding('success', permit, now, error, details);
      if (!permit.stalled) this.#judge(now);
      if (subject !== undefined) this.#askForTransition(subject, now);
    }
    this.listeners.deliver();
  }

  fail(
    permit: Permit,
    error: unknown,
    details: FailureDetails | undefined,
    trip: boolean,
    asked = true,
  ): void {
    if (permit.hasEnded) return;
    const now = this.touch();
    if (this.#isLate(permit)) this.#endLate(permit, now, error, details);
    else {
      this.#end(permit, now, 'ended');
      if (permit.stalled) this.period.stalledFailure(permit, now);
      else this.period.failure(permit, now);
      this.history.failed(error, details, now);
      if (details?.retryAfter !== undefined) {
        this.period.retryAfter = Math.max(this.period.retryAfter, now + details.retryAfter);
      }
      if (this.listeners.wants('failure')) {
        this.#announceEnding('failure', permit, now, error, details, trip ? { trip } : undefined);
      }
      if (!trip) this.#judge(now);
      else if (this.#mayOpen) this.#openByOwnWait(now, 'trip');
      const subject = asked ? subjectOf(error) : undefined;
      if (subject !== undefined) this.#askForTransition(subject, now);
    }
    this.listeners.deliver();
  }

  ignore(permit: Permit, error: unknown, details: OutcomeDetails | undefined): void {
    if (permit.hasEnded) return;
    const now = this.touch();
    if (this.#isLate(permit)) this.#endLate(permit, now, error, details);
    else {
      this.#end(permit, now, 'ended');
      this.#giveBack(permit);
      if (this.listeners.wants('ignored'))
        this.#announceEnding('ignored', permit, now, error, details);
    }
    this.listeners.deliver();
  }

  release(permit: Permit): void {
    if (permit.hasEnded) return;
    const now = this.touch();
    const late = this.#isLate(permit);
    this.#end(permit, now, 'ended');
    if (!late) this.#giveBack(permit);
    this.listeners.deliver();
  }

  hold(permit: Permit, ms: number, details: OutcomeDetails | undefined): void {
    if (permit.hasEnded) return;
    const now = this.touch();
    if (this.#isLate(permit)) this.#endLate(permit, now, undefined, details);
    else {
      this.#end(permit, now, 'ended');
      if (this.listeners.wants('held'))
        this.#announceEnding('held', permit, now, undefined, details, { holdFor: ms });
      const { state } = this;
      if (this.#mayOpen) this.#enterOpen(now, now + ms, state.openings, 'hold', true);
      else if (state.name === 'open' && now + ms > state.until) {
        state.until = now + ms;
        state.held = true;
        if (state.deadline !== Infinity) state.deadline = state.until;
        this.#armTimer();
      }
    }
    this.listeners.deliver();
  }

  amend(permit: Permit, error: unknown, details: OutcomeDetails | undefined): void {
    if (!permit.hasEnded) return this.fail(permit, error, details, false);
    if (permit.phase !== 'succeeded') return;
    const now = this.touch();
    permit.phase = 'ended';
    if (permit.period === this.period) {
      this.period.amend(permit, now);
      this.history.failed(error, details, now);
      if (this.listeners.wants('amended'))
        this.#announceEnding('amended', permit, now, error, details);
      this.#judge(now);
    }
    this.listeners.deliver();
  }

  /** The leader found that the call has stalled. */
  stall(permit: Permit): void {
    if (permit.phase !== 'out' || permit.stalled) return;
    this.#countStalled(permit, this.touch());
    this.listeners.deliver();
  }

  /** The leader's lease ran out. */
  writeOff(permit: Permit): void {
    if (permit.phase !== 'out') return;
    this.#countWrittenOff(permit, this.touch());
    this.listeners.deliver();
  }

  /** A permit counts while its period is in use and its lease has not run out. */
  #isLate(permit: Permit): boolean {
    return permit.period !== this.period || permit.phase === 'written-off';
  }

  #endLate(permit: Permit, now: number, error: unknown, details: OutcomeDetails | undefined): void {
    this.#end(permit, now, 'ended');
    if (permit.period === undefined) return;
    this.history.lateOutcomes++;
    if (this.listeners.wants('lateOutcome'))
      this.#announceEnding('lateOutcome', permit, now, error, details);
  }

  #end(permit: Permit, now: number, phase: Phase): void {
    if (permit.phase === 'out') {
      this.callsInFlight--;
      this.#calls?.remove(permit);
      if (permit.period === this.period) {
        this.period.callsOut--;
        if (this.state.name === 'half-open' && !permit.stalled) this.state.trialsOut--;
      }
      if (!permit.follows && !permit.stalled)
        permit.slow = now - permit.startedAt > this.options.slowCallDurationThreshold;
    }
    permit.phase = phase;
  }

  /** An ending without an outcome gives half-open its permit back, unless the call was counted as stalled. */
  #giveBack(permit: Permit): void {
    const { state } = this;
    if (state.name !== 'half-open' || permit.stalled) return;
    state.permitsLeft++;
    const waitsForTrial = this.options.transitionToStateAfterWaitDuration === 'evaluate';
    if (waitsForTrial && state.trialsOut === 0 && this.period.window.calls === 0) {
      state.deadline = Infinity;
      this.#armTimer();
    }
  }

  // ---- decisions

  /** Looks at the thresholds after a record has changed. */
  #judge(now: number): void {
    const { state, period, options } = this;
    const evaluated = period.isEvaluated;
    if (evaluated) this.history.everEvaluated = true;
    const failing = evaluated && period.failedShare >= options.failureRateThreshold;
    const slow = evaluated && period.slowShare >= options.slowCallRateThreshold;
    const inARow = period.consecutiveFailures >= options.consecutiveFailureThreshold;
    const counted = !evaluated && period.window.failed >= options.failureCountThreshold;
    switch (state.name) {
      case 'closed':
        if (failing) this.#announceRate('failureRateExceeded', now);
        if (slow) this.#announceRate('slowCallRateExceeded', now);
        if (failing) this.#openByOwnWait(now, 'failure-rate');
        else if (slow) this.#openByOwnWait(now, 'slow-call-rate');
        else if (counted) this.#openByOwnWait(now, 'failure-count');
        else if (inARow) this.#openByOwnWait(now, 'consecutive-failures');
        return;
      case 'half-open':
        if (inARow) this.#openByOwnWait(now, 'consecutive-failures');
        else if (failing) this.#openByOwnWait(now, 'failure-rate');
        else if (slow) this.#openByOwnWait(now, 'slow-call-rate');
        else if (counted) this.#openByOwnWait(now, 'failure-count');
        else if (evaluated) this.#enter('closed', now, 'trial-calls');
        return;
      case 'metrics-only':
        if (failing && !period.failureRateAnnounced) this.#announceRate('failureRateExceeded', now);
        if (slow && !period.slowCallRateAnnounced) this.#announceRate('slowCallRateExceeded', now);
        period.failureRateAnnounced ||= failing;
        period.slowCallRateAnnounced ||= slow;
        return;
      case 'open':
      case 'disabled':
      case 'forced-open':
    }
  }

  #askForTransition(subject: CountedResult, now: number): void {
    const { state, options } = this;
    if (options.transitionOnResult === undefined || state.name !== 'closed') return;
    try {
      const decision = options.transitionOnResult(subject);
      // It may have moved the breaker by hand, and then has decided already.
      if (decision === undefined || decision === null || this.state !== state) return;
      this.#enterOpen(now, now + this.#spanOf(decision), state.openings, 'result', false);
    } catch (error) {
      this.#reportError(error, 'transitionOnResult');
    }
  }

  #spanOf(decision: OpenDecision): number {
    if ('openFor' in decision)
      return checkAtLeast('transitionOnResult: openFor', decision.openFor, 0);
    return this.spanUntil('transitionOnResult: openUntil', decision.openUntil);
  }

  /** The span from now to a date: negative where it is past. */
  spanUntil(what: string, date: unknown): number {
    if (!(date instanceof Date) || Number.isNaN(date.getTime()))
      throw new TypeError(`${what} must be a valid Date`);
    return date.getTime() - this.options.clock.source.date();
  }

  #asks(option: 'recordResult', value: unknown): boolean {
    try {
      return Boolean(this.options[option]?.(value));
    } catch (error) {
      this.#reportError(error, option);
      return false;
    }
  }

  // ---- deadlines

  #carryOutDeadlines(now: number): void {
    const calls = this.#calls;
    let changes = 0;
    for (;;) {
      const { deadline } = this.state;
      // A call is slow only strictly after its threshold; but at the instant of a deadline that is due, calls come first.
      const isDue = (instant: number) => (deadline <= now ? instant <= deadline : instant < now);
      const stall = calls === undefined ? Infinity : calls.nextStall;
      const leaseEnd = calls === undefined ? Infinity : calls.nextLeaseEnd;
      if (isDue(stall) && stall <= leaseEnd) this.#countStalled(calls!.takeStalled(), stall);
      else if (isDue(leaseEnd)) this.#countWrittenOff(calls!.takeExpired(), leaseEnd);
      else if (deadline <= now)
        this.#endState(changes++ < MOST_CHANGES_IN_ONE_TOUCH ? deadline : now);
      else return;
    }
  }

  #countStalled(permit: Permit, at: number): void {
    if (permit.period === this.period) {
      this.period.stall(permit, at);
      this.history.stalledCalls++;
      if (this.state.name === 'half-open') this.state.trialsOut--;
      if (this.listeners.wants('stalledCall'))
        this.#announceEnding('stalledCall', permit, at, undefined, undefined);
      this.#judge(at);
    }
    if (permit.observer !== undefined) this.listeners.withinStep(() => permit.observer?.stalled());
  }

  #countWrittenOff(permit: Permit, at: number): void {
    const counts = permit.period === this.period && !permit.stalled;
    this.#end(permit, at, 'written-off');
    if (counts) {
      permit.slow = true;
      this.period.failure(permit, at);
      this.history.failed(undefined, undefined, at);
      if (this.listeners.wants('failure')) {
        this.#announceEnding('failure', permit, at, undefined, undefined, { writtenOff: true });
      }
      this.#judge(at);
    }
    if (permit.observer !== undefined)
      this.listeners.withinStep(() => permit.observer?.writtenOff());
  }

  /** The state's own deadline: the end of the wait, or half-open's limit. */
  #endState(at: number): void {
    if (this.state.name === 'open') return this.#enterHalfOpen(at, 'wait-elapsed');
    switch (this.options.transitionToStateAfterWaitDuration) {
      case 'open':
        return this.#openByOwnWait(at, 'half-open-limit');
      case 'closed':
        return this.#enter('closed', at, 'half-open-limit');
      case 'evaluate':
        if (this.#isHealthySoFar) this.#enter('closed', at, 'half-open-limit');
        else this.#openByOwnWait(at, 'half-open-limit');
    }
  }

  get #isHealthySoFar(): boolean {
    const { period, options } = this;
    return (
      period.window.calls > 0 &&
      period.consecutiveFailures < options.consecutiveFailureThreshold &&
      period.failedShare < options.failureRateThreshold &&
      period.slowShare < options.slowCallRateThreshold
    );
  }

  // ---- moves

  get #mayOpen(): boolean {
    return this.state.name === 'closed' || this.state.name === 'half-open';
  }

  get #halfOpenLimit(): number {
    const limit = this.options.maxWaitDurationInHalfOpenState;
    return limit === 0 ? Infinity : limit;
  }

  /** A move by hand, which has been checked to be legal. An `until` of its own leaves the openings in a row as they are. */
  moveByHand(to: CircuitBreakerState, now: number, until?: number): void {
    const { openings } = this.state;
    switch (to) {
      case 'open':
        if (until !== undefined) this.#enterOpen(now, until, openings, 'manual', false);
        else this.#enterOpen(now, now + this.#ownWait(openings + 1), openings + 1, 'manual', false);
        return;
      case 'half-open':
        return this.#enterHalfOpen(now, 'manual');
      default:
        this.#enter(to, now, 'manual');
    }
  }

  reset(now: number): void {
    this.history.endOutage();
    this.#enter('closed', now, 'reset');
    if (this.listeners.wants('reset')) this.#announce('reset', now, {});
  }

  #openByOwnWait(now: number, reason: TransitionReason): void {
    const { state, period } = this;
    const openings = state.openings + 1;
    const until = Math.max(now + this.#ownWait(openings), period.retryAfter);
    // A wait function of the user's may itself have moved the breaker.
    if (this.state === state) this.#enterOpen(now, until, openings, reason, false);
  }

  #enterOpen(
    now: number,
    until: number,
    openings: number,
    reason: TransitionReason,
    held: boolean,
  ): void {
    this.#change(this.#stateOf('open', now, openings, until, held), now, reason);
  }

  #enterHalfOpen(now: number, reason: TransitionReason): void {
    const { openings } = this.state;
    this.period = new Period(this.options, true);
    this.#change(this.#stateOf('half-open', now, openings, now, false), now, reason);
  }

  #enter(
    to: 'closed' | 'metrics-only' | 'disabled' | 'forced-open',
    now: number,
    reason: TransitionReason,
  ): void {
    const openings = to === 'forced-open' ? this.state.openings + 1 : 0;
    this.period = new Period(this.options, false);
    this.#change(this.#stateOf(to, now, openings, now, false), now, reason);
  }

  #stateOf(
    name: CircuitBreakerState,
    since: number,
    openings: number,
    until: number,
    held: boolean,
  ): State {
    const { options } = this;
    switch (name) {
      case 'open': {
        const deadline = options.automaticTransitionFromOpenToHalfOpenEnabled ? until : Infinity;
        return { name, since, openings, deadline, until, held };
      }
      case 'half-open': {
        // 'evaluate' counts the limit from the first trial call.
        const deadline =
          options.transitionToStateAfterWaitDuration === 'evaluate'
            ? Infinity
            : since + this.#halfOpenLimit;
        const permitsLeft = options.permittedNumberOfCallsInHalfOpenState;
        return { name, since, openings, deadline, permitsLeft, trialsOut: 0 };
      }
      default:
        return { name, since, openings, deadline: Infinity };
    }
  }

  #change(next: State, now: number, reason: TransitionReason): void {
    const from = this.state.name;
    this.state = next;
    this.history.moved(from, next.name, now);
    if (from !== next.name && this.listeners.wants('stateTransition')) {
      const wait = next.name === 'open' ? { wait: next.until - now } : undefined;
      this.#announce('stateTransition', now, { state: from, from, to: next.name, reason, ...wait });
    }
    this.#armTimer();
  }

  #ownWait(openings: number): number {
    try {
      return checkAtLeast(
        'waitDurationInOpenState: what it returned',
        this.options.waitDurationInOpenState(openings),
        0,
      );
    } catch (error) {
      this.#reportError(error, 'waitDurationInOpenState');
      return circuitBreakerDefaults.waitDurationInOpenState;
    }
  }

  /** One timer, only where the automatic move is asked for, and only while the state has a deadline. */
  #armTimer(): void {
    if (!this.options.automaticTransitionFromOpenToHalfOpenEnabled) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { clock } = this.options;
    if (this.state.deadline === Infinity) return;
    const span = Math.min(
      Math.max(Math.ceil(this.state.deadline - clock.latest), 0),
      LONGEST_TIMER,
    );
    try {
      const setTimer = clock.source.setTimer?.bind(clock.source) ?? setSystemTimer;
      this.#cancelTimer = setTimer(() => this.#timerFired(), span);
    } catch (error) {
      this.#reportError(error, 'clock');
    }
  }

  #timerFired(): void {
    this.#cancelTimer = undefined;
    this.touch();
    // It fired early, or the span was longer than one timer takes.
    if (this.#cancelTimer === undefined) this.#armTimer();
    this.listeners.deliver();
  }

  // ---- announcements

  #announce(type: CircuitBreakerEventType, instant: number, rest: object): void {
    this.listeners.push({
      type,
      breaker: this.name,
      at: this.dateOf(instant),
      state: this.state.name,
      ...rest,
    });
  }

  #announceRate(type: 'failureRateExceeded' | 'slowCallRateExceeded', now: number): void {
    if (!this.listeners.wants(type)) return;
    const rate = type === 'failureRateExceeded' ? this.period.failedShare : this.period.slowShare;
    this.#announce(type, now, { rate });
  }

  #announceEnding(
    type: CircuitBreakerEventType,
    permit: Permit,
    now: number,
    error: unknown,
    details: OutcomeDetails | undefined,
    rest?: object,
  ): void {
    this.#announce(type, now, {
      elapsed: now - permit.startedAt,
      ...(error !== undefined && { error }),
      ...(permit.stalled && { stalled: true }),
      ...(details?.kind !== undefined && { kind: details.kind }),
      ...(details?.status !== undefined && { status: details.status }),
      ...(details?.code !== undefined && { code: details.code }),
      ...(details?.rule !== undefined && { rule: details.rule }),
      ...rest,
    });
  }

  #reportError(error: unknown, source: string): void {
    const event = {
      type: 'error',
      breaker: this.name,
      at: this.dateOf(this.options.clock.latest),
      state: this.state?.name,
      error,
      source,
    };
    this.listeners.pushError(event);
  }
}

/** What `transitionOnResult` is shown of an error: nothing where there is none. */
function subjectOf(error: unknown): CountedResult | undefined {
  return error === undefined || error === null ? undefined : { error };
}
