import { channel } from 'node:diagnostics_channel';
import type { HttpCircuitBreaker, HttpCircuitBreakerEvents } from '@recloser/core';
import { checkHttpCircuitBreaker, httpEventTypes, listenWhileAwake } from '@recloser/core/adapter';
import { channels } from './channels.ts';

type EventType = keyof HttpCircuitBreakerEvents;

/** What the subscribers of a channel get. Without a type: of any. */
export interface PublishedEvent<Type extends EventType = EventType> {
  readonly breaker: HttpCircuitBreaker;
  readonly event: HttpCircuitBreakerEvents[Type];
}

const published = new WeakSet<HttpCircuitBreaker>();

/**
 * Publishes the events of an `HttpCircuitBreaker` on channels of Node's `diagnostics_channel`, one
 * for each type: `channels` has their names. A message is a `PublishedEvent`, published after the
 * step that caused the event is complete. While nobody has subscribed to a type its events are not
 * made.
 *
 *     const stop = publishEvents(breaker);
 *     subscribe(channels.stateTransition, (message) => {
 *       const { event } = message as PublishedEvent<'stateTransition'>;
 *       logger.warn(event);
 *     });
 *
 * A subscriber that throws harms no call, but Node makes it an uncaught exception of the process.
 * @returns the function that ends it; called again it does nothing
 * @throws TypeError for what is no `HttpCircuitBreaker`; Error where the events of this one are
 *   published already: every subscriber would get each of them twice
 */
export function publishEvents(breaker: HttpCircuitBreaker): () => void {
  checkHttpCircuitBreaker('publishEvents: breaker', breaker);
  if (published.has(breaker)) {
    throw new Error(
      'publishEvents: the events of this breaker are published already; call what the first call returned to end that',
    );
  }
  published.add(breaker);
  const stops = httpEventTypes.map((type) => {
    const target = channel(channels[type]);
    return listenWhileAwake(
      breaker,
      type,
      (event) => target.publish({ breaker, event }),
      () => target.hasSubscribers,
    );
  });
  return () => {
    if (stops.length > 0) published.delete(breaker);
    for (const stop of stops.splice(0)) stop();
  };
}
