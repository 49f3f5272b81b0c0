import { Announcer } from './announcer.ts';
import { CallsInFlight } from './calls-in-flight.ts';
import { atOnce, checkAtLeast } from './checks.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import type { NotPermittedReason } from './errors.ts';
import type { TransitionReason } from './events.ts';
import { History } from './history.ts';
import type { Listeners } from './listeners.ts';
import { circuitBreakerDefaults, type CountedResult, type OpenDecision } from './options.ts';
import { Period } from './period.ts';
import { Permit } from './permit.ts';
import type { ResolvedOptions } from './resolve-options.ts';
import { enterHalfOpen, enterOpen, enterSettled, type CircuitBreakerState } from './state.ts';
import type { HalfOpen, Settled, State } from './state.ts';
import { isFailing, isHealthySoFar, isSlow, reasonToOpen, reasonToReopen } from './thresholds.ts';

// After a long sleep a breaker of short spans would move without end. From then on a move is as of now;
// as many again, which only waits of 0 can bring about, end it.
const MOST_CHANGES_IN_ONE_TOUCH = 1000;

/**
 * The states of one breaker, and all that moves them. Deadlines are instants: they are carried out
 * in their order, each as of its own instant, whenever the breaker is touched.
 *
 * A step is: `touch`, the work, `announcer.deliver`. Permits and the public class begin and end it.
 */
export class StateMachine {
  readonly name: string;
  /** Where a registry knows it by another text than its name. */
  readonly key: string | undefined;
  readonly options: ResolvedOptions;
  readonly announcer: Announcer;
  state: State;
  callsInFlight = 0;
  #isCarryingOut = false;
  // Made when they are needed: most breakers of a large registry are idle.
  #history: History | undefined;
  #period: Period | undefined;
  #calls: CallsInFlight | undefined;
  #timer: DeadlineTimer | undefined;

  /** @param shared  the listeners of many breakers; without them this one has its own */
  constructor(
    name: string,
    options: ResolvedOptions,
    shared: Listeners | undefined,
    key: string = name,
  ) {
    this.name = name;
    this.key = key === name ? undefined : key;
    this.options = options;
    this.announcer = new Announcer(shared);
    if (options.automaticTransitionFromOpenToHalfOpenEnabled) {
      this.#timer = new DeadlineTimer(() => this.#timerFired());
    }
    this.state = enterSettled('closed', 0, 0);
    this.state = this.#initialState(options.initialState, this.now());
    this.#armTimer();
  }

