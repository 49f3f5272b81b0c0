import {
  checkIsMeant,
  checkNames,
  checkObject,
  checkText,
  unknownName,
} from '../breaker/checks.ts';
import type { CircuitBreakerOptions } from '../breaker/options.ts';
import { checkOptions, circuitBreakerOptionNames } from '../breaker/resolve-options.ts';

/** Options under a name. `base` names another configuration, whose options they add to. */
export interface NamedConfiguration extends CircuitBreakerOptions {
  /** The name of another configuration. @default none */
  readonly base?: string;
}

/** The configurations by name, each of which may build on another. */
export class Configurations {
  readonly #configs: Readonly<Record<string, unknown>>;

  /**
   * @param check  checks the options of one
   * @throws TypeError for a configuration that is none, or a `base` that is unknown or circular
   */
  constructor(
    configs: unknown = {},
    check: (options: unknown, where: string) => void = checkSharedOptions,
  ) {
    this.#configs = { ...checkObject('configs', configs) };
    const names = Object.keys(this.#configs);
    checkIsMeant('configs', configs as object, names);
    for (const name of names) {
      const what = `configs.${name}`;
      const config = checkObject(what, this.#configs[name]);
      checkNames(what, config, ['base', ...circuitBreakerOptionNames]);
      if (config['base'] !== undefined) checkText(`${what}.base`, config['base']);
      check(withoutBase(config), `${what}.`);
      this.layersOf(name, what);
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#configs, name);
  }

  /** The options of a configuration, those of its root first. `what` asks for it in an error. */
  layersOf(name: string, what: string): CircuitBreakerOptions[] {
    const layers: CircuitBreakerOptions[] = [];
    const seen: string[] = [];
    for (let next: string | undefined = name; next !== undefined;) {
      if (!this.has(next)) {
        throw new TypeError(`${what}: base ${unknownName(next, Object.keys(this.#configs))}`);
      }
      if (seen.includes(next)) {
        throw new TypeError(`${what}: base goes round in a circle: ${[...seen, next].join(' → ')}`);
      }
      seen.push(next);
      const config = this.#configs[next] as NamedConfiguration;
      layers.unshift(withoutBase(config));
      next = config.base;
    }
    return layers;
  }
}

/**
 * Checks the options of one layer, by themselves, so that an error names them where they stand.
 * @param where  what an error puts before an option's name, such as `hostBreaker.`
 */
export function checkSharedOptions(options: unknown, where: string): void {
  const { clock } = checkObject(where.slice(0, -1), options);
  if (clock !== undefined) {
    throw new TypeError(`${where}clock must stand beside the breakers' options: all share one`);
  }
  checkOptions(options as CircuitBreakerOptions, where);
}

/** By name, and so from a prototype, too. */
function withoutBase(config: NamedConfiguration): CircuitBreakerOptions {
  return mergeLayers([config]);
}

/**
 * Lays options over one another, property by property; later ones win. A layer that sets the type
 * of the window without its size sets that type's own size, and one that takes half-open's limit
 * away takes away where it leads.
 */
export function mergeLayers(layers: readonly CircuitBreakerOptions[]): CircuitBreakerOptions {
  const merged: Partial<Record<keyof CircuitBreakerOptions, unknown>> = {};
  for (const layer of layers) {
    if (layer.slidingWindowType !== undefined) delete merged.slidingWindowSize;
    if (layer.maxWaitDurationInHalfOpenState === 0) {
      delete merged.transitionToStateAfterWaitDuration;
    }
    // By name, and so from a prototype, too.
    for (const name of circuitBreakerOptionNames as readonly (keyof CircuitBreakerOptions)[]) {
      if (layer[name] !== undefined) merged[name] = layer[name];
    }
  }
  return merged as CircuitBreakerOptions;
}
