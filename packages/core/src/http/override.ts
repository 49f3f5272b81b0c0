import { checkChoice, checkNames, checkObject, checkText } from '../breaker/checks.ts';
import { hostPattern, type HostMatcher } from './host-pattern.ts';
import { checkMethod } from './http-token.ts';
import { checkBreakerOptionsAreBelow, checkHttpBreakerOptions } from './http-breaker-options.ts';
import { levels, type Level, type Override } from './http-options.ts';
import type { RequestKey } from './request-key.ts';
import { RouteTemplate } from './route-template.ts';

const names = Object.keys({
  name: true,
  host: true,
  method: true,
  path: true,
  level: true,
  base: true,
  breaker: true,
} satisfies Record<keyof Override, true>);

/** One override, checked and made ready to be held against requests. */
export class CompiledOverride {
  readonly override: { readonly [Name in keyof Override]: Override[Name] | undefined };
  readonly #host: HostMatcher | undefined;
  readonly #method: string | undefined;
  readonly #path: RouteTemplate | undefined;
  readonly #level: Level;

  /** @param what  what an error calls it, such as `overrides[0]` */
  constructor(value: unknown, what: string) {
    checkBreakerOptionsAreBelow(what, checkObject(what, value));
    checkNames(what, value as Override, names);
    const { name, host, method, path, level, base, breaker } = value as Override;
    if (name !== undefined) checkText(`${what}.name`, name);
    if (method !== undefined) checkMethod(`${what}.method`, method);
    if (level !== undefined) checkChoice(`${what}.level`, level, levels);
    if (base !== undefined) checkText(`${what}.base`, base);
    if (breaker !== undefined && breaker !== false) {
      checkHttpBreakerOptions(breaker, `${what}.breaker.`);
    }
    if (level !== undefined && level !== 'endpoint' && (method ?? path) !== undefined) {
      throw new TypeError(`${what}: a host has no method and no path; leave level out, or those`);
    }
    this.override = { name, host, method, path, level, base, breaker };
    this.#host = host === undefined ? undefined : hostPattern(host, `${what}.host`);
    this.#method = method?.toUpperCase();
    this.#path = path === undefined ? undefined : new RouteTemplate(path, `${what}.path`);
    this.#level = level ?? 'endpoint';
    if (name === undefined && base === undefined && breaker === undefined) {
      throw new TypeError(`${what} changes nothing: give it breaker, base or name`);
    }
  }

  changes(level: 'host' | 'endpoint'): boolean {
    return this.#level === level || this.#level === 'both';
  }

  /** Leaves the whole request out, not one level of it. */
  get leavesOut(): boolean {
    return this.override.breaker === false && this.override.level === undefined;
  }

  matches(key: RequestKey): boolean {
    if (this.#host !== undefined && !this.#host(key.host)) return false;
    if (this.#method !== undefined && this.#method !== key.method) return false;
    return this.#path === undefined || this.#path.matches(key.path);
  }
}
