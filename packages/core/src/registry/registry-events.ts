interface RegistryEventOf<Type extends string> {
  readonly type: Type;
  /** The name of the breaker, or its key where it has no other. */
  readonly breaker: string;
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A breaker was made, since its key was asked for the first time. */
export interface BreakerAddedEvent extends RegistryEventOf<'breakerAdded'> {}

/** A breaker was forgotten: to make room, for being idle, or by hand. */
export interface BreakerEvictedEvent extends RegistryEventOf<'breakerEvicted'> {
  /** To make `room`, for being `idle`, or `deleted` by hand. */
  readonly reason: 'room' | 'idle' | 'deleted';
  /** The openings in a row that were lost with it: its next wait begins anew. */
  readonly openingsInARow: number;
  /** The run of failures that was lost with it. */
  readonly consecutiveFailures: number;
}

/** A new key got no breaker, since every breaker looked at protects something. */
export interface RegistryFullEvent extends RegistryEventOf<'registryFull'> {
  /** The limit in force. */
  readonly maxBreakers: number;
}

/** The events of a registry itself, by their names. */
export interface RegistryEvents {
  readonly breakerAdded: BreakerAddedEvent;
  readonly breakerEvicted: BreakerEvictedEvent;
  readonly registryFull: RegistryFullEvent;
}

const types: Readonly<Record<keyof RegistryEvents, true>> = {
  breakerAdded: true,
  breakerEvicted: true,
  registryFull: true,
};

export const registryEventTypes: readonly string[] = Object.keys(types);