  get history(): History {
    return (this.#history ??= new History());
  }

  /** The period in use. */
  get period(): Period {
    return (this.#period ??= new Period(this.options, this.state.name === 'half-open'));
  }

  /** The monotonic clock; it stands still where the user's clock fails. */
  now(): number {
    try {
      return this.options.clock.now();
    } catch (error) {
      this.reportError(error, 'clock');
      return this.options.clock.latest;
    }
  }

  /** Begins a step: reads the clock, and carries out what has come due. */
  touch(): number {
    const now = this.now();
    // A wait function of the user's that reads the breaker comes in the middle of it.
    if (this.#isCarryingOut) return now;
    const calls = this.#calls;
    if (this.state.deadline <= now || (calls !== undefined && calls.isDue(now))) {
      this.#isCarryingOut = true;
      this.#carryOutDeadlines(now);
      this.#isCarryingOut = false;
    }
    return now;
  }

  reportError(error: unknown, source: string): void {
    this.announcer.reportError(this, error, source);
  }

  tryAcquire(): Permit | NotPermittedReason {
    const now = this.touch();
    const reason = this.whyNot(now);
    if (reason === undefined) return this.admit(now, false);
    this.refuse(now, reason);
    return reason;
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
      case 'half-open':
        if (state.permitsLeft === 0) return 'half-open-full';
        return state.trialsOut < options.maxConcurrentCallsInHalfOpenState
          ? undefined
          : 'half-open-full';
      case 'disabled':
        return undefined;
      case 'forced-open':
        return 'forced-open';
    }
  }

  /** Whole ms after which `open` no longer refuses: the end of the wait itself still does. */
  retryAfterMs(now: number): number | undefined {
    if (this.state.name !== 'open') return undefined;
    return now > this.state.until ? 0 : Math.ceil(this.state.until - now) + 1;
  }

  /** Counts and announces a refusal. */
  refuse(now: number, reason: NotPermittedReason): void {
    if (reason !== 'concurrency') this.period.notPermitted++;
    if (this.announcer.wants('notPermitted')) {
      this.announcer.announce(this, 'notPermitted', this.state.name, now, { reason });
    }
  }

  /**
   * Admits a call that nothing speaks against.
   * @param follows  another breaker's permit measures the call: slow, stalled and written off are
   *   told
   */
  admit(now: number, follows: boolean): Permit {
    if (this.state.name === 'open') this.#enterHalfOpen(now, 'wait-elapsed');
    if (this.state.name === 'half-open') this.#beginTrial(this.state, now);
    const isCounted = this.state.name !== 'disabled';
    const permit = new Permit(this, isCounted ? this.period : undefined, now, follows);
    if (isCounted) this.period.callsOut++;
    this.callsInFlight++;
    if (!follows) this.#watch(permit);
    return permit;
  }

  /** It stalls, or outlives its lease, where there are such things. */
  #watch(permit: Permit): void {
    const { detectStalledCalls, slowCallDurationThreshold, permitLease } = this.options;
    if (!detectStalledCalls && permitLease === Infinity) return;
    const stallAfter = detectStalledCalls ? slowCallDurationThreshold : Infinity;
    this.#calls ??= new CallsInFlight(stallAfter, permitLease);
    this.#calls.add(permit);
  }

  #beginTrial(state: HalfOpen, now: number): void {
    state.permitsLeft--;
    state.trialsOut++;
    if (!this.#limitsFromFirstTrial() || state.deadline !== Infinity) return;
    state.deadline = now + this.options.maxWaitDurationInHalfOpenState;
    this.#armTimer();
  }

  /** The call is out no longer. */
  leave(permit: Permit): void {
    this.callsInFlight--;
    this.#calls?.remove(permit);
    if (permit.period !== this.period) return;
    this.period.callsOut--;
    if (!permit.stalled) this.freeTrial();
  }

  /** A trial call has ended or was given up: another may be out beside the rest. */
  freeTrial(): void {
    if (this.state.name === 'half-open') this.state.trialsOut--;
  }

  /** A trial call ended without an outcome: its permit goes back. */
  giveBackTrial(): void {
    const { state } = this;
    if (state.name !== 'half-open') return;
    state.permitsLeft++;
    if (!this.#limitsFromFirstTrial() || state.trialsOut > 0 || this.period.window.calls > 0)
      return;
    state.deadline = Infinity;
    this.#armTimer();
  }

  /** Looks at the thresholds, after a record has changed. */
  judge(now: number): void {
    const { state, period, options } = this;
    if (period.isEvaluated) this.history.everEvaluated = true;
    if (state.name === 'closed') {
      const reason = reasonToOpen(period, options);
      if (reason === undefined) return;
      this.#announceRates(now, isFailing(period, options), isSlow(period, options));
      this.openByOwnWait(now, reason);
    } else if (state.name === 'half-open') {
      const reason = reasonToReopen(period, options);
      if (reason !== undefined) this.openByOwnWait(now, reason);
      else if (period.isEvaluated) this.#enterSettled('closed', now, 'trial-calls');
    } else if (state.name === 'metrics-only') {
      const failing = isFailing(period, options);
      const slow = isSlow(period, options);
      const { failureRateAnnounced, slowCallRateAnnounced } = period;
      this.#announceRates(now, failing && !failureRateAnnounced, slow && !slowCallRateAnnounced);
      period.failureRateAnnounced ||= failing;
      period.slowCallRateAnnounced ||= slow;
    }
  }

  /** After a failure that needs no counting. */
  trip(now: number): void {
    if (this.period.isEvaluated) this.history.everEvaluated = true;
    if (this.state.name === 'metrics-only') this.judge(now);
    else this.openByOwnWait(now, 'trip');
  }

  /** Asks `transitionOnResult` about a counted outcome, while closed. */
  askForTransition(subject: CountedResult, now: number): void {
    const { state, options } = this;
    if (options.transitionOnResult === undefined || state.name !== 'closed') return;
    try {
      const ask = options.transitionOnResult;
      const decision = this.announcer.withinStep(() => atOnce(ask(subject)));
      // It may have moved the breaker by hand; then that is the decision.
      if (!decision || this.state !== state) return;
      this.#enterOpen(now, now + this.#spanOf(decision), state.openings, 'result', false);
    } catch (error) {
      this.reportError(error, 'transitionOnResult');
    }
  }

  #spanOf(decision: OpenDecision): number {
    if ('openFor' in decision) {
      return checkAtLeast('transitionOnResult: openFor', decision.openFor, 0);
    }
    return this.spanUntil('transitionOnResult: openUntil', decision.openUntil);
  }

  /** The span from now to a date: negative where it is past. */
  spanUntil(what: string, date: unknown): number {
    if (!(date instanceof Date) || Number.isNaN(date.getTime())) {
      throw new TypeError(`${what} must be a valid Date`);
    }
    const { clock } = this.options;
    return date.getTime() - clock.date;
  }

  /** Opens a closed or half-open breaker, for as long as its own wait or the dependency says. */
  openByOwnWait(now: number, reason: TransitionReason): void {
    const { state, period } = this;
    if (state.name !== 'closed' && state.name !== 'half-open') return;
    const openings = state.openings + 1;
    const until = Math.max(now + this.#ownWait(openings), period.retryAfter);
    // A wait function of the user's may itself have moved the breaker; then that is the decision.
    if (this.state === state) this.#enterOpen(now, until, openings, reason, false);
  }

  /** Opens a closed or half-open breaker for so long, or moves the end of an open one out. */
  hold(now: number, ms: number): void {
    const { state } = this;
    if (state.name === 'closed' || state.name === 'half-open') {
      this.#enterOpen(now, now + ms, state.openings, 'hold', true);
    } else if (state.name === 'open' && now + ms > state.until) {
      state.until = now + ms;
      state.held = true;
      if (this.#timer !== undefined) state.deadline = state.until;
      this.#armTimer();
    }
  }

  /** By hand; legal moves only. With an `until` the openings in a row stay as they are. */
  moveByHand(to: CircuitBreakerState, now: number, until?: number): void {
    const { state } = this;
    const { openings } = state;
    if (to === 'half-open') this.#enterHalfOpen(now, 'manual');
    else if (to !== 'open') this.#enterSettled(to, now, 'manual');
    else if (until !== undefined) this.#enterOpen(now, until, openings, 'manual', false);
    else {
      const ownWait = this.#ownWait(openings + 1);
      // As in `openByOwnWait`.
      if (this.state === state) this.#enterOpen(now, now + ownWait, openings + 1, 'manual', false);
    }
  }

  reset(now: number): void {
    const from = this.state.name;
    this.history.endOutage();
    this.#enterSettled('closed', now, 'reset');
    if (this.announcer.wants('reset')) this.announcer.announce(this, 'reset', from, now);
  }

  #initialState(name: CircuitBreakerState, now: number): State {
    // As in Resilience4j, a breaker that begins open, half-open or forced open has opened once.
    if (name === 'open') return enterOpen(now, 1, now + this.#ownWait(1), false, this.options);
    if (name === 'half-open') return enterHalfOpen(now, 1, this.options);
    return enterSettled(name, now, name === 'forced-open' ? 1 : 0);
  }

  #enterOpen(
    now: number,
    until: number,
    openings: number,
    reason: TransitionReason,
    held: boolean,
  ): void {
    const next = enterOpen(now, openings, until, held, this.options);
    // A renewal goes on with the time spent open, as it does with the counts.
    const { since } = this.state.name === 'open' ? this.state : next;
    this.#change({ ...next, since }, now, reason, Math.max(0, until - now));
  }

  #enterHalfOpen(now: number, reason: TransitionReason): void {
    this.#period = undefined;
    this.#change(enterHalfOpen(now, this.state.openings, this.options), now, reason);
  }

  #enterSettled(to: Settled['name'], now: number, reason: TransitionReason): void {
    this.#period = undefined;
    const openings = to === 'forced-open' ? this.state.openings + 1 : 0;
    this.#change(enterSettled(to, now, openings), now, reason);
  }

