import { shown } from '../breaker/checks.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import type { CircuitBreakerOptions } from '../breaker/options.ts';
import { resolveOptions, type ResolvedOptions } from '../breaker/resolve-options.ts';
import { Configurations, mergeLayers } from '../registry/configurations.ts';
import { checkHttpBreakerOptions } from './http-breaker-options.ts';
import { hostDefaults, httpDefaults } from './http-defaults.ts';
import type { HttpCircuitBreakerOptions } from './http-options.ts';
import { CompiledOverride } from './override.ts';
import type { RequestKey } from './request-key.ts';

/** The options of one breaker, and the name that it bears instead of its key. */
export interface Guard {
  readonly options: ResolvedOptions;
  readonly name: string | undefined;
}

/** What guards a request. */
export interface Guards {
  readonly host: Guard | undefined;
  readonly endpoint: Guard | undefined;
}

type BreakerLevel = keyof Guards;

/** A guard, and where in the configuration it stands. */
export interface PlacedGuard {
  readonly where: string;
  readonly level: BreakerLevel;
  readonly guard: Guard;
}

const NO_GUARDS: Guards = { host: undefined, endpoint: undefined };

/**
 * Which options hold for a request, at either level. Every combination that can come up is resolved
 * at construction: a wrong option is known at once, and breakers share what they have in common.
 */
export class GuardTable {
  readonly #options: HttpCircuitBreakerOptions;
  readonly #clock: MonotonicClock;
  readonly #general: Guards;
  readonly #overrides: readonly { readonly override: CompiledOverride; readonly guards: Guards }[];
  // A key that was seen lately is the same object again.
  readonly #memo = new WeakMap<RequestKey, Guards>();

  /** @throws TypeError or RangeError that names the option and its value */
  constructor(options: HttpCircuitBreakerOptions, clock: MonotonicClock) {
    this.#options = options;
    this.#clock = clock;
    const { breaker = {}, hostBreaker = {}, configs, overrides = [] } = options;
    checkHttpBreakerOptions(breaker, 'breaker.');
    checkHttpBreakerOptions(hostBreaker, 'hostBreaker.');
    if (!Array.isArray(overrides)) {
      throw new TypeError(`overrides must be a list, but is ${shown(overrides)}`);
    }
    this.#general = {
      endpoint: this.#guard('endpoint', [], 'breaker.', undefined),
      host: this.#guard('host', [], 'hostBreaker.', undefined),
    };
    const configurations = new Configurations(configs, checkHttpBreakerOptions);
    this.#overrides = (overrides as readonly unknown[]).map((value, index) => {
      const what = `overrides[${index}]`;
      const override = new CompiledOverride(value, what);
      return { override, guards: this.#guardsOf(override, configurations, what) };
    });
  }

  /** Every guard that can come up, the general ones first. */
  get placedGuards(): PlacedGuard[] {
    const general = [
      ['breaker', 'endpoint', this.#general.endpoint],
      ['hostBreaker', 'host', this.#general.host],
    ] as const;
    const own = this.#overrides.flatMap(({ guards }, index) => {
      const where = `overrides[${index}]`;
      return [
        [where, 'endpoint', guards.endpoint],
        [where, 'host', guards.host],
      ] as const;
    });
    return [...general, ...own].flatMap(([where, level, guard]) =>
      guard === undefined ? [] : [{ where, level, guard }],
    );
  }

  get overrides(): CompiledOverride[] {
    return this.#overrides.map(({ override }) => override);
  }

  guardsFor(key: RequestKey): Guards {
    if (this.#overrides.length === 0) return this.#general;
    let guards = this.#memo.get(key);
    if (guards === undefined) {
      guards = this.#find(key);
      this.#memo.set(key, guards);
    }
    return guards;
  }

  #find(key: RequestKey): Guards {
    const firstAt = (level: BreakerLevel) =>
      this.#overrides.find(({ override }) => override.changes(level) && override.matches(key));
    const endpoint = firstAt('endpoint');
    if (endpoint?.override.leavesOut === true) return NO_GUARDS;
    return {
      host: (firstAt('host')?.guards ?? this.#general).host,
      endpoint: (endpoint?.guards ?? this.#general).endpoint,
    };
  }

  #guardsOf(compiled: CompiledOverride, configurations: Configurations, what: string): Guards {
    const { name, base, breaker = {} } = compiled.override;
    const layers = base === undefined ? [] : configurations.layersOf(base, what);
    const guardAt = (level: BreakerLevel): Guard | undefined => {
      if (!compiled.changes(level) || breaker === false) return undefined;
      return this.#guard(level, [...layers, breaker], `${what}.breaker.`, name);
    };
    return { host: guardAt('host'), endpoint: guardAt('endpoint') };
  }

  /** @param where  what an error puts before the name of an option that is wrong */
  #guard(
    level: BreakerLevel,
    layers: readonly CircuitBreakerOptions[],
    where: string,
    name: string | undefined,
  ): Guard | undefined {
    const { breaker = {}, hostBreaker = {}, level: kept = 'both' } = this.#options;
    if (kept !== 'both' && kept !== level) return undefined;
    const hostLayers = level === 'host' ? [hostDefaults, hostBreaker] : [];
    const merged = mergeLayers([httpDefaults, breaker, ...hostLayers, ...layers]);
    // By default a trial call that is not yet slow is not yet judged.
    const limit = {
      maxWaitDurationInHalfOpenState: Math.max(1, merged.slowCallDurationThreshold ?? 1),
    };
    const options = { ...limit, ...merged } as CircuitBreakerOptions;
    return { options: resolveOptions(options, where, this.#clock), name };
  }
}
