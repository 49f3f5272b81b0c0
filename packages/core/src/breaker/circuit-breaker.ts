import { checkAtLeast, checkFunction, checkNames, checkObject, checkText } from './checks.ts';
import {
  CallNotPermittedError,
  IllegalStateTransitionError,
  withoutStackTrace,
  type LastFailure,
  type NotPermittedReason,
} from './errors.ts';
import type { CircuitBreakerEvents, CircuitBreakerEventType } from './events.ts';
import type { Listeners } from './listeners.ts';
import { readMetrics, type CircuitBreakerMetrics } from './metrics.ts';
import type { CircuitBreakerOptions } from './options.ts';
import { Permit } from './permit.ts';
import { resolveOptions, type ResolvedOptions } from './resolve-options.ts';
import { isLegalTransition, type CircuitBreakerState } from './state.ts';
import { StateMachine } from './state-machine.ts';

/**
 * What answers instead of a call that was refused or failed; `cause` is the refusal or the error.
 */
export type Fallback<T, Args extends readonly unknown[] = []> = (
  cause: unknown,
  ...args: Args
) => T | PromiseLike<T>;

/**
 * A circuit breaker for calls of any kind, after Resilience4j's. It counts outcomes over a sliding
 * window; where too many fail or are slow it opens and refuses calls at once; after a wait it
 * admits a few trial calls, which decide whether it closes. Calls in flight are never cut off.
 *
 *     const breaker = new CircuitBreaker('pricing', { failureRateThreshold: 40 });
 *     const price = await breaker.execute(() => client.price(id), {
 *       fallback: () => lastKnownPrice,
 *     });
 */
export class CircuitBreaker {
  /** @internal */ readonly machine: StateMachine;

  /**
   * @param name  stands in errors, events and metrics
   * @throws TypeError or RangeError that names the option and its value
   */
  constructor(name: string, options?: CircuitBreakerOptions);
  /** One of many, which share their options and listeners. @internal */
  constructor(name: string, options: ResolvedOptions, shared: Listeners, key: string);
  constructor(
    name: string,
    options?: CircuitBreakerOptions | ResolvedOptions,
    shared?: Listeners,
    key?: string,
  ) {
    checkText('CircuitBreaker: name', name);
    this.machine = new StateMachine(name, resolveOptions(options), shared, key);
  }

  /** As it was given; stands in errors, events and metrics. */
  get name(): string {
    return this.machine.name;
  }

  /** The state now. Reading it carries out what has come due, and so may deliver events. */
  get state(): CircuitBreakerState {
    return this.#step(() => this.machine.state.name);
  }

  /** A fresh plain object. Reading carries out what has come due, and so may deliver events. */
  metrics(): CircuitBreakerMetrics {
    return this.#step((now) => readMetrics(this.machine, now));
  }

  /**
   * The latest failure, of any period. Reading it carries out what has come due, and so may deliver
   * events.
   */
  get lastFailure(): LastFailure | undefined {
    return this.#step(() => this.#lastFailure());
  }

  /**
   * Admits a call.
   * @throws CallNotPermittedError where it is refused
   */
  acquire(): Permit {
    const answer = this.#acquire();
    if (answer instanceof Permit) return answer;
    throw answer;
  }

  /** Admits a call, or answers undefined where it is refused: the cheapest way to be refused. */
  tryAcquire(): Permit | undefined {
    const answer = this.machine.tryAcquire();
    this.machine.announcer.deliver();
    return typeof answer === 'string' ? undefined : answer;
  }

