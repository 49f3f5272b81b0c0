import type { ResolvedOptions } from './resolve-options.ts';

/**
 * The six states of Resilience4j. `metrics-only`, `disabled` and `forced-open` are the operator's:
 * no threshold ever enters or leaves them.
 */
export type CircuitBreakerState =
  'closed' | 'open' | 'half-open' | 'metrics-only' | 'disabled' | 'forced-open';

interface Entered {
  /** The instant of entry, in monotonic ms. */
  readonly since: number;
  /** Openings in a row up to here, the present one included. */
  readonly openings: number;
  /**
   * The instant at which the state ends by itself; Infinity where it waits for a call or a person.
   */
  deadline: number;
}

export interface Open extends Entered {
  readonly name: 'open';
  /** The end of the wait: strictly after it a call may try. */
  until: number;
  /** A hold set the end in force. */
  held: boolean;
}

export interface HalfOpen extends Entered {
  readonly name: 'half-open';
  /** Trial calls that may still be admitted. */
  permitsLeft: number;
  /** Trial calls that neither ended nor were given up as stalled or written off. */
  trialsOut: number;
}

export interface Settled extends Entered {
  readonly name: 'closed' | 'metrics-only' | 'disabled' | 'forced-open';
}

export type State = Settled | Open | HalfOpen;

export function enterSettled(name: Settled['name'], since: number, openings: number): Settled {
  return { name, since, openings, deadline: Infinity };
}

export function enterOpen(
  now: number,
  openings: number,
  until: number,
  held: boolean,
  options: ResolvedOptions,
): Open {
  // The end may be past already, if a date set it; but no state ends before it began.
  const deadline = options.automaticTransitionFromOpenToHalfOpenEnabled
    ? Math.max(now, until)
    : Infinity;
  return { name: 'open', since: now, openings, deadline, until, held };
}

export function enterHalfOpen(since: number, openings: number, options: ResolvedOptions): HalfOpen {
  const {
    maxWaitDurationInHalfOpenState: limit,
    permittedNumberOfCallsInHalfOpenState: permitsLeft,
  } = options;
  // 'evaluate' counts the limit from the first trial call.
  const runs = limit > 0 && options.transitionToStateAfterWaitDuration !== 'evaluate';
  return {
    name: 'half-open',
    since,
    openings,
    deadline: runs ? since + limit : Infinity,
    permitsLeft,
    trialsOut: 0,
  };
}

export const circuitBreakerStates: readonly CircuitBreakerState[] = [
  'closed',
  'open',
  'half-open',
  'metrics-only',
  'disabled',
  'forced-open',
];

/** Resilience4j's table: 33 of the 36 moves are legal. */
export function isLegalTransition(from: CircuitBreakerState, to: CircuitBreakerState): boolean {
  if (from === 'closed') return to !== 'half-open';
  if (from === 'metrics-only') return to !== 'open' && to !== 'half-open';
  return true;
}
