import { checkAbove, checkNames, checkObject, checkText } from '../breaker/checks.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { Listeners } from '../breaker/listeners.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import { isLegalTransition, type CircuitBreakerState } from '../breaker/state.ts';
import type { BreakerStore } from '../registry/breaker-store.ts';
import type {
  ControlAction,
  ControlOptions,
  ControlResult,
  StandingOrder,
} from './control-types.ts';
import { matchesGlob } from './glob.ts';

interface Order {
  readonly pattern: string;
  readonly action: StandingAction;
  readonly reason: string;
  /** Monotonic ms; Infinity where it stands until it is handed back. */
  readonly until: number;
  /** By the wall clock, as it was when the order was given. */
  readonly expiresAt: number | undefined;
}

/** Orders that hold for breakers made later, too. */
const standing = ['forceOpen', 'open', 'disable', 'metricsOnly'] as const;

type StandingAction = (typeof standing)[number];

const states: Readonly<Record<Exclude<ControlAction, 'reset' | 'handBack'>, CircuitBreakerState>> =
  {
    forceOpen: 'forced-open',
    open: 'open',
    close: 'closed',
    halfOpen: 'half-open',
    disable: 'disabled',
    metricsOnly: 'metrics-only',
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

  /** What stands, the oldest first. */
  get standing(): readonly StandingOrder[] {
    return this.#orders.map(({ pattern, action, reason, expiresAt }) => ({
      pattern,
      action,
      reason,
      ...(expiresAt !== undefined && { expiresAt }),
    }));
  }

  /** Carries out an order, on the breakers there are, and where it stands on those to come. */
  give(action: ControlAction, pattern: string, options: ControlOptions): ControlResult {
    const { until, expiresAt } = this.#check(action, options);
    const { reason } = options;
    this.expire();
    // A listener that gives an order itself gives the next one.
    const result = this.#listeners.suspended(() => {
      if (action === 'handBack' || action === 'reset') {
        this.#end((order) => matchesGlob(pattern, order.pattern));
      }
      if (action === 'handBack') return this.#release(pattern, operatorStates);
      const moves = this.#moveAll(action, pattern, until);
      // Those that can't make the move stay with the order before.
      const isRefused = moves.moved.length === 0 && moves.skipped.length > 0;
      if (moves.skipped.length === 0) this.#end((order) => order.pattern === pattern);
      if (isStanding(action) && !isRefused) {
        this.#orders = [...this.#orders, { pattern, action, reason, until, expiresAt }];
      }
      return moves;
    });
    this.#announce(action, pattern, reason, result, expiresAt);
    return result;
  }

  /** Ends the orders whose time is over. Costs nothing while none stands. */
  expire(): void {
    if (this.#orders.length === 0) return;
    const now = this.#now();
    const expired = this.#orders.filter(({ until }) => until < now);
    if (expired.length === 0) return;
    this.#orders = this.#orders.filter((order) => !expired.includes(order));
    for (const { pattern, action } of expired) {
      // An open breaker goes on by itself at the end of its wait.
      if (action === 'open') continue;
      const result = this.#listeners.suspended(() => this.#release(pattern, [states[action]]));
      this.#announce('handBack', pattern, 'expired', result, undefined);
    }
  }

  /** A breaker was made: the latest order that stands for it moves it. */
  apply(key: string, breaker: CircuitBreaker): void {
    const order = this.#orderFor(key, breaker);
    if (order !== undefined) this.#move(breaker, states[order.action], order);
  }

  #orderFor(key: string, breaker: CircuitBreaker): Order | undefined {
    return this.#orders.findLast(({ pattern }) => matches(pattern, key, breaker));
  }

  #end(isOver: (order: Order) => boolean): void {
    this.#orders = this.#orders.filter((order) => !isOver(order));
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

  #moveAll(
    action: Exclude<ControlAction, 'handBack'>,
    pattern: string,
    until: number,
  ): ControlResult {
    const moved: string[] = [];
    const skipped: string[] = [];
    for (const [key, breaker] of this.#matching(pattern)) {
      const wasMoved = this.#move(breaker, action === 'reset' ? 'reset' : states[action], {
        until,
      });
      (wasMoved ? moved : skipped).push(key);
    }
    return { moved, skipped };
  }

  /**
   * Lets go those that are in the states given: to what another order that stands says, which may be
   * where they are, else to what they are configured to begin as, if that is an operator's state, else
   * to closed.
   */
  #release(pattern: string, held: readonly CircuitBreakerState[]): ControlResult {
    const moved: string[] = [];
    const skipped: string[] = [];
    for (const [key, breaker] of this.#matching(pattern)) {
      const { state } = breaker;
      if (!held.includes(state)) continue;
      const order = this.#orderFor(key, breaker);
      const { initialState } = breaker.machine.options;
      const own = operatorStates.includes(initialState) ? initialState : 'closed';
      const to = order === undefined ? own : states[order.action];
      const wasMoved = state !== to && this.#move(breaker, to, order);
      (wasMoved ? moved : skipped).push(key);
    }
    return { moved, skipped };
  }

  /** False where the move is not legal. */
  #move(
    { machine }: CircuitBreaker,
    to: CircuitBreakerState | 'reset',
    order: { readonly until: number } | undefined,
  ): boolean {
    const now = machine.touch();
    if (to === 'reset') machine.reset(now);
    else if (isLegalTransition(machine.state.name, to)) {
      machine.moveByHand(to, now, to === 'open' ? order?.until : undefined);
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
