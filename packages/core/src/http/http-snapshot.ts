import type { LastFailure } from '../breaker/errors.ts';
import type { CircuitBreakerMetrics } from '../breaker/metrics.ts';
import type { StandingOrder } from './control-types.ts';

/** One breaker of an HTTP breaker, as its snapshot tells it. */
export interface BreakerSnapshot extends CircuitBreakerMetrics {
  readonly key: string;
  /** The key, where no override names it. */
  readonly name: string;
  /** Undefined where the caller's own key function made the key. */
  readonly level: 'host' | 'endpoint' | undefined;
  readonly lastFailure: LastFailure | undefined;
}

/** Plain data about all breakers at one moment, for a metric or an operator's page. */
export interface HttpCircuitBreakerSnapshot {
  /** From the least to the most recently used. */
  readonly breakers: readonly BreakerSnapshot[];
  /** Breakers that went to make room or for being idle, in all. */
  readonly evictions: number;
  /** New keys that got no breaker for want of room, in all. */
  readonly overflows: number;
  /** Requests that no breaker guarded, in all. */
  readonly unguarded: number;
  /** What an operator has ordered and still stands, the oldest first. */
  readonly orders: readonly StandingOrder[];
}
