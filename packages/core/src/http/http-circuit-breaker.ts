import { checkText } from '../breaker/checks.ts';
import type { CallTally } from '../breaker/call-tally.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { CallNotPermittedError } from '../breaker/errors.ts';
import { Listeners } from '../breaker/listeners.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import { BreakerStore } from '../registry/breaker-store.ts';
import { AdmissionContext } from './admission-context.ts';
import { Admission } from './admission.ts';
import { BreakerControl } from './breaker-control.ts';
import { BreakerFinder, type BreakerPair } from './breaker-finder.ts';
import { GuardTable } from './guard-table.ts';
import { brand } from './http-breaker-brand.ts';
import { healthOf, type Health } from './health.ts';
import { httpEventTypes, type HttpCircuitBreakerEvents } from './http-events.ts';
import type { HttpCircuitBreakerOptions } from './http-options.ts';
import type { HttpCircuitBreakerSnapshot } from './http-snapshot.ts';
import { KeyLimits } from './key-limits.ts';
import { OperatorOrders } from './operator-orders.ts';
import { OutcomePolicy } from './outcome-policy.ts';
import type { OutcomeRow } from './outcome-row.ts';
import { compileRules, rulesOf } from './outcome-rules.ts';
import { RequestKeys, type RequestKey, type RequestLike } from './request-key.ts';
import { resolveHttpOptions } from './resolve-http-options.ts';

// Without permits it does nothing, so that one serves all.
const unguarded = /* @__PURE__ */ new Admission();

/**
 * Circuit breakers for the requests of HTTP clients: one for each host and one for each endpoint,
 * made as they are needed. Adapters ask it before each request and tell it how the request ended.
 * One may serve several clients, so that an outage that one of them meets protects all.
 *
 *     const breaker = new HttpCircuitBreaker({ breaker: { failureRateThreshold: 40 } });
 *     const guarded = wrapFetch(fetch, breaker);
 */
export class HttpCircuitBreaker {
  static {
    Object.defineProperty(this.prototype, brand, { value: true });
  }

  readonly #listeners = new Listeners(httpEventTypes);
  readonly #keys: RequestKeys;
  readonly #store: BreakerStore;
  readonly #limits: KeyLimits;
  readonly #finder: BreakerFinder;
  readonly #clock: MonotonicClock;
  readonly #context: AdmissionContext;
  readonly #orders: OperatorOrders;
  readonly #passing: Admission;
  #unguarded = 0;
  #layers = 0;

