import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { HttpCircuitBreaker, HttpCircuitBreakerEvents } from '@recloser/core';
import type { PublishedEvent } from '../src/index.ts';

type EventType = keyof HttpCircuitBreakerEvents;

/** A subscriber of the channels of some types. It keeps what it hears of one breaker. */
export class Subscribed<Type extends EventType> implements Disposable {
  readonly events: HttpCircuitBreakerEvents[Type][] = [];
  readonly channels: string[] = [];
  readonly #breaker: HttpCircuitBreaker;
  readonly #names: readonly string[];

  constructor(breaker: HttpCircuitBreaker, ...types: Type[]) {
    this.#breaker = breaker;
    this.#names = types.map((type) => `recloser:${type}`);
    for (const name of this.#names) subscribe(name, this.#hear);
  }

  readonly #hear = (message: unknown, name: string | symbol): void => {
    const { breaker, event } = message as PublishedEvent<Type>;
    if (breaker !== this.#breaker) return;
    this.events.push(event);
    this.channels.push(String(name));
  };

  [Symbol.dispose](): void {
    for (const name of this.#names) unsubscribe(name, this.#hear);
  }
}