  /**
   * Asks without taking: the error that a call would be refused with now, or undefined. Nothing is
   * counted or announced, and an open breaker whose wait is over stays open.
   */
  refusal(): CallNotPermittedError | undefined {
    return this.#step((now) => {
      const reason = this.machine.whyNot(now);
      return reason === undefined ? undefined : this.refusalFor(reason);
    });
  }

  /**
   * Calls `body` if it may be called, and records how it ends. A refusal is a rejection with a
   * `CallNotPermittedError`, never a throw. With a `fallback` a refusal or a failure is answered by
   * it, after the outcome was recorded; what it throws the caller gets.
   */
  execute<T, F = never>(
    body: () => T | PromiseLike<T>,
    options?: { readonly fallback?: Fallback<NoInfer<T> | F> },
  ): Promise<T | Exclude<F, T>>;
  execute<T>(
    body: () => T | PromiseLike<T>,
    options?: { readonly fallback?: Fallback<T> },
  ): Promise<T> {
    try {
      checkFunction('execute: body', body);
      const fallback = checkFallback('execute', options);
      const answer = this.#acquire();
      if (answer instanceof Permit) return settled(answer, body, fallback);
      return fallback === undefined ? rejectedSoon(answer) : Promise.resolve(fallback(answer));
    } catch (error) {
      return rejectedSoon(error);
    }
  }

  /**
   * The function behind this breaker, as by `execute`. Arguments, `this`, name and length are kept;
   * the fallback gets the cause and then the arguments.
   */
  wrap<This, Args extends unknown[], T, F = never>(
    body: (this: This, ...args: Args) => T | PromiseLike<T>,
    options?: { readonly fallback?: Fallback<NoInfer<T> | F, NoInfer<Args>> },
  ): (this: This, ...args: Args) => Promise<T | Exclude<F, T>>;
  wrap<This, Args extends unknown[], T>(
    body: (this: This, ...args: Args) => T | PromiseLike<T>,
    options?: { readonly fallback?: Fallback<T, Args> },
  ): (this: This, ...args: Args) => Promise<T> {
    checkFunction('wrap: body', body);
    const fallback = checkFallback('wrap', options);
    const run = (call: () => T | PromiseLike<T>, args: Args): Promise<T> =>
      this.execute(call, fallback && { fallback: (cause) => fallback(cause, ...args) });
    function wrapped(this: This, ...args: Args): Promise<T> {
      return run(() => body.apply(this, args), args);
    }
    Object.defineProperty(wrapped, 'name', { value: body.name, configurable: true });
    Object.defineProperty(wrapped, 'length', { value: body.length, configurable: true });
    return wrapped;
  }

  /**
   * Hears of one type of event, after the step that caused it is complete. What the listener throws
   * harms nobody: an `error` event tells.
   * @returns the function that removes the listener
   * @throws TypeError for an unknown type
   */
  on<Type extends CircuitBreakerEventType>(
    type: Type,
    listener: (event: CircuitBreakerEvents[Type]) => unknown,
  ): () => void {
    return this.machine.announcer.on(type, listener);
  }

  /** Closes it by hand, with fresh counts. @throws IllegalStateTransitionError */
  transitionToClosedState(): void {
    this.#move('closed');
  }

  /**
   * Opens it by hand, for its usual wait; counts as an opening in the row.
   * @throws IllegalStateTransitionError
   */
  transitionToOpenState(): void {
    this.#move('open');
  }

  /**
   * Opens it for `ms`; the openings in a row stay as they are.
   * @throws IllegalStateTransitionError
   */
  transitionToOpenStateFor(ms: number): void {
    checkAtLeast('transitionToOpenStateFor: ms', ms, 0);
    this.#move('open', (now) => now + ms);
  }

  /**
   * Opens it until a date, which is turned into a span once, by the wall clock of now; a past one
   * lets the next call try.
   * @throws IllegalStateTransitionError, TypeError for an invalid date
   */
  transitionToOpenStateUntil(date: Date): void {
    const span = this.machine.spanUntil('transitionToOpenStateUntil: date', date);
    this.#move('open', (now) => now + span);
  }

  /** Admits trial calls from now on. @throws IllegalStateTransitionError */
  transitionToHalfOpenState(): void {
    this.#move('half-open');
  }

  /** All calls pass and are counted; nothing moves. @throws IllegalStateTransitionError */
  transitionToMetricsOnlyState(): void {
    this.#move('metrics-only');
  }

  /** All calls pass and nothing is counted. @throws IllegalStateTransitionError */
  transitionToDisabledState(): void {
    this.#move('disabled');
  }

  /** No call passes until it is moved by hand. @throws IllegalStateTransitionError */
  transitionToForcedOpenState(): void {
    this.#move('forced-open');
  }

  /** A fresh closed state, from anywhere. Calls in flight go on; their outcomes are late. */
  reset(): void {
    this.#step((now) => this.machine.reset(now));
  }

  #acquire(): Permit | CallNotPermittedError {
    const answer = this.machine.tryAcquire();
    const permitOrError = typeof answer === 'string' ? this.refusalFor(answer) : answer;
    this.machine.announcer.deliver();
    return permitOrError;
  }

  /** Dated from the latest reading of the clock. */
  #lastFailure(): LastFailure | undefined {
    const { history, options } = this.machine;
    return history.lastFailure((instant) => options.clock.dateOf(instant));
  }

  #move(to: CircuitBreakerState, until?: (now: number) => number): void {
    this.#step((now) => {
      const from = this.machine.state.name;
      if (!isLegalTransition(from, to)) throw new IllegalStateTransitionError(this.name, from, to);
      this.machine.moveByHand(to, now, until?.(now));
    });
  }

  /** One step: carries out what has come due, does the work, and delivers the events. */
  #step<T>(work: (now: number) => T): T {
    try {
      return work(this.machine.touch());
    } finally {
      this.machine.announcer.deliver();
    }
  }

  /**
   * The error of a refusal, as of the latest reading of the clock.
   * @param otherRetryAfterMs  another breaker of the same call refuses for so long
   * @internal
   */
  refusalFor(reason: NotPermittedReason, otherRetryAfterMs: number = 0): CallNotPermittedError {
    const { machine } = this;
    const isWaiting = reason === 'open' || reason === 'held';
    const ownRetryAfterMs = machine.retryAfterMs(machine.options.clock.latest) ?? 0;
    const refusal = {
      breaker: machine.name,
      key: machine.key,
      state: machine.state.name,
      reason,
      retryAfterMs: isWaiting ? Math.max(ownRetryAfterMs, otherRetryAfterMs) : undefined,
      lastFailure: this.#lastFailure(),
    };
    const make = (): CallNotPermittedError => new CallNotPermittedError(refusal);
    return machine.options.writableStackTraceEnabled ? make() : withoutStackTrace(make);
  }
}

/** Calls what was admitted, and records how it ends. */
async function settled<T>(
  permit: Permit,
  body: () => T | PromiseLike<T>,
  fallback: Fallback<T> | undefined,
): Promise<T> {
  let value: T;
  try {
    value = await body();
  } catch (error) {
    permit.error(error);
    if (fallback !== undefined) return fallback(error);
    throw error;
  }
  permit.result(value);
  return value;
}

/**
 * Still pending as it is returned: Node then books no unhandled rejection, which is half the cost of
 * one. Thrown in an async function it would cost a fifth more.
 */
function rejectedSoon(error: unknown): Promise<never> {
  return new Promise((_, reject) => {
    void Promise.resolve().then(() => reject(error));
  });
}

function checkFallback<F>(
  caller: string,
  options: { readonly fallback?: F } | undefined,
): F | undefined {
  if (options === undefined) return undefined;
  checkNames(`${caller}: options`, checkObject(`${caller}: options`, options), ['fallback']);
  return options.fallback === undefined
    ? undefined
    : checkFunction(`${caller}: fallback`, options.fallback);
}
