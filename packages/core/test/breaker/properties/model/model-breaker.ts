import { Counts } from './counts.ts';
import { type ModelCall, newCall } from './model-call.ts';
import { isLegal, type ModelOptions, type ModelState } from './model-options.ts';

export type Refusal = 'open' | 'held' | 'forced-open' | 'half-open-full' | 'concurrency';

interface Due {
  at: number;
  order: 0 | 1 | 2;
  carryOut: () => void;
}

/**
 * A breaker as its specification describes it, without any care for cost: every number is counted anew from
 * everything that ever happened, every deadline is searched for. Its events are lines of text.
 */
export class ModelBreaker {
  readonly options: ModelOptions;
  state: ModelState = 'closed';
  counts: Counts;
  readonly calls: ModelCall[] = [];
  now: number;
  openings = 0;
  openUntil = -Infinity;
  held = false;
  events: string[] = [];
  lateOutcomes = 0;
  #openedAt = -Infinity;
  #permitsGiven = 0;
  #limitFrom: number | undefined;

  constructor(options: ModelOptions, now: number) {
    this.options = options;
    this.now = now;
    this.counts = this.#newCounts('closed');
    const { initialState } = options;
    if (initialState === 'open') this.#enterOpen(options.wait(++this.openings));
    else this.#enter(initialState);
    if (initialState === 'half-open') this.openings = 1;
  }

  /** The clock has moved on, and the breaker is touched: all that was due happens, each as of its own instant. */
  touch(now: number): void {
    for (let due = this.#nextDue(now); due; due = this.#nextDue(now)) {
      this.now = Math.max(this.now, due.at);
      due.carryOut();
    }
    this.now = now;
  }

  refusal(): Refusal | undefined {
    const { options } = this;
    switch (this.state) {
      case 'open':
        if (this.now > this.openUntil) return undefined;
        return this.held ? 'held' : 'open';
      case 'forced-open':
        return 'forced-open';
      case 'half-open': {
        const concurrent = this.#ownCallsOut().filter((call) => !call.stalled).length;
        const full =
          this.#permitsGiven >= options.permitted || concurrent >= options.maxConcurrentTrials;
        return full ? 'half-open-full' : undefined;
      }
      case 'disabled':
        return undefined;
      default:
        return this.#ownCallsOut().length >= options.maxConcurrentCalls ? 'concurrency' : undefined;
    }
  }

  acquire(): ModelCall | undefined {
    const refusal = this.refusal();
    if (refusal) {
      if (refusal !== 'concurrency') this.counts.notPermitted++;
      this.events.push(`notPermitted ${refusal}`);
      return undefined;
    }
    if (this.state === 'open') this.#move('half-open', 'wait-elapsed');
    const trial = this.state === 'half-open';
    if (trial) {
      this.#permitsGiven++;
      if (this.options.afterLimit === 'evaluate') this.#limitFrom ??= this.now;
    }
    const call = newCall(this.now, this.state === 'disabled' ? undefined : this.counts, trial);
    this.calls.push(call);
    return call;
  }

