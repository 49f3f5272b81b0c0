import type { Listeners } from '../breaker/listeners.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import type { OutcomePolicy } from './outcome-policy.ts';
import type { RequestKey } from './request-key.ts';
import { asyncStorage, SynchronousStorage, type RequestStorage } from './request-storage.ts';

/** What all admissions of one `HttpCircuitBreaker` share. */
export class AdmissionContext {
  readonly policy: OutcomePolicy;
  /** In it, the request that an adapter, having been admitted, is sending. */
  storage: RequestStorage = new SynchronousStorage();
  readonly #listeners: Listeners;
  readonly #clock: MonotonicClock;

  constructor(policy: OutcomePolicy, listeners: Listeners, clock: MonotonicClock) {
    this.policy = policy;
    this.#listeners = listeners;
    this.#clock = clock;
  }

  /**
   * From now on it knows by asynchronous context which request is being sent, where there is such a
   * thing: a dispatcher below fetch is asked only after fetch has awaited.
   */
  followAcrossAwaits(): void {
    this.storage = asyncStorage() ?? this.storage;
  }

  /** Is it the request that an adapter above, whose admission has not ended, is sending? */
  isSending(key: RequestKey): boolean {
    const sent = this.storage.getStore();
    return sent?.isOver === false && isSameRequest(key, sent.key);
  }

  /**
   * A step of several breakers: up to `endStep` they act at one instant, and no listener comes
   * between them.
   */
  beginStep(): void {
    this.#listeners.suspend();
    this.#clock.hold();
  }

  endStep(): void {
    this.#clock.resume();
    this.#listeners.resume();
    this.#listeners.deliver();
  }
}

function isSameRequest(one: RequestKey, other: RequestKey): boolean {
  return one === other || (one.endpoint === other.endpoint && one.path === other.path);
}