  /** @throws TypeError or RangeError that names the option and its value */
  constructor(options: HttpCircuitBreakerOptions = {}) {
    const resolved = resolveHttpOptions(options);
    const { given, clock, maxBreakers, maxEndpointsPerHost, maxPartitions, idleTimeout } = resolved;
    this.#clock = clock;
    this.#keys = new RequestKeys({ endpoints: given.endpoints });
    this.#limits = new KeyLimits(maxEndpointsPerHost, maxPartitions);
    this.#store = new BreakerStore({
      maxBreakers,
      idleTimeout,
      clock,
      listeners: this.#listeners,
      onRemoved: (key) => this.#limits.removed(key),
    });
    const onPredicateError = (error: unknown, { name = 'without a name' }: OutcomeRow): void =>
      this.#reportError(error, `when of the row '${name}'`);
    const rules = compileRules(rulesOf(given.rules), onPredicateError);
    const policy = new OutcomePolicy(rules, resolved);
    this.#context = new AdmissionContext(policy, this.#listeners, clock);
    this.#passing = new Admission(this.#context);
    this.#orders = new OperatorOrders(this.#store, clock, this.#listeners);
    const guards = new GuardTable(given, clock);
    this.#finder = new BreakerFinder(given, guards, this.#store, this.#limits, {
      made: (key, breaker) => this.#orders.apply(key, breaker),
      failed: (error, source) => this.#reportError(error, source),
      endpointLimitReached: (host) =>
        this.#announceLimit('endpointLimitReached', host, maxEndpointsPerHost),
      partitionLimitReached: (host) =>
        this.#announceLimit('partitionLimitReached', host, maxPartitions),
    });
  }

  /**
   * Admits a request, or refuses it.
   * @throws CallNotPermittedError, and nothing else: a request that can't be guarded, as one whose
   *   URL can't be parsed, is admitted and not counted
   */
  admit(request: RequestLike): Admission {
    const answer = this.#admit(request);
    if (answer instanceof Admission) return answer;
    throw answer;
  }

  /**
   * The breaker of a key, if there is one: of a host (`https://api.example.com`), or of an endpoint
   * (`GET https://api.example.com/users/:id`).
   */
  find(key: string): CircuitBreaker | undefined {
    this.#orders.expire();
    return this.#store.peek(key);
  }

  /**
   * Of what the breaker of a key is: a host, or an endpoint. Undefined where the caller's own key
   * function made the key, and where there is no such breaker.
   */
  levelOf(key: string): 'host' | 'endpoint' | undefined {
    return this.#limits.ownerOf(key)?.level;
  }

  /** Plain data: every breaker with its metrics at one instant, and what the registry did. */
  snapshot(): HttpCircuitBreakerSnapshot {
    this.#orders.expire();
    this.#context.beginStep();
    try {
      return this.#snapshot();
    } finally {
      this.#context.endStep();
    }
  }

  /**
   * What a readiness probe needs: `degraded` where calls are refused or on trial, else `up`; never
   * `down`, since an open breaker tells of a dependency and not of this instance.
   */
  health(): Health {
    return healthOf(this.snapshot().breakers);
  }

  /**
   * The operator's hand on all breakers, present and future, whose key or name matches.
   *
   *     breaker.control('*api.example.com*').forceOpen({ reason: 'maintenance', for: 3_600_000 });
   *
   * @param pattern  a key, a name, or a part of one with `*` for any text
   */
  control(pattern: string): BreakerControl {
    return new BreakerControl(this.#orders, checkText('control: pattern', pattern));
  }

  /**
   * Hears of one type of event of all breakers, present and future, and of the registry.
   * @returns the function that removes the listener
   * @throws TypeError for an unknown type
   */
  on<Type extends keyof HttpCircuitBreakerEvents>(
    type: Type,
    listener: (event: HttpCircuitBreakerEvents[Type]) => unknown,
  ): () => void {
    return this.#listeners.on(type, listener);
  }

  /** Events are made only while it is awake. @internal */
  onWhileAwake<Type extends keyof HttpCircuitBreakerEvents>(
    type: Type,
    listener: (event: HttpCircuitBreakerEvents[Type]) => unknown,
    isAwake: () => boolean,
  ): () => void {
    return this.#listeners.on(type, listener, isAwake);
  }

  /** @internal */
  addTally(tally: CallTally): () => void {
    return this.#listeners.addTally(tally);
  }

  /** Another adapter asks it. @internal */
  addLayer(): void {
    this.#layers++;
    // One alone never meets itself after an await.
    if (this.#layers === 2) this.#context.followAcrossAwaits();
  }

  #admit(request: RequestLike): Admission | CallNotPermittedError {
    const key = this.#keys.resolve(request);
    if (key === undefined) return this.#unguardedAdmission();
    const context = this.#context;
    if (context.isSending(key)) return this.#passing;
    this.#orders.expire();
    context.beginStep();
    try {
      return this.#ask(key, this.#finder.find(request, key));
    } finally {
      context.endStep();
    }
  }

  #ask(key: RequestKey, { host, endpoint }: BreakerPair): Admission | CallNotPermittedError {
    const leader = endpoint ?? host;
    if (leader === undefined) return this.#unguardedAdmission();
    // The host first: what the endpoint finds out it tells its host.
    if (host !== undefined && host !== leader) host.machine.touch();
    const now = leader.machine.touch();
    const hostReason = host?.machine.whyNot(now);
    const endpointReason = endpoint?.machine.whyNot(now);
    if (host !== undefined && hostReason !== undefined) {
      host.machine.refuse(now, hostReason);
      return host.refusalFor(hostReason, endpoint?.machine.retryAfterMs(now));
    }
    if (endpoint !== undefined && endpointReason !== undefined) {
      endpoint.machine.refuse(now, endpointReason);
      return endpoint.refusalFor(endpointReason);
    }
    const endpointPermit = endpoint?.machine.admit(now, false);
    const hostPermit = host?.machine.admit(now, endpoint !== undefined);
    return new Admission(this.#context, key, endpointPermit, hostPermit);
  }

  #snapshot(): HttpCircuitBreakerSnapshot {
    // An endpoint tells its host what it finds out: all are touched before one is read.
    const all = [...this.#store];
    for (const [, breaker] of all) breaker.machine.touch();
    const breakers = all.map(([key, breaker]) => ({
      key,
      name: breaker.name,
      level: this.levelOf(key),
      ...breaker.metrics(),
      lastFailure: breaker.lastFailure,
    }));
    const { evictions, overflows } = this.#store;
    const { standing: orders } = this.#orders;
    return { breakers, evictions, overflows, unguarded: this.#unguarded, orders };
  }

  #reportError(error: unknown, source: string): void {
    const at = this.#clock.date;
    this.#listeners.pushError({ type: 'error', breaker: '*', at, error, source });
  }

  #announceLimit(
    type: 'endpointLimitReached' | 'partitionLimitReached',
    breaker: string,
    limit: number,
  ): void {
    if (!this.#listeners.wants(type)) return;
    const event = { type, breaker, at: this.#clock.date, limit };
    this.#listeners.push(event);
  }

  #unguardedAdmission(): Admission {
    this.#unguarded++;
    return unguarded;
  }
}
