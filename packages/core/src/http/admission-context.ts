import type { Listeners } from '../breaker/listeners.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import type { OutcomePolicy } from './outcome-policy.ts';
import type { RequestKey } from './request-key.ts';

/** What all admissions of one `HttpCircuitBreaker` share. */
export class AdmissionContext {
  readonly policy: OutcomePolicy;
  /** The request that an adapter, having been admitted, is sending right now. */
  sending: RequestKey | undefined = undefined;
  readonly #listeners: Listeners;
  readonly #clock: MonotonicClock;

  constructor(policy: OutcomePolicy, listeners: Listeners, clock: MonotonicClock) {
    this.policy = policy;
    this.#listeners = listeners;
    this.#clock = clock;
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
