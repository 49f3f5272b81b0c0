import {
  CircuitBreaker,
  HttpCircuitBreaker,
  httpDefaults,
  isCallNotPermitted,
  type Admission,
  type Clock,
  type GrowingWait,
  type HttpCircuitBreakerOptions,
  type Permit,
  type StateTransitionEvent,
} from '@recloser/core';
import { Random } from '@recloser/test-support/random';
import type { Ending } from './server.ts';

/** What stands between the callers and the server. */
export interface Guard<Call> {
  /** Undefined for a call that is refused. */
  admit(path: string): Call | undefined;
  end(call: Call, ending: Ending): void;
}

/** What a guard is made with in each run. */
export interface Surroundings {
  readonly clock: Clock;
  readonly seed: number;
  readonly onMove: (event: StateTransitionEvent) => void;
}

export type MakeGuard<Call> = (surroundings: Surroundings) => Guard<Call>;

const origin = 'https://api.example.com';

/** The HTTP breaker as it comes, and these options over it. */
export function httpGuard(options: HttpCircuitBreakerOptions = {}): MakeGuard<Admission> {
  return ({ clock, seed, onMove }) => {
    const breaker = { waitDurationInOpenState: seededWaits(seed), ...options.breaker };
    const http = new HttpCircuitBreaker({ ...options, clock, breaker });
    http.on('stateTransition', onMove);
    return {
      admit(path) {
        try {
          return http.admit({ method: 'GET', origin, path });
        } catch (error) {
          if (isCallNotPermitted(error)) return undefined;
          throw error;
        }
      },
      end(admission, ending) {
        if ('error' in ending) admission.failed(ending.error);
        else admission.responded(ending.status, ending.headers);
      },
    };
  };
}

/**
 * The breaker of the textbooks, for the host as a whole: so many failures within 10 s open it for
 * 10 s, then one trial call decides. No rate, and no eye for calls that are slow or never return.
 */
export function countGuard(failures: number): MakeGuard<Permit> {
  return ({ clock, onMove }) => {
    const breaker = new CircuitBreaker('count', {
      slidingWindowType: 'time-based',
      slidingWindowSize: 10,
      failureCountThreshold: failures,
      // The count holds below the minimum: always.
      minimumNumberOfCalls: Number.MAX_SAFE_INTEGER,
      waitDurationInOpenState: 10_000,
      permittedNumberOfCallsInHalfOpenState: 1,
      clock,
    });
    breaker.on('stateTransition', onMove);
    return {
      admit: () => breaker.tryAcquire(),
      end(permit, ending) {
        const failed = 'error' in ending || ending.status >= 500 || ending.status === 429;
        if (failed) permit.failure();
        else permit.success();
      },
    };
  };
}

/** The default waits, with their jitter from the seed and not from `Math.random`. */
function seededWaits(seed: number): (openings: number) => number {
  const wait = httpDefaults.waitDurationInOpenState as Required<GrowingWait>;
  const { initial, multiplier, max, randomizationFactor } = wait;
  const random = new Random(~seed);
  return (openings) => {
    const middle = Math.min(initial * multiplier ** (openings - 1), max);
    const deviation = middle * randomizationFactor;
    return Math.floor(middle - deviation + random.next() * (2 * deviation + 1));
  };
}
