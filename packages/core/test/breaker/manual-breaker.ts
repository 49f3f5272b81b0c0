import {
  CircuitBreaker,
  ManualClock,
  type CircuitBreakerEvent,
  type CircuitBreakerEventType,
  type CircuitBreakerOptions,
} from '../../src/index.ts';

export interface ManualBreaker {
  readonly breaker: CircuitBreaker;
  readonly clock: ManualClock;
  /** All that it announced, in order. */
  readonly events: CircuitBreakerEvent[];
}

/** The wall clock when the breaker is made; the monotonic one stands at another instant. */
export const startDate = 1_700_000_000_000;

/** A breaker named `test` that lives by a clock moved by hand, and hears itself. */
export function manualBreaker(options: CircuitBreakerOptions = {}): ManualBreaker {
  const clock = new ManualClock({ now: 5_000_000, date: startDate });
  const breaker = new CircuitBreaker('test', { clock, ...options });
  return { breaker, clock, events: recordEvents(breaker) };
}

const types: CircuitBreakerEventType[] = [
  'success',
  'failure',
  'ignored',
  'held',
  'amended',
  'notPermitted',
  'stateTransition',
  'failureRateExceeded',
  'slowCallRateExceeded',
  'reset',
  'lateOutcome',
  'stalledCall',
  'error',
];

export function recordEvents(breaker: CircuitBreaker): CircuitBreakerEvent[] {
  const events: CircuitBreakerEvent[] = [];
  for (const type of types) breaker.on(type, (event) => events.push(event));
  return events;
}

export function typesOf(events: readonly CircuitBreakerEvent[]): string[] {
  return events.map((event) => event.type);
}

/** The moves among the events, each as `from > to: reason`. */
export function movesOf(events: readonly CircuitBreakerEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'stateTransition' ? [`${event.from} > ${event.to}: ${event.reason}`] : [],
  );
}

/** The events of one type. */
export function only<Type extends CircuitBreakerEventType>(
  events: readonly CircuitBreakerEvent[],
  type: Type,
): Extract<CircuitBreakerEvent, { type: Type }>[] {
  return events.filter(
    (event): event is Extract<CircuitBreakerEvent, { type: Type }> => event.type === type,
  );
}

export function fail(breaker: CircuitBreaker, times = 1): void {
  for (let call = 0; call < times; call++) breaker.acquire().failure(new Error('busy'));
}

export function succeed(breaker: CircuitBreaker, times = 1): void {
  for (let call = 0; call < times; call++) breaker.acquire().success();
}
