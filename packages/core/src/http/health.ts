import type { CircuitBreakerState } from '../breaker/state.ts';
import type { BreakerSnapshot } from './http-snapshot.ts';

/** One breaker, as a readiness probe sees it. */
export interface BreakerHealth {
  readonly key: string;
  readonly name: string;
  readonly state: CircuitBreakerState;
  /**
   * `degraded`: calls are refused or on trial. `not-evaluated`: its window never reached the
   * minimum, so it has judged nothing yet. `up`: all else.
   */
  readonly health: 'up' | 'degraded' | 'not-evaluated';
}

/**
 * What a readiness probe needs. Never `down`: an open breaker tells of a dependency, and must not
 * take this instance out of service.
 */
export interface Health {
  /** `degraded` where any breaker is. */
  readonly status: 'up' | 'degraded';
  readonly breakers: readonly BreakerHealth[];
}

const degradedStates: readonly CircuitBreakerState[] = ['open', 'half-open', 'forced-open'];

export function healthOf(snapshots: readonly BreakerSnapshot[]): Health {
  const breakers = snapshots.map(({ key, name, state, everEvaluated }): BreakerHealth => {
    const health = degradedStates.includes(state)
      ? 'degraded'
      : everEvaluated
        ? 'up'
        : 'not-evaluated';
    return { key, name, state, health };
  });
  const isDegraded = breakers.some(({ health }) => health === 'degraded');
  return { status: isDegraded ? 'degraded' : 'up', breakers };
}
