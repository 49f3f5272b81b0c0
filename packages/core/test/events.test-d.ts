import { expectTypeOf, test } from 'vitest';
import {
  BreakerRegistry,
  CircuitBreaker,
  HttpCircuitBreaker,
  type AmendedEvent,
  type BreakerAddedEvent,
  type BreakerEvictedEvent,
  type BreakerRegistryEvents,
  type CircuitBreakerEvent,
  type CircuitBreakerEvents,
  type CircuitBreakerEventType,
  type CircuitBreakerState,
  type ControlEvent,
  type EndpointLimitReachedEvent,
  type ErrorEvent,
  type FailureEvent,
  type FailureRateExceededEvent,
  type HeldEvent,
  type HttpCircuitBreakerEvents,
  type IgnoredEvent,
  type LateOutcomeEvent,
  type NotPermittedEvent,
  type NotPermittedReason,
  type PartitionLimitReachedEvent,
  type RegistryEvents,
  type RegistryFullEvent,
  type ResetEvent,
  type SlowCallRateExceededEvent,
  type StalledCallEvent,
  type StateTransitionEvent,
  type SuccessEvent,
  type TransitionReason,
} from '../src/index.ts';

const breaker = new CircuitBreaker('pricing');
const registry = new BreakerRegistry();
const http = new HttpCircuitBreaker();

test("an event's name narrows what the listener of a breaker gets", () => {
  breaker.on('success', (event) => expectTypeOf(event).toEqualTypeOf<SuccessEvent>());
  breaker.on('failure', (event) => expectTypeOf(event).toEqualTypeOf<FailureEvent>());
  breaker.on('ignored', (event) => expectTypeOf(event).toEqualTypeOf<IgnoredEvent>());
  breaker.on('held', (event) => expectTypeOf(event).toEqualTypeOf<HeldEvent>());
  breaker.on('amended', (event) => expectTypeOf(event).toEqualTypeOf<AmendedEvent>());
  breaker.on('notPermitted', (event) => expectTypeOf(event).toEqualTypeOf<NotPermittedEvent>());
  breaker.on('stateTransition', (event) =>
    expectTypeOf(event).toEqualTypeOf<StateTransitionEvent>(),
  );
  breaker.on('failureRateExceeded', (event) =>
    expectTypeOf(event).toEqualTypeOf<FailureRateExceededEvent>(),
  );
  breaker.on('slowCallRateExceeded', (event) =>
    expectTypeOf(event).toEqualTypeOf<SlowCallRateExceededEvent>(),
  );
  breaker.on('reset', (event) => expectTypeOf(event).toEqualTypeOf<ResetEvent>());
  breaker.on('lateOutcome', (event) => expectTypeOf(event).toEqualTypeOf<LateOutcomeEvent>());
  breaker.on('stalledCall', (event) => expectTypeOf(event).toEqualTypeOf<StalledCallEvent>());
  breaker.on('error', (event) => expectTypeOf(event).toEqualTypeOf<ErrorEvent>());
  expectTypeOf(breaker.on('reset', () => 'anything')).toEqualTypeOf<() => void>();
});

test('each event has what belongs to it, and no more', () => {
  breaker.on('success', (event) => {
    expectTypeOf(event.elapsed).toBeNumber();
    expectTypeOf(event.state).toEqualTypeOf<CircuitBreakerState>();
    // @ts-expect-error: nothing went wrong.
    void event.error;
  });
  breaker.on('failure', (event) => {
    expectTypeOf(event.type).toEqualTypeOf<'failure'>();
    expectTypeOf(event.rule).toEqualTypeOf<string | undefined>();
    expectTypeOf(event.status).toEqualTypeOf<number | undefined>();
    expectTypeOf(event.domain).toEqualTypeOf<'endpoint' | 'host' | undefined>();
    expectTypeOf(event.trip).toEqualTypeOf<true | undefined>();
    // @ts-expect-error: only a held call tells for how long.
    void event.holdFor;
    // @ts-expect-error: an event is for reading.
    event.at = 0;
  });
  breaker.on('ignored', ({ error }) => expectTypeOf(error).toBeUnknown());
  breaker.on('held', ({ holdFor }) => expectTypeOf(holdFor).toBeNumber());
  breaker.on('amended', ({ kind }) => expectTypeOf(kind).toEqualTypeOf<string | undefined>());
  breaker.on('notPermitted', (event) => {
    expectTypeOf(event.reason).toEqualTypeOf<NotPermittedReason>();
    // @ts-expect-error: there was no call that could take time.
    void event.elapsed;
  });
  breaker.on('stateTransition', ({ type, from, to, reason, wait, recoveryMs }) => {
    expectTypeOf(type).toEqualTypeOf<'stateTransition'>();
    expectTypeOf(from).toEqualTypeOf<CircuitBreakerState>();
    expectTypeOf(to).toEqualTypeOf<CircuitBreakerState>();
    expectTypeOf(reason).toEqualTypeOf<TransitionReason>();
    expectTypeOf(wait).toEqualTypeOf<number | undefined>();
    expectTypeOf(recoveryMs).toEqualTypeOf<number | undefined>();
  });
  breaker.on('failureRateExceeded', ({ rate }) => expectTypeOf(rate).toBeNumber());
  breaker.on('slowCallRateExceeded', ({ rate }) => expectTypeOf(rate).toBeNumber());
  breaker.on('stalledCall', ({ elapsed }) => expectTypeOf(elapsed).toBeNumber());
  breaker.on('error', ({ error, source, state }) => {
    expectTypeOf(error).toBeUnknown();
    expectTypeOf(source).toBeString();
    expectTypeOf(state).toEqualTypeOf<CircuitBreakerState | undefined>();
  });
});