  #change(next: State, now: number, reason: TransitionReason, wait?: number): void {
    const from = this.state.name;
    const to = next.name;
    this.state = next;
    const recoveryMs = this.history.moved(from, to, now);
    if (from !== to && this.announcer.wants('stateTransition')) {
      const rest = {
        from,
        to,
        reason,
        ...(wait !== undefined && { wait }),
        ...(recoveryMs !== undefined && { recoveryMs }),
      };
      this.announcer.announce(this, 'stateTransition', from, now, rest);
    }
    this.#armTimer();
  }

  #ownWait(openings: number): number {
    try {
      const { waitDurationInOpenState } = this.options;
      const wait = this.announcer.withinStep(() => atOnce(waitDurationInOpenState(openings)));
      return checkAtLeast('waitDurationInOpenState: what it returned', wait, 0);
    } catch (error) {
      this.reportError(error, 'waitDurationInOpenState');
      return circuitBreakerDefaults.waitDurationInOpenState;
    }
  }

  #limitsFromFirstTrial(): boolean {
    return this.options.transitionToStateAfterWaitDuration === 'evaluate';
  }

  #carryOutDeadlines(now: number): void {
    const calls = this.#calls;
    let changes = 0;
    for (;;) {
      const { deadline } = this.state;
      const stall = calls?.nextStall ?? Infinity;
      const leaseEnd = calls?.nextLeaseEnd ?? Infinity;
      if (isDue(stall, now, deadline) && stall <= leaseEnd) calls?.takeStalled().stall(stall);
      else if (isDue(leaseEnd, now, deadline)) calls?.takeExpired().writeOff(leaseEnd);
      else if (deadline > now || changes > 2 * MOST_CHANGES_IN_ONE_TOUCH) return;
      else this.#endState(changes++ < MOST_CHANGES_IN_ONE_TOUCH ? deadline : now);
    }
  }

  /** The state's own deadline: the end of the wait, or half-open's limit. */
  #endState(at: number): void {
    const { transitionToStateAfterWaitDuration: to } = this.options;
    if (this.state.name === 'open') this.#enterHalfOpen(at, 'wait-elapsed');
    else if (to === 'closed' || (to === 'evaluate' && isHealthySoFar(this.period, this.options))) {
      this.#enterSettled('closed', at, 'half-open-limit');
    } else this.openByOwnWait(at, 'half-open-limit');
  }

  /** Nobody hears of it any more, and no timer moves it. Calls in flight settle as ever. */
  detach(): void {
    const timer = this.#timer;
    this.#timer = undefined;
    this.#guarded(() => timer?.cancel());
    this.announcer.detach();
  }

  #armTimer(): void {
    const timer = this.#timer;
    if (timer === undefined) return;
    this.#guarded(() => timer.cancel());
    this.#guarded(() => timer.arm(this.options.clock, this.state.deadline));
  }

  /** Timers of the user's may throw. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.reportError(error, 'clock');
    }
  }

  #timerFired(): void {
    this.touch();
    // Fired early, or after a part of a long span, it has moved nothing.
    if (this.#timer?.isArmed === false) this.#armTimer();
    this.announcer.deliver();
  }

  #announceRates(now: number, failing: boolean, slow: boolean): void {
    const { period, state, announcer } = this;
    if (failing && announcer.wants('failureRateExceeded')) {
      const rate = { rate: period.failedShare };
      announcer.announce(this, 'failureRateExceeded', state.name, now, rate);
    }
    if (slow && announcer.wants('slowCallRateExceeded')) {
      const rate = { rate: period.slowShare };
      announcer.announce(this, 'slowCallRateExceeded', state.name, now, rate);
    }
  }
}

/**
 * A call stalls or expires strictly after its instant; but where the state's own deadline is due,
 * calls whose instant is not later come first, so that it does not matter when the breaker is
 * touched.
 */
function isDue(instant: number, now: number, deadline: number): boolean {
  return deadline <= now ? instant <= deadline : instant < now;
}
