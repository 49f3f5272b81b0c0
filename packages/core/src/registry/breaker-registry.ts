import {
  checkAbove,
  checkCount,
  checkNames,
  checkObject,
  checkText,
  unknownName,
} from '../breaker/checks.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { Clock } from '../breaker/clock.ts';
import type { LastFailure } from '../breaker/errors.ts';
import { circuitBreakerEventTypes, type CircuitBreakerEvents } from '../breaker/events.ts';
import { Listeners } from '../breaker/listeners.ts';
import type { CircuitBreakerMetrics } from '../breaker/metrics.ts';
import type { CircuitBreakerOptions } from '../breaker/options.ts';
import { resolveClock, resolveOptions, type ResolvedOptions } from '../breaker/resolve-options.ts';
import { BreakerStore } from './breaker-store.ts';
import {
  checkSharedOptions,
  Configurations,
  mergeLayers,
  type NamedConfiguration,
} from './configurations.ts';
import { registryEventTypes, type RegistryEvents } from './registry-events.ts';

/**
 * Options of a `BreakerRegistry`. They are checked and copied once, at construction: a wrong one is
 * a TypeError or RangeError that names it.
 */
export interface BreakerRegistryOptions {
  /** Options of every breaker. `clock` stands beside them, since all share one. */
  readonly breaker?: Omit<CircuitBreakerOptions, 'clock'>;
  /**
   * Options by name, over `breaker`: a breaker of that key takes them, or one that asks for them.
   */
  readonly configs?: Readonly<Record<string, NamedConfiguration>>;
  /** The most breakers at one time. @default 10_000 */
  readonly maxBreakers?: number;
  /** Breakers unused for so long, in ms, go, found as others are used. @default none */
  readonly idleTimeout?: number;
  /** @default the system's */
  readonly clock?: Clock;
}

/** The events of all breakers of a registry, and its own, by their names. */
export type BreakerRegistryEvents = CircuitBreakerEvents & RegistryEvents;

/** Plain data about all breakers of a registry at one moment. */
export interface BreakerRegistrySnapshot {
  /** From the least to the most recently used. */
  readonly breakers: readonly (CircuitBreakerMetrics & {
    readonly key: string;
    readonly lastFailure: LastFailure | undefined;
  })[];
  /** Breakers that went to make room or for being idle, in all. */
  readonly evictions: number;
  /** Calls whose new key got no breaker for want of room, in all. */
  readonly overflows: number;
}

const names: Readonly<Record<keyof BreakerRegistryOptions, true>> = {
  breaker: true,
  configs: true,
  maxBreakers: true,
  idleTimeout: true,
  clock: true,
};

/**
 * Breakers by key, for calls of any kind, made as they are asked for and bounded in number: the
 * least recently used goes first, but never one that protects something.
 *
 *     const registry = new BreakerRegistry({ breaker: { failureRateThreshold: 40 } });
 *     await registry.get('inventory')?.execute(() => inventory.count(id));
 */
export class BreakerRegistry {
  readonly #store: BreakerStore;
  readonly #configurations: Configurations;
  readonly #resolved = new Map<string | undefined, ResolvedOptions>();

  /** @throws TypeError or RangeError that names the option and its value */
  constructor(options: BreakerRegistryOptions = {}) {
    checkNames('options', checkObject('options', options), Object.keys(names));
    const { breaker = {}, configs, maxBreakers = 10_000, idleTimeout, clock } = options;
    checkSharedOptions(breaker, 'breaker.');
    this.#configurations = new Configurations(configs);
    const sharedClock = resolveClock(clock);
    const resolve = (name: string | undefined, where: string): void => {
      const layers = name === undefined ? [] : this.#configurations.layersOf(name, where);
      const merged = mergeLayers([breaker, ...layers]);
      this.#resolved.set(name, resolveOptions(merged, where, sharedClock));
    };
    resolve(undefined, 'breaker.');
    for (const name of Object.keys(configs ?? {})) resolve(name, `configs.${name}.`);
    this.#store = new BreakerStore({
      maxBreakers: checkCount('maxBreakers', maxBreakers),
      idleTimeout: idleTimeout === undefined ? Infinity : checkAbove('idleTimeout', idleTimeout, 0),
      clock: sharedClock,
      listeners: new Listeners([...circuitBreakerEventTypes, ...registryEventTypes]),
    });
  }

  /** How many breakers there are. */
  get size(): number {
    return this.#store.size;
  }

  /**
   * The breaker of a key, made at the first call. Undefined where the registry is full of breakers
   * that protect something: then call without one, as the `registryFull` event says.
   * @param config  a name in `configs`, for the call that makes the breaker. @default the key, where
   *   `configs` has it
   * @throws TypeError for a key that is no text, or an unknown configuration
   */
  get(key: string, config?: string): CircuitBreaker | undefined {
    checkText('get: key', key);
    if (config !== undefined && !this.#configurations.has(config)) {
      const known = [...this.#resolved.keys()].filter((name) => name !== undefined);
      throw new TypeError(`get: configuration ${unknownName(String(config), known)}`);
    }
    return this.#store.find(key) ?? this.#store.add(key, key, this.#optionsFor(key, config));
  }

  /** Looks without making or using. */
  has(key: string): boolean {
    return this.#store.peek(key) !== undefined;
  }

  /** Forgets a breaker. Calls in flight on it settle harmlessly; its own listeners hear no more. */
  delete(key: string): boolean {
    return this.#store.delete(key);
  }

  /** Forgets all, as `delete` does. */
  clear(): void {
    this.#store.clear();
  }

  /** From the least to the most recently used; using one meanwhile is safe. */
  [Symbol.iterator](): IterableIterator<[key: string, breaker: CircuitBreaker]> {
    return this.#store[Symbol.iterator]();
  }

  /** Plain data: the metrics of every breaker, and what the registry did. */
  snapshot(): BreakerRegistrySnapshot {
    const breakers = [...this].map(([key, breaker]) => ({
      key,
      ...breaker.metrics(),
      lastFailure: breaker.lastFailure,
    }));
    return { breakers, evictions: this.#store.evictions, overflows: this.#store.overflows };
  }

  /**
   * Hears of one type of event of all breakers, present and future, and of the registry.
   * @returns the function that removes the listener
   * @throws TypeError for an unknown type
   */
  on<Type extends keyof BreakerRegistryEvents>(
    type: Type,
    listener: (event: BreakerRegistryEvents[Type]) => unknown,
  ): () => void {
    return this.#store.listeners.on(type, listener);
  }

  #optionsFor(key: string, config: string | undefined): ResolvedOptions {
    return this.#resolved.get(config ?? (this.#configurations.has(key) ? key : undefined))!;
  }
}
