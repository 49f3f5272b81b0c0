import type { Clock } from '../breaker/clock.ts';
import type { HttpBreakerOptions } from './http-breaker-options.ts';
import type { OutcomeRow } from './outcome-row.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import type { RequestLike } from './request-key.ts';

/** Whose breaker: the host's, the endpoint's, or both. */
export type Level = 'host' | 'endpoint' | 'both';

/**
 * Other options for some requests. All conditions that are given must hold; the first that matches
 * wins.
 */
export interface Override {
  /** Shown in errors, events and metrics instead of the key. @default the key */
  readonly name?: string;
  /** `'api.example.com'`, `'*.example.com'`, with a port where one is given. @default any */
  readonly host?: string;
  /** In any case of letters. @default any */
  readonly method?: string;
  /** A route template: `'/users/:id'`, `'/v1/*'`. @default any */
  readonly path?: string;
  /**
   * Whose breakers it changes; `method` and `path` speak of endpoints only.
   * @default 'endpoint'; with `breaker: false` the whole request
   */
  readonly level?: Level;
  /** A name in `configs`, over the general options. @default none */
  readonly base?: string;
  /**
   * Over `base`, property by property. `false` leaves these requests out: they pass unguarded.
   * @default none
   */
  readonly breaker?: HttpBreakerOptions | false;
}

/**
 * What the caller's own key function answers: a key for one breaker, keys for two, or undefined for
 * none.
 */
export type OwnKey = string | { readonly host?: string; readonly endpoint?: string } | undefined;

/**
 * Options of an `HttpCircuitBreaker`. All but the functions is plain data, which may come from
 * JSON. They are checked and copied once, at construction.
 *
 * `Request` is what `partition` and `key` get. An adapter knows it; a breaker that may serve
 * several clients does not, and `original` is unknown there.
 */
export interface HttpCircuitBreakerOptions<Request extends RequestLike = RequestLike> {
  /**
   * Where an editor finds the schema of a configuration as JSON; nothing else looks at it.
   * @default none
   */
  readonly $schema?: string;
  /**
   * Options of every breaker, over the HTTP defaults. Hosts have stricter defaults of their own
   * over these, for failureRateThreshold, consecutiveFailureThreshold, slowCallRateThreshold and
   * the limit of half-open: change those for hosts by `hostBreaker`.
   * @default the HTTP defaults
   */
  readonly breaker?: HttpBreakerOptions;
  /** Options of host breakers, over `breaker` and the host defaults. @default the host defaults */
  readonly hostBreaker?: HttpBreakerOptions;
  /**
   * What counts: one's own rows, which come before the standard ones, or what `defineRules`
   * returned. TypeScript takes the outcomes of a list in a variable for any strings: write it
   * within `defineRules`, or with `satisfies OutcomeRow[]`.
   * @default the standard rows
   */
  readonly rules?: OutcomeRules | readonly OutcomeRow[];
  /**
   * Route templates: `['/users/:id', '/files/*']`. Paths that match none have their ids folded.
   *
   * Where ids do not look like ids, every one of them would be an endpoint of its own.
   * @default none
   */
  readonly endpoints?: readonly string[];
  /**
   * Whose health is kept.
   *
   * Of both, a bad endpoint does not take the good ones with it, and a dead host is found once and
   * not once per endpoint.
   * @default 'both'
   */
  readonly level?: Level;
  /**
   * Splits the keys, as if each answer called a host of its own: `() => currentTenant.getStore()`,
   * with an AsyncLocalStorage, or something found in the URL. One that throws is reported as an
   * `error` event, and the request shares the unpartitioned breakers.
   * @default none
   */
  readonly partition?: (request: Request) => string | undefined;
  /**
   * Instead of the keys derived from the request. One that throws is reported as an `error` event,
   * and the derived keys are used.
   * @default none
   */
  readonly key?: (request: Request) => OwnKey;
  /**
   * The most breakers at one time, of both levels.
   *
   * To make room the least recently used goes, but none that protects something: where none can go,
   * a new key gets no breaker, and a `registryFull` event says so.
   * @default 10_000
   */
  readonly maxBreakers?: number;
  /**
   * The most endpoints of one host (and partition); further ones share one per method.
   *
   * So no host can take up the room of all; an `endpointLimitReached` event says so.
   * @default 100
   */
  readonly maxEndpointsPerHost?: number;
  /**
   * The most partitions of one host; further ones share the unpartitioned breakers.
   *
   * So no tenant can take up the room of all; a `partitionLimitReached` event says so.
   * @default 100
   */
  readonly maxPartitions?: number;
  /**
   * Breakers unused for so long, in ms, go.
   *
   * Partitions come and go, as tenants do; hosts and endpoints stay.
   * @default 600_000 with `partition`, else none
   */
  readonly idleTimeout?: number;
  /**
   * Options by name, for the `base` of overrides; each may have a `base` of its own.
   * @default none
   */
  readonly configs?: Readonly<Record<string, HttpBreakerOptions & { readonly base?: string }>>;
  /** Other options for some requests; for each level the first that matches holds. @default none */
  readonly overrides?: readonly Override[];
  /**
   * When a breaker opens, it waits at least as long as a Retry-After header asked.
   *
   * Trial calls before that would fail.
   * @default true
   */
  readonly honorRetryAfter?: boolean;
  /**
   * The longest that a Retry-After header is believed, in ms; one that asks for more is read as
   * this.
   *
   * A server's slip must not stop its callers for a day.
   * @default 300_000
   */
  readonly maxRetryAfter?: number;
  /** The clock of all breakers: a `ManualClock` in tests. @default the system's */
  readonly clock?: Clock;
}

const names: Readonly<Record<keyof HttpCircuitBreakerOptions, true>> = {
  $schema: true,
  breaker: true,
  hostBreaker: true,
  rules: true,
  endpoints: true,
  level: true,
  partition: true,
  key: true,
  maxBreakers: true,
  maxEndpointsPerHost: true,
  maxPartitions: true,
  idleTimeout: true,
  configs: true,
  overrides: true,
  honorRetryAfter: true,
  maxRetryAfter: true,
  clock: true,
};

export const httpOptionNames: readonly string[] = Object.keys(names);

export const levels: readonly Level[] = ['host', 'endpoint', 'both'];
