import { circuitBreakerEventTypes, type CircuitBreakerEvents } from '../breaker/events.ts';
import { registryEventTypes, type RegistryEvents } from '../registry/registry-events.ts';
import type { ControlEvent } from './control-types.ts';

interface LimitReachedEventOf<Type extends string> {
  readonly type: Type;
  /** The key of the host. */
  readonly breaker: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The limit in force. */
  readonly limit: number;
}

/**
 * A host has as many endpoints as it may: further ones share one breaker per method. Once per host.
 */
export interface EndpointLimitReachedEvent extends LimitReachedEventOf<'endpointLimitReached'> {}

/**
 * A host has as many partitions as it may: further ones share its unpartitioned breakers. Once per
 * host.
 */
export interface PartitionLimitReachedEvent extends LimitReachedEventOf<'partitionLimitReached'> {}

/** The events of an HTTP breaker by their names: those of all its breakers, and its own. */
export interface HttpCircuitBreakerEvents extends CircuitBreakerEvents, RegistryEvents {
  readonly endpointLimitReached: EndpointLimitReachedEvent;
  readonly partitionLimitReached: PartitionLimitReachedEvent;
  readonly control: ControlEvent;
}

const ownTypes: Readonly<
  Record<
    Exclude<keyof HttpCircuitBreakerEvents, keyof (CircuitBreakerEvents & RegistryEvents)>,
    true
  >
> = {
  endpointLimitReached: true,
  partitionLimitReached: true,
  control: true,
};

/** The types of all events of an `HttpCircuitBreaker`. */
export const httpEventTypes: readonly (keyof HttpCircuitBreakerEvents)[] = [
  ...circuitBreakerEventTypes,
  ...registryEventTypes,
  ...Object.keys(ownTypes),
] as (keyof HttpCircuitBreakerEvents)[];
