import {
  CircuitBreaker,
  HttpCircuitBreaker,
  type HttpCircuitBreakerEvents,
  type StateTransitionEvent,
} from '@recloser/core';
import { expectTypeOf, test } from 'vitest';
import { channels, publishEvents, type PublishedEvent } from '../src/index.ts';

test('the events of an HTTP breaker are published until they are no more', () => {
  expectTypeOf(publishEvents(new HttpCircuitBreaker())).toEqualTypeOf<() => void>();
  // @ts-expect-error: a breaker alone knows no HTTP.
  publishEvents(new CircuitBreaker('prices'));
  // @ts-expect-error: options make no breaker here.
  publishEvents({ level: 'host' });
});

test('a message has the breaker, and the event of its channel', () => {
  expectTypeOf<PublishedEvent['breaker']>().toEqualTypeOf<HttpCircuitBreaker>();
  expectTypeOf<PublishedEvent<'stateTransition'>['event']>().toEqualTypeOf<StateTransitionEvent>();
  expectTypeOf<PublishedEvent['event']>().toEqualTypeOf<
    HttpCircuitBreakerEvents[keyof HttpCircuitBreakerEvents]
  >();
  // @ts-expect-error: there is no such event.
  expectTypeOf<PublishedEvent<'rejected'>>().toBeObject();
});

test('a channel is found by the type of its events', () => {
  expectTypeOf(channels.stateTransition).toEqualTypeOf<'recloser:stateTransition'>();
  expectTypeOf<keyof typeof channels>().toEqualTypeOf<keyof HttpCircuitBreakerEvents>();
  // @ts-expect-error: it is misspelt.
  void channels.statetransition;
  // @ts-expect-error: names are read only.
  channels.control = 'recloser:control';
});
