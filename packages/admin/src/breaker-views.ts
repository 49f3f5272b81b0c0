import type {
  BreakerHealth,
  BreakerSnapshot,
  HttpCircuitBreaker,
  HttpCircuitBreakerSnapshot,
} from '@recloser/core';
import { healthOf } from '@recloser/core/adapter';
import type { AdminClock } from './admin-clock.ts';
import type { Opening, Openings } from './openings.ts';

/** A breaker as the API sends it; what is undefined is left out. */
export interface BreakerView extends BreakerSnapshot {
  readonly health: BreakerHealth['health'];
  /** Undefined for one that never opened since the handler was made. */
  readonly openedBy: Opening | undefined;
}

/** What `GET /api/breakers` answers. */
export interface BreakerList extends Omit<HttpCircuitBreakerSnapshot, 'breakers'> {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly breakers: readonly BreakerView[];
}

/** What is sent of breakers. */
export class BreakerViews {
  readonly #breaker: HttpCircuitBreaker;
  readonly #openings: Openings;
  readonly #clock: AdminClock;

  constructor(breaker: HttpCircuitBreaker, openings: Openings, clock: AdminClock) {
    this.#breaker = breaker;
    this.#openings = openings;
    this.#clock = clock;
  }

  list(): BreakerList {
    const { breakers, ...rest } = this.#breaker.snapshot();
    const { breakers: healths } = healthOf(breakers);
    const views = breakers.map((breaker, index): BreakerView => {
      const { health } = healths[index]!;
      return { ...breaker, health, openedBy: this.#openings.of(breaker.key) };
    });
    return { at: this.#clock.date(), breakers: views, ...rest };
  }

  find(key: string): { readonly at: number; readonly breaker: BreakerView } | undefined {
    const { at, breakers } = this.list();
    const breaker = breakers.find((each) => each.key === key);
    return breaker && { at, breaker };
  }
}