  success(call: ModelCall, then?: () => void): void {
    this.#end(call, (stalled) => {
      if (!stalled) this.#count(call, false);
      call.success = { failed: false };
      this.counts.row.push(call.success);
      this.counts.lastSuccess = call.success;
      call.amendable = true;
      this.events.push(`success ${this.now - call.admittedAt}${stalled}`);
      if (!stalled) this.#judge();
      then?.();
    });
  }

  failure(
    call: ModelCall,
    { retryAfter = -Infinity, trip = false }: { retryAfter?: number; trip?: boolean } = {},
    then?: () => void,
  ): void {
    this.#end(call, (stalled) => {
      if (stalled) (call.outcome as { failed: boolean }).failed = true;
      else {
        this.#count(call, true);
        this.counts.row.push({ failed: true });
      }
      this.counts.retryAt = Math.max(this.counts.retryAt, this.now + retryAfter);
      this.events.push(`failure ${this.now - call.admittedAt}${trip ? ' trip' : ''}${stalled}`);
      if (trip && (this.state === 'closed' || this.state === 'half-open')) this.#open('trip');
      else this.#judge();
      then?.();
    });
  }

  ignore(call: ModelCall): void {
    this.#end(call, (stalled) => {
      this.events.push(`ignored ${this.now - call.admittedAt}${stalled}`);
      if (!stalled) this.#takePermitBack(call);
    });
  }

  /** Not an outcome, and so never a late one. */
  release(call: ModelCall): void {
    const counts = call.out && call.counts === this.counts;
    call.out = false;
    call.settled = true;
    if (counts && !call.stalled) this.#takePermitBack(call);
  }

  hold(call: ModelCall, ms: number): void {
    this.#end(call, (stalled) => {
      this.events.push(`held${stalled}`);
      if (this.state === 'closed' || this.state === 'half-open') {
        this.openFor(ms, 'hold');
        this.held = true;
      } else if (this.state === 'open' && this.now + ms > this.openUntil) {
        this.openUntil = this.now + ms;
        this.held = true;
      } else if (!stalled) this.#takePermitBack(call);
    });
  }

  amend(call: ModelCall): void {
    if (!call.settled) return this.failure(call);
    if (!call.amendable || call.counts !== this.counts) return;
    call.amendable = false;
    (call.outcome as { failed: boolean }).failed = true;
    const { row } = this.counts;
    // In the row only the success learnt last is undone; a stalled call stands there for its failure already.
    if (call.success === this.counts.lastSuccess) {
      if (call.stalled) row.splice(row.indexOf(call.success as { failed: boolean }), 1);
      else (call.success as { failed: boolean }).failed = true;
    }
    this.events.push('amended');
    this.#judge();
  }

  /** Says whether the move is legal, and makes it then. */
  moveTo(to: ModelState): boolean {
    if (!isLegal(this.state, to)) return false;
    if (to === 'open') this.#open('manual', { byHand: true });
    else this.#move(to, 'manual');
    return true;
  }

  openFor(ms: number, reason: string): boolean {
    if (!isLegal(this.state, 'open')) return false;
    const from = this.state;
    this.#enterOpen(ms);
    if (from !== 'open')
      this.events.push(`stateTransition ${from} open ${reason} ${Math.max(0, ms)}`);
    return true;
  }

  reset(): void {
    this.#move('closed', 'reset');
    this.events.push('reset');
  }

  callsInFlight(): number {
    return this.calls.filter((call) => call.out).length;
  }

  #ownCallsOut(): ModelCall[] {
    return this.calls.filter((call) => call.out && call.counts === this.counts);
  }

  /** Settles a call; `effect` takes place if the call's counts are in use. */
  #end(call: ModelCall, effect: (stalled: '' | ' stalled') => void): void {
    if (call.settled) return;
    const wasOut = call.out;
    call.out = false;
    call.settled = true;
    if (!call.counts) return;
    if (!wasOut || call.counts !== this.counts) {
      this.lateOutcomes++;
      this.events.push('lateOutcome');
      return;
    }
    effect(call.stalled ? ' stalled' : '');
  }

  #count(call: ModelCall, failed: boolean): void {
    const slow = this.now - call.admittedAt > this.options.slowCallDurationThreshold;
    call.outcome = { at: this.now, failed, slow };
    this.counts.outcomes.push(call.outcome);
  }

  #takePermitBack(call: ModelCall): void {
    if (this.state !== 'half-open' || !call.trial) return;
    this.#permitsGiven--;
    const idle = this.#ownCallsOut().length === 0 && this.counts.outcomes.length === 0;
    if (idle && this.options.afterLimit === 'evaluate') this.#limitFrom = undefined;
  }

  #exceeded(): { failureRate: number | undefined; slowCallRate: number | undefined } {
    const { failureRate, slowCallRate } = this.counts.numbers(this.now);
    return {
      failureRate: failureRate >= this.options.failureRateThreshold ? failureRate : undefined,
      slowCallRate: slowCallRate >= this.options.slowCallRateThreshold ? slowCallRate : undefined,
    };
  }

  /** Looks at the thresholds after an outcome was counted or changed. */
  #judge(): void {
    const { options, counts } = this;
    if (this.state !== 'closed' && this.state !== 'half-open' && this.state !== 'metrics-only')
      return;
    const { failureRate, slowCallRate } = this.#exceeded();
    if (this.state === 'metrics-only') {
      if (failureRate !== undefined && !counts.announced.failureRate) {
        counts.announced.failureRate = true;
        this.events.push(`failureRateExceeded ${failureRate.toFixed(6)}`);
      }
      if (slowCallRate !== undefined && !counts.announced.slowCallRate) {
        counts.announced.slowCallRate = true;
        this.events.push(`slowCallRateExceeded ${slowCallRate.toFixed(6)}`);
      }
      return;
    }
    const rateReason = failureRate === undefined ? 'slow-call-rate' : 'failure-rate';
    const rateExceeded = failureRate !== undefined || slowCallRate !== undefined;
    const inARow = counts.failuresInARow() >= options.consecutiveFailureThreshold;
    const { buffered, failed } = counts.numbers(this.now);
    const decided = buffered >= counts.shape.minimum;
    if (this.state === 'half-open' && inARow) return this.#open('consecutive-failures');
    if (!decided && failed >= options.failureCountThreshold) return this.#open('failure-count');
    if (rateExceeded) {
      if (this.state === 'closed') {
        if (failureRate !== undefined)
          this.events.push(`failureRateExceeded ${failureRate.toFixed(6)}`);
        if (slowCallRate !== undefined)
          this.events.push(`slowCallRateExceeded ${slowCallRate.toFixed(6)}`);
      }
      return this.#open(rateReason);
    }
    if (inARow) return this.#open('consecutive-failures');
    if (decided && this.state === 'half-open') this.#move('closed', 'trial-calls');
  }

  #endHalfOpen(): void {
    const { afterLimit } = this.options;
    if (afterLimit === 'open') return this.#open('half-open-limit');
    if (afterLimit === 'closed') return this.#move('closed', 'half-open-limit');
    const { buffered, failed, slow } = this.counts.numbers(this.now);
    const bad =
      buffered === 0 ||
      (failed * 100) / buffered >= this.options.failureRateThreshold ||
      (slow * 100) / buffered >= this.options.slowCallRateThreshold ||
      this.counts.failuresInARow() >= this.options.consecutiveFailureThreshold;
    if (bad) this.#open('half-open-limit');
    else this.#move('closed', 'half-open-limit');
  }

  #stall(call: ModelCall): void {
    call.stalled = true;
    call.outcome = { at: this.now, failed: false, slow: true };
    this.counts.outcomes.push(call.outcome);
    this.counts.row.push({ failed: true });
    this.events.push('stalledCall');
    this.#judge();
  }

  #writeOff(call: ModelCall): void {
    call.out = false;
    if (call.stalled || call.counts !== this.counts) return;
    call.outcome = { at: this.now, failed: true, slow: true };
    this.counts.outcomes.push(call.outcome);
    this.counts.row.push({ failed: true });
    this.events.push(`failure ${this.options.permitLease} writtenOff`);
    this.#judge();
  }

  /** What comes first of all that is due; at one instant stalls, then leases, then the state's own deadline. */
  #nextDue(now: number): Due | undefined {
    const own = this.#ownDeadline();
    const due = own && own.at <= now ? [own] : [];
    // A call stalls or expires strictly after its instant, but always before a deadline of that instant.
    const isDue = ({ at }: Due): boolean => at < now || (due.length > 0 && at <= (own as Due).at);
    const first = [...this.#callDeadlines().filter(isDue), ...due];
    return first.sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }

  #ownDeadline(): Due | undefined {
    const { halfOpenLimit, automatic } = this.options;
    if (this.state === 'half-open' && this.#limitFrom !== undefined) {
      return { at: this.#limitFrom + halfOpenLimit, order: 2, carryOut: () => this.#endHalfOpen() };
    }
    if (this.state !== 'open' || !automatic) return undefined;
    return {
      // A date may have set an end that is past; but no state ends before it began.
      at: Math.max(this.openUntil, this.#openedAt),
      order: 2,
      carryOut: () => this.#move('half-open', 'wait-elapsed'),
    };
  }

  #callDeadlines(): Due[] {
    const { detectStalledCalls, slowCallDurationThreshold, permitLease } = this.options;
    return this.calls
      .filter((call) => call.out)
      .flatMap((call): Due[] => {
        const lease: Due = {
          at: call.admittedAt + permitLease,
          order: 1,
          carryOut: () => this.#writeOff(call),
        };
        if (!detectStalledCalls || call.stalled || call.counts !== this.counts) return [lease];
        const at = call.admittedAt + slowCallDurationThreshold;
        return [lease, { at, order: 0, carryOut: () => this.#stall(call) }];
      });
  }

  /** Opens with the usual wait, which a Retry-After puts off unless the breaker was opened by hand. */
  #open(reason: string, { byHand = false } = {}): void {
    const from = this.state;
    const usual = this.options.wait(++this.openings);
    const wait = byHand ? usual : Math.max(usual, this.counts.retryAt - this.now);
    this.#enterOpen(wait);
    if (from !== 'open') this.events.push(`stateTransition ${from} open ${reason} ${wait}`);
  }

  #enterOpen(wait: number): void {
    if (this.state === 'disabled') this.counts = this.#newCounts('closed');
    this.state = 'open';
    this.openUntil = this.now + wait;
    this.#openedAt = this.now;
    this.held = false;
  }

  #move(to: Exclude<ModelState, 'open'>, reason: string): void {
    const from = this.state;
    this.#enter(to);
    if (from !== to) this.events.push(`stateTransition ${from} ${to} ${reason}`);
  }

  #enter(to: ModelState): void {
    this.state = to;
    this.counts = this.#newCounts(to);
    this.#permitsGiven = 0;
    this.#limitFrom = undefined;
    if (
      to === 'half-open' &&
      this.options.halfOpenLimit > 0 &&
      this.options.afterLimit !== 'evaluate'
    ) {
      this.#limitFrom = this.now;
    }
    if (to === 'forced-open') this.openings++;
    else if (to !== 'half-open') this.openings = 0;
  }

  #newCounts(state: ModelState): Counts {
    const { window, permitted } = this.options;
    if (state !== 'half-open') {
      const minimum =
        window.unit === 'calls' ? Math.min(window.minimum, window.size) : window.minimum;
      return new Counts({ ...window, minimum });
    }
    return new Counts({
      unit: 'calls',
      size: permitted,
      minimum: Math.min(window.minimum, permitted),
    });
  }
}