test('the name of an event is one of those that there are', () => {
  // @ts-expect-error: the event is called stateTransition.
  breaker.on('stateTransitions', () => {});
  // @ts-expect-error: the event is called notPermitted.
  breaker.on('rejected', () => {});
  // @ts-expect-error: a single breaker is never evicted.
  breaker.on('breakerEvicted', () => {});
  // @ts-expect-error: a registry has no endpoints.
  registry.on('endpointLimitReached', () => {});
  // @ts-expect-error: the event is called control.
  http.on('controls', () => {});
  // @ts-expect-error: a reason is one of those that there are.
  breaker.on('stateTransition', ({ reason }) => reason === 'failures');
  // @ts-expect-error: it needs its listener.
  breaker.on('reset');
});

test('a registry tells of itself, too', () => {
  registry.on('breakerAdded', (event) => expectTypeOf(event).toEqualTypeOf<BreakerAddedEvent>());
  registry.on('breakerEvicted', (event) => {
    expectTypeOf(event).toEqualTypeOf<BreakerEvictedEvent>();
    expectTypeOf(event.reason).toEqualTypeOf<'room' | 'idle' | 'deleted'>();
  });
  registry.on('registryFull', (event) => {
    expectTypeOf(event).toEqualTypeOf<RegistryFullEvent>();
    expectTypeOf(event.maxBreakers).toBeNumber();
  });
  registry.on('failure', (event) => expectTypeOf(event).toEqualTypeOf<FailureEvent>());
  expectTypeOf<keyof BreakerRegistryEvents>().toEqualTypeOf<
    CircuitBreakerEventType | keyof RegistryEvents
  >();
  expectTypeOf(registry.on('breakerAdded', () => {})).toEqualTypeOf<() => void>();
});

test('an HTTP breaker tells of all that, and of limits and orders', () => {
  http.on('endpointLimitReached', (event) => {
    expectTypeOf(event).toEqualTypeOf<EndpointLimitReachedEvent>();
    expectTypeOf(event.limit).toBeNumber();
  });
  http.on('partitionLimitReached', (event) =>
    expectTypeOf(event).toEqualTypeOf<PartitionLimitReachedEvent>(),
  );
  http.on('control', (event) => expectTypeOf(event).toEqualTypeOf<ControlEvent>());
  http.on('success', (event) => expectTypeOf(event).toEqualTypeOf<SuccessEvent>());
  http.on('registryFull', (event) => expectTypeOf(event).toEqualTypeOf<RegistryFullEvent>());
  expectTypeOf<keyof HttpCircuitBreakerEvents>().toEqualTypeOf<
    keyof BreakerRegistryEvents | 'endpointLimitReached' | 'partitionLimitReached' | 'control'
  >();
  expectTypeOf(http.on('control', () => {})).toEqualTypeOf<() => void>();
});

test('an event that may be any is told apart by its type', () => {
  const words = (event: CircuitBreakerEvent): string => {
    if (event.type === 'held') return `${event.holdFor}`;
    if (event.type === 'stateTransition') return `${event.from} ${event.to}`;
    return event.breaker;
  };
  expectTypeOf(words).parameter(0).toEqualTypeOf<CircuitBreakerEvents[CircuitBreakerEventType]>();
  const types: readonly CircuitBreakerEventType[] = ['success', 'failure'];
  for (const type of types) breaker.on(type, words);
});
