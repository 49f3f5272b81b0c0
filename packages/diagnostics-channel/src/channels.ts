import type { HttpCircuitBreakerEvents } from '@recloser/core';
import { httpEventTypes } from '@recloser/core/adapter';

/**
 * The names of all channels, by the type of their events: `channels.stateTransition` is
 * `recloser:stateTransition`. Unlike a name as text, a misspelt type does not compile.
 */
export const channels: {
  readonly [Type in keyof HttpCircuitBreakerEvents]: `recloser:${Type}`;
} = Object.freeze(
  Object.fromEntries(httpEventTypes.map((type) => [type, `recloser:${type}`])),
) as typeof channels;
