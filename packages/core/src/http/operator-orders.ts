import { checkAbove, checkNames, checkObject, checkText } from '../breaker/checks.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { Listeners } from '../breaker/listeners.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import { isLegalTransition, type CircuitBreakerState } from '../breaker/state.ts';
import type { BreakerStore } from '../registry/breaker-store.ts';
import type { ControlAction, ControlOptions, ControlResult } from './control-types.ts';
import { matchesGlob } from './glob.ts';

interface Order {
  readonly pattern: string;
  readonly action: StandingAction;
  /** Monotonic ms; Infinity where it stands until it is handed back. */
  readonly until: number;
}

/** Orders that hold for breakers made later, too. */
const standing = ['forceOpen', 'open', 'disable', 'metricsOnly'] as const;

type StandingAction = (typeof standing)[number];

const states: Readonly<Record<Exclude<ControlAction, 'reset'>, CircuitBreakerState>> = {
  forceOpen: 'forced-open',
  open: 'open',
  close: 'closed',
  halfOpen: 'half-open',
  disable: 'disabled',
  metricsOnly: 'metrics-only',
  handBack: 'closed',
};

const operatorStates: readonly CircuitBreakerState[] = ['forced-open', 'disabled', 'metrics-only'];

/**
 * The orders of an operator over the breakers of one `HttpCircuitBreaker`. Those that stand hold
 * for breakers made later, too; they end by themselves as breakers are used or read, with no timer.
 */
export class OperatorOrders {
  readonly #store: BreakerStore;
  readonly #clock: MonotonicClock;
  readonly #listeners: Listeners;
  #orders: readonly Order[] = [];

  constructor(store: BreakerStore, clock: MonotonicClock, listeners: Listeners) {
    this.#store = store;
    this.#clock = clock;
    this.#listeners = listeners;
  }

  /** Carries out an order, on the breakers there are, and where it stands on those to come. */
  give(action: ControlAction, pattern: string, options: ControlOptions): ControlResult {
    const { until, expiresAt } = this.#check(action, options);
    // The latest order about a pattern is the one that holds.
    this.#orders = this.#orders.filter((order) => order.pattern !== pattern);
    if (isStanding(action)) this.#orders = [...this.#orders, { pattern, action, until }];
    const result: ControlResult =
      action === 'handBack'
        ? this.#release(pattern, (state) => operatorStates.includes(state))
        : this.#moveAll(action, pattern, until);
    this.#announce(action, pattern, options.reason, result, expiresAt);
    return result;
  }

  /** Ends the orders whose time is over. Costs nothing while none stands. */
  expire(): void {
    if (this.#orders.length === 0) return;
    const now = this.#now();
    for (const order of this.#orders) {
      if (order.until >= now) continue;
      this.#orders = this.#orders.filter((other) => other !== order);
      // An open breaker goes on by itself at the end of its wait.
      if (order.action === 'open') continue;
      const result = this.#release(order.pattern, (state) => state === states[order.action]);
      this.#announce('handBack', order.pattern, 'expired', result, undefined);
    }
  }

  /** A breaker was made: the latest order that stands for it moves it. */
  apply(key: string, breaker: CircuitBreaker): void {
    const order = this.#orders.findLast(({ pattern }) => matches(pattern, key, breaker));
    if (order !== undefined) this.#move(breaker, order.action, order.until);
  }

  #check(
    action: ControlAction,
    options: ControlOptions,
  ): { readonly until: number; readonly expiresAt: number | undefined } {
    const names = isStanding(action) ? ['reason', 'for', 'until'] : ['reason'];
    checkNames(action, checkObject(`${action}: options`, options), names);
    checkText(`${action}: reason`, options.reason);
    const { for: span, until } = options;
    if (span !== undefined && until !== undefined) {
      throw new TypeError(`${action}: for and until say the same; give one of them`);
    }
    const now = this.#now();
    const date = this.#clock.dateOf(now);
    if (span !== undefined) {
      checkAbove(`${action}: for`, span, 0);
      return { until: now + span, expiresAt: date + span };
    }
    if (until !== undefined) {
      if (!(until instanceof Date) || !(until.getTime() > date)) {
        throw new RangeError(`${action}: until must be a Date that is still to come`);
      }
      return { until: now + until.getTime() - date, expiresAt: until.getTime() };
    }
    if (action === 'open') {
      throw new TypeError('open: for how long? give for, in ms, or until, a Date');
    }
    return { until: Infinity, expiresAt: undefined };
  }

  #moveAll(action: ControlAction, pattern: string, until: number): ControlResult {
    const moved: string[] = [];
    const skipped: string[] = [];
    for (const [key, breaker] of this.#matching(pattern)) {
      (this.#move(breaker, action, until) ? moved : skipped).push(key);
    }
    return { moved, skipped };
  }

  /** Closes those that are in the states given, unless another order still stands for them. */
  #release(pattern: string, isHeld: (state: CircuitBreakerState) => boolean): ControlResult {
    const moved: string[] = [];
    for (const [key, breaker] of this.#matching(pattern)) {
      if (!isHeld(breaker.state)) continue;
      this.#move(breaker, 'handBack', Infinity);
      this.apply(key, breaker);
      moved.push(key);
    }
    return { moved, skipped: [] };
  }

  /** False where the move is not legal. */
  #move({ machine }: CircuitBreaker, action: ControlAction, until: number): boolean {
    const now = machine.touch();
    if (action === 'reset') machine.reset(now);
    else if (isLegalTransition(machine.state.name, states[action])) {
      machine.moveByHand(states[action], now, action === 'open' ? until : undefined);
    } else return false;
    machine.announcer.deliver();
    return true;
  }

  #matching(pattern: string): (readonly [key: string, breaker: CircuitBreaker])[] {
    return [...this.#store].filter(([key, breaker]) => matches(pattern, key, breaker));
  }

  #now(): number {
    try {
      return this.#clock.now();
    } catch {
      // A breaker that is touched reports it.
      return this.#clock.latest;
    }
  }

  #announce(
    action: ControlAction,
    pattern: string,
    reason: string,
    result: ControlResult,
    expiresAt: number | undefined,
  ): void {
    if (this.#listeners.wants('control')) {
      const at = this.#clock.date;
      const audit = { action, reason, ...(expiresAt !== undefined && { expiresAt }), ...result };
      const event = { type: 'control', breaker: pattern, at, ...audit };
      this.#listeners.push(event);
    }
    this.#listeners.deliver();
  }
}

function isStanding(action: ControlAction): action is StandingAction {
  return (standing as readonly ControlAction[]).includes(action);
}

function matches(pattern: string, key: string, breaker: CircuitBreaker): boolean {
  return matchesGlob(pattern, key) || matchesGlob(pattern, breaker.name);
}
