import { atOnce, checkNames, checkObject, checkText, shown } from '../breaker/checks.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { BreakerStore } from '../registry/breaker-store.ts';
import type { Guard, Guards, GuardTable } from './guard-table.ts';
import type { HttpCircuitBreakerOptions, OwnKey } from './http-options.ts';
import type { KeyLimits, KeyOwner } from './key-limits.ts';
import type { RequestKey, RequestLike } from './request-key.ts';

const LONGEST_PARTITION = 64;
const LONGEST_OWN_KEY = 1024;

interface OwnKeys {
  readonly host?: string | undefined;
  readonly endpoint?: string | undefined;
}

/** The breakers that guard a request: of its host, of its endpoint, of both or none. */
export interface BreakerPair {
  readonly host: CircuitBreaker | undefined;
  readonly endpoint: CircuitBreaker | undefined;
}

/** Hears of what comes up while breakers are found. */
export interface FinderReports {
  made(key: string, breaker: CircuitBreaker): void;
  /** A function of the user's threw, or answered wrongly; `source` is the option. */
  failed(error: unknown, source: string): void;
  endpointLimitReached(host: string): void;
  partitionLimitReached(host: string): void;
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
    if (own !== undefined) return this.#ownPair(own, suffix, guards);
    const host = guards.host && this.#host(key, suffix, partition, guards.host);
    const endpoint =
      guards.endpoint && this.#endpoint(key, suffix, partition, guards.endpoint, host);
    return { host, endpoint };
  }

  #host(
    { host }: RequestKey,
    suffix: string,
    partition: string | undefined,
    guard: Guard,
  ): CircuitBreaker | undefined {
    const key = host + suffix;
    const known = this.#store.find(key);
    if (known !== undefined) return known;
    return this.#make(key, guard, { host, partition, level: 'host', takesPlace: false });
  }

  #ownPair(own: OwnKeys, suffix: string, guards: Guards): BreakerPair {
    const hostKey = guards.host && own.host;
    const endpointKey = guards.endpoint && own.endpoint;
    // One key twice is one breaker: it is not to count a call twice.
    const isOne = hostKey === endpointKey;
    const host = isOne ? undefined : this.#ownBreaker(hostKey, suffix, guards.host);
    return { host, endpoint: this.#ownBreaker(endpointKey, suffix, guards.endpoint, host) };
  }

  #ownBreaker(
    key: string | undefined,
    suffix: string,
    guard: Guard | undefined,
    keep?: CircuitBreaker,
  ): CircuitBreaker | undefined {
    if (key === undefined || guard === undefined) return undefined;
    const whole = key + suffix;
    return this.#store.find(whole) ?? this.#make(whole, guard, undefined, keep);
  }

  #endpoint(
    { endpoint, method, host }: RequestKey,
    suffix: string,
    partition: string | undefined,
    guard: Guard,
    keep: CircuitBreaker | undefined,
  ): CircuitBreaker | undefined {
    const key = endpoint + suffix;
    const known = this.#store.find(key);
    if (known !== undefined) return known;
    const level = 'endpoint';
    if (this.#limits.admitsEndpoint(host, partition)) {
      return this.#make(key, guard, { host, partition, level, takesPlace: true }, keep);
    }
    if (this.#limits.isNews(host, 'toldEndpoints')) this.#reports.endpointLimitReached(host);
    const rest = `${method} ${host}*${suffix}`;
    const shared = { host, partition, level, takesPlace: false } as const;
    return this.#store.find(rest) ?? this.#make(rest, guard, shared, keep);
  }

  /** @param keep  the breaker found first for the same request */
  #make(
    key: string,
    guard: Guard,
    owner: KeyOwner | undefined,
    keep?: CircuitBreaker,
  ): CircuitBreaker | undefined {
    const made = this.#store.add(key, guard.name ?? key, guard.options, keep);
    if (made === undefined) return undefined;
    if (owner !== undefined) this.#limits.added(key, owner);
    this.#reports.made(key, made);
    return made;
  }

  #partition(request: RequestLike, host: string): string | undefined {
    if (this.#options.partition === undefined) return undefined;
    let partition: string | undefined;
    try {
      partition = atOnce(this.#options.partition(request));
      if (partition === undefined || partition === '') return undefined;
      if (typeof partition !== 'string') throw new TypeError(`it returned ${shown(partition)}`);
    } catch (error) {
      this.#reports.failed(error, 'partition');
      return undefined;
    }
    const name = escaped(partition.slice(0, LONGEST_PARTITION));
    if (this.#limits.admitsPartition(host, name)) return name;
    if (this.#limits.isNews(host, 'toldPartitions')) this.#reports.partitionLimitReached(host);
    return undefined;
  }

  /** The caller's own keys; undefined where there is no key function, or it failed. */
  #ownKey(request: RequestLike): OwnKeys | undefined {
    if (this.#options.key === undefined) return undefined;
    try {
      return checkOwnKey(atOnce(this.#options.key(request)));
    } catch (error) {
      this.#reports.failed(error, 'key');
      return undefined;
    }
  }
}

function checkOwnKey(key: OwnKey): OwnKeys {
  if (key === undefined) return {};
  if (typeof key === 'string') return { endpoint: checkKey('its key', key) };
  checkNames('its key', checkObject('its key', key), ['host', 'endpoint']);
  return {
    host: key.host === undefined ? undefined : checkKey('its host', key.host),
    endpoint: key.endpoint === undefined ? undefined : checkKey('its endpoint', key.endpoint),
  };
}

function checkKey(what: string, value: unknown): string {
  const key = checkText(what, value).slice(0, LONGEST_OWN_KEY);
  return key.replace(/[\p{Cc}\p{Surrogate}]/gu, escapedCharacter);
}

/**
 * Keys are shown in logs and pages: nothing in them may break a line or pretend to be another key.
 */
function escaped(text: string): string {
  return text.replace(/[^\w.~@:-]/gu, escapedCharacter);
}

function escapedCharacter(character: string): string {
  // A half of a surrogate pair can't be encoded.
  return /^\p{Surrogate}$/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character);
}
