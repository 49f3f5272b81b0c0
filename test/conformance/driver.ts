import {
  CircuitBreaker,
  IllegalStateTransitionError,
  isCallNotPermitted,
  ManualClock,
  type Permit,
} from '@recloser/core';
import { states, toOptions } from './configuration.ts';
import { errorOfKind, kindOf } from './error-kinds.ts';
import { EventLog } from './event-log.ts';
import type { Answer, Operation, Trace } from './records.ts';

type Ending = ['return', string | null] | ['throw', Parameters<typeof errorOfKind>[0]];

interface AsynchronousCall {
  settle(ending: Ending): void;
  callerSaw: Answer | undefined;
}

const refused = 'CallNotPermittedException';

/** Carries the operations of one trace out on a breaker. */
export class Driver {
  readonly clock: ManualClock;
  readonly breaker: CircuitBreaker;
  readonly log: EventLog;
  readonly #permits = new Map<number, Permit>();
  readonly #calls = new Map<number, AsynchronousCall>();
  readonly #admittedInDisabled = new Set<number | 'exec'>();

  constructor(trace: Trace) {
    this.clock = new ManualClock({ now: trace.start, date: trace.start });
    this.breaker = new CircuitBreaker(trace.id, { ...toOptions(trace.config), clock: this.clock });
    this.log = new EventLog(this.breaker);
  }

  /** Was the call of this operation admitted in disabled? Then it ended silently: no event tells that it was late. */
  endsSilently(operation: Operation): boolean {
    const label = operation[0] === 'exec' ? 'exec' : operation[1];
    return label !== undefined && this.#admittedInDisabled.has(label);
  }

  async perform(operation: Operation): Promise<Answer> {
    try {
      return ((await this.#perform(operation)) as Answer | undefined) ?? 'ok';
    } catch (error) {
      if (error instanceof IllegalStateTransitionError) return 'IllegalStateTransitionException';
      if (isCallNotPermitted(error)) return refused;
      throw error;
    }
  }

  /** Gives an answer, the promise of one, or nothing where there is none to give. */
  #perform(operation: Operation): unknown {
    const { breaker } = this;
    switch (operation[0]) {
      case 'try':
        return this.#admitted(operation[1], breaker.tryAcquire());
      case 'acquire':
        this.#admitted(operation[1], breaker.acquire());
        return;
      case 'success':
        return this.#permit(operation[1]).success();
      case 'error':
        return this.#permit(operation[1]).error(errorOfKind(operation[3]));
      case 'result':
        return this.#permit(operation[1]).result(operation[3]);
      case 'release':
        return this.#permit(operation[1]).release();
      case 'advance':
        return this.clock.advance(operation[1]);
      case 'toClosed':
        return breaker.transitionToClosedState();
      case 'toOpen':
        return breaker.transitionToOpenState();
      case 'toHalfOpen':
        return breaker.transitionToHalfOpenState();
      case 'toMetricsOnly':
        return breaker.transitionToMetricsOnlyState();
      case 'toDisabled':
        return breaker.transitionToDisabledState();
      case 'toForcedOpen':
        return breaker.transitionToForcedOpenState();
      case 'openFor':
        return breaker.transitionToOpenStateFor(operation[1]);
      case 'openUntil':
        return breaker.transitionToOpenStateUntil(new Date(operation[1]));
      case 'reset':
        return breaker.reset();
      case 'exec':
        return this.#execute(operation[1], operation.slice(2) as Ending);
      case 'start':
        return this.#start(operation[1]);
      case 'settle':
        return this.#settle(operation[1], operation.slice(2) as Ending);
    }
  }

  #admitted(label: number, permit: Permit | undefined): boolean {
    if (!permit) return false;
    this.#permits.set(label, permit);
    this.#noteDisabled(label);
    return true;
  }

  #noteDisabled(label: number | 'exec'): void {
    if (this.breaker.state === states.DISABLED) this.#admittedInDisabled.add(label);
    else this.#admittedInDisabled.delete(label);
  }

  #permit(label: number): Permit {
    const permit = this.#permits.get(label);
    if (!permit) throw new Error(`the trace ends call ${label}, which was not admitted`);
    return permit;
  }

  /** A synchronous decorated call, whose body moves the clock. */
  #execute(ms: number, [how, what]: Ending): Answer {
    const permit = this.breaker.tryAcquire();
    if (!permit) return refused;
    this.#noteDisabled('exec');
    this.clock.advance(ms);
    if (how === 'return') {
      permit.result(what);
      return ['returned', what];
    }
    permit.error(errorOfKind(what));
    return ['threw', what];
  }

  async #start(label: number): Promise<Answer> {
    let settle: AsynchronousCall['settle'] = () => {};
    const promise = new Promise<string | null>((resolve, reject) => {
      settle = ([how, what]) => (how === 'return' ? resolve(what) : reject(errorOfKind(what)));
    });
    const call: AsynchronousCall = { settle, callerSaw: undefined };
    let began = false;
    const forCaller = this.breaker.execute(() => {
      began = true;
      this.#noteDisabled(label);
      return promise;
    });
    forCaller.then(
      (value) => (call.callerSaw = ['returned', value]),
      (error: unknown) =>
        (call.callerSaw = isCallNotPermitted(error)
          ? refused
          : ['threw', kindOf(error) ?? String(error)]),
    );
    this.#calls.set(label, call);
    await promisesAtRest();
    return began ? 'started' : (call.callerSaw ?? 'neither begun nor refused');
  }

  async #settle(label: number, ending: Ending): Promise<Answer> {
    const call = this.#calls.get(label);
    if (!call) throw new Error(`the trace settles call ${label}, which was not started`);
    call.settle(ending);
    await promisesAtRest();
    return call.callerSaw ?? 'not settled';
  }
}

async function promisesAtRest(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
