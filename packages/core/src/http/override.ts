import { checkChoice, checkNames, checkObject, checkText } from '../breaker/checks.ts';
import { hostPattern, type HostMatcher } from './host-pattern.ts';
import { checkMethod } from './http-token.ts';
import { checkHttpBreakerOptions } from './http-breaker-options.ts';
import { levels, type Level, type Override } from './http-options.ts';
import type { RequestKey } from './request-key.ts';
import { RouteTemplate } from './route-template.ts';

const names = ['name', 'host', 'method', 'path', 'level', 'base', 'breaker'];

/** One override, checked and made ready to be held against requests. */
export class CompiledOverride {
  readonly override: Override;
  readonly #host: HostMatcher | undefined;
  readonly #method: string | undefined;
  readonly #path: RouteTemplate | undefined;
  readonly #level: Level;

  /** @param what  what an error calls it, such as `overrides[0]` */
  constructor(value: unknown, what: string) {
    checkNames(what, checkObject(what, value), names);
    const override = value as Override;
    const { name, host, method, path, level, base, breaker } = override;
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
    this.override = { ...override };
    this.#host = host === undefined ? undefined : hostPattern(host, `${what}.host`);
    this.#method = method?.toUpperCase();
    this.#path = path === undefined ? undefined : new RouteTemplate(path, `${what}.path`);
    this.#level = level ?? 'endpoint';
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
