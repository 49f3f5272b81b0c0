import { shown } from '../breaker/checks.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { BreakerStore } from '../registry/breaker-store.ts';
import type { Guard, GuardTable } from './guard-table.ts';
import type { HttpCircuitBreakerOptions, OwnKey } from './http-options.ts';
import type { KeyLimits, KeyOwner } from './key-limits.ts';
import type { RequestKey, RequestLike } from './request-key.ts';

const LONGEST_PARTITION = 64;
const LONGEST_OWN_KEY = 1024;

/** The breakers that guard a request: of its host, of its endpoint, of both or none. */
export interface BreakerPair {
  readonly host: CircuitBreaker | undefined;
  readonly endpoint: CircuitBreaker | undefined;
}

export interface FinderReports {
  /** A function of the user's threw. */
  error(error: unknown, source: string): void;
  limitReached(limit: 'endpoints' | 'partitions', host: string): void;
}

/** Finds the breakers of a request, or makes them. */
export class BreakerFinder {
  readonly #options: HttpCircuitBreakerOptions;
  readonly #guards: GuardTable;
  readonly #store: BreakerStore;
  readonly #limits: KeyLimits;
  readonly #reports: FinderReports;

  constructor(
    options: HttpCircuitBreakerOptions,
    guards: GuardTable,
    store: BreakerStore,
    limits: KeyLimits,
    reports: FinderReports,
  ) {
    this.#options = options;
    this.#guards = guards;
    this.#store = store;
    this.#limits = limits;
    this.#reports = reports;
  }

  find(request: RequestLike, key: RequestKey): BreakerPair {
    const guards = this.#guards.guardsFor(key);
    const partition = this.#partition(request, key.host);
    const suffix = partition === undefined ? '' : ` [${partition}]`;
    const own = this.#ownKey(request);
    if (own !== undefined) {
      return {
        host: this.#ownBreaker(own.host, suffix, guards.host),
        endpoint: this.#ownBreaker(own.endpoint, suffix, guards.endpoint),
      };
    }
    const { host } = key;
    const hostOwner = { host, partition, level: 'host', takesPlace: false } as const;
    return {
      host: guards.host && this.#breaker(host + suffix, guards.host, hostOwner),
      endpoint: guards.endpoint && this.#endpoint(key, suffix, partition, guards.endpoint),
    };
  }

  #endpoint(
    { endpoint, method, host }: RequestKey,
    suffix: string,
    partition: string | undefined,
    guard: Guard,
  ): CircuitBreaker | undefined {
    const key = endpoint + suffix;
    const known = this.#store.find(key);
    if (known !== undefined) return known;
    const level = 'endpoint';
    if (this.#limits.admitsEndpoint(host, partition)) {
      return this.#breaker(key, guard, { host, partition, level, takesPlace: true });
    }
    if (this.#limits.isNews(host, 'toldEndpoints')) this.#reports.limitReached('endpoints', host);
    const rest = `${method} ${host}*${suffix}`;
    return this.#breaker(rest, guard, { host, partition, level, takesPlace: false });
  }

  #breaker(key: string, guard: Guard, owner: KeyOwner | undefined): CircuitBreaker | undefined {
    const known = this.#store.find(key);
    if (known !== undefined) return known;
    const made = this.#store.add(key, guard.name ?? key, guard.options);
    if (made !== undefined && owner !== undefined) this.#limits.added(key, owner);
    return made;
  }

  #ownBreaker(
    key: string | undefined,
    suffix: string,
    guard: Guard | undefined,
  ): CircuitBreaker | undefined {
    if (key === undefined || guard === undefined) return undefined;
    return this.#breaker(key + suffix, guard, undefined);
  }

  #partition(request: RequestLike, host: string): string | undefined {
    if (this.#options.partition === undefined) return undefined;
    let partition: string | undefined;
    try {
      partition = this.#options.partition(request);
      if (partition === undefined || partition === '') return undefined;
      if (typeof partition !== 'string') throw new TypeError(`it returned ${shown(partition)}`);
    } catch (error) {
      this.#reports.error(error, 'partition');
      return undefined;
    }
    const name = escaped(partition.slice(0, LONGEST_PARTITION));
    if (this.#limits.admitsPartition(host, name)) return name;
    if (this.#limits.isNews(host, 'toldPartitions')) this.#reports.limitReached('partitions', host);
    return undefined;
  }

  /** The caller's own keys; undefined where there is no key function, or it failed. */
  #ownKey(
    request: RequestLike,
  ): { readonly host?: string; readonly endpoint?: string } | undefined {
    if (this.#options.key === undefined) return undefined;
    try {
      return checkOwnKey(this.#options.key(request));
    } catch (error) {
      this.#reports.error(error, 'key');
      return undefined;
    }
  }
}

function checkOwnKey(key: OwnKey): { readonly host?: string; readonly endpoint?: string } {
  if (key === undefined) return {};
  const keys = typeof key === 'string' ? { endpoint: key } : key;
  if (typeof keys !== 'object' || keys === null) throw new TypeError(`it returned ${shown(key)}`);
  const checked: { host?: string; endpoint?: string } = {};
  for (const level of ['host', 'endpoint'] as const) {
    const part = keys[level];
    if (part === undefined) continue;
    if (typeof part !== 'string' || part === '') {
      throw new TypeError(`its ${level} must be a text that is not empty, but is ${shown(part)}`);
    }
    checked[level] = part.slice(0, LONGEST_OWN_KEY);
  }
  return checked;
}

/**
 * Keys are shown in logs and pages: nothing in them may break a line or pretend to be another key.
 */
function escaped(text: string): string {
  return text.replace(/[^\w.~@:-]/gu, (character) =>
    // A half of a surrogate pair can't be encoded.
    /^\p{Surrogate}$/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character),
  );
}
