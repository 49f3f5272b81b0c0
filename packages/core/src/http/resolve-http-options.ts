import {
  checkAbove,
  checkBoolean,
  checkChoice,
  checkCount,
  checkFunction,
  checkNames,
  checkObject,
  checkText,
} from '../breaker/checks.ts';
import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import { resolveClock } from '../breaker/resolve-options.ts';
import { checkBreakerOptionsAreBelow } from './http-breaker-options.ts';
import { httpOptionNames, levels, type HttpCircuitBreakerOptions } from './http-options.ts';

/**
 * Options with the defaults of limits and times in place. Rules, endpoints, overrides and the breakers'
 * options are as they were given: what compiles them checks them.
 */
export interface ResolvedHttpOptions {
  readonly given: HttpCircuitBreakerOptions;
  readonly clock: MonotonicClock;
  readonly maxBreakers: number;
  readonly maxEndpointsPerHost: number;
  readonly maxPartitions: number;
  /** Infinity for none. */
  readonly idleTimeout: number;
  readonly honorRetryAfter: boolean;
  readonly maxRetryAfter: number;
}

/** @throws TypeError or RangeError that names the option and its value */
export function resolveHttpOptions(options: HttpCircuitBreakerOptions): ResolvedHttpOptions {
  checkBreakerOptionsAreBelow('options', checkObject('options', options));
  checkNames('options', options, httpOptionNames);
  // By name, and so from a prototype, too.
  const given: HttpCircuitBreakerOptions = Object.fromEntries(
    httpOptionNames.map((name) => [name, options[name as keyof HttpCircuitBreakerOptions]]),
  );
  if (given.$schema !== undefined) checkText('$schema', given.$schema);
  if (given.level !== undefined) checkChoice('level', given.level, levels);
  if (given.partition !== undefined) checkFunction('partition', given.partition);
  if (given.key !== undefined) checkFunction('key', given.key);
  const {
    maxBreakers = 10_000,
    maxEndpointsPerHost = 100,
    maxPartitions = 100,
    // Tenants come and go.
    idleTimeout = given.partition === undefined ? undefined : 600_000,
    honorRetryAfter = true,
    maxRetryAfter = 300_000,
  } = given;
  return {
    given,
    clock: resolveClock(given.clock),
    maxBreakers: checkCount('maxBreakers', maxBreakers),
    maxEndpointsPerHost: checkCount('maxEndpointsPerHost', maxEndpointsPerHost),
    maxPartitions: checkCount('maxPartitions', maxPartitions),
    idleTimeout: idleTimeout === undefined ? Infinity : checkAbove('idleTimeout', idleTimeout, 0),
    honorRetryAfter: checkBoolean('honorRetryAfter', honorRetryAfter),
    maxRetryAfter: checkAbove('maxRetryAfter', maxRetryAfter, 0),
  };
}
