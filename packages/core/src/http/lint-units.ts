import type { HttpBreakerOptions } from './http-breaker-options.ts';
import type { HttpCircuitBreakerOptions } from './http-options.ts';
import type { ConfigurationWarning } from './lint-configuration.ts';

/** Fractions for percent, and seconds for ms: all below is legal, and means little in its unit. */
const LEAST = {
  failureRateThreshold: 1,
  slowCallRateThreshold: 1,
  slowCallDurationThreshold: 10,
  waitDurationInOpenState: 100,
  'waitDurationInOpenState.initial': 100,
  'waitDurationInOpenState.max': 100,
  maxWaitDurationInHalfOpenState: 100,
  permitLease: 1000,
  idleTimeout: 1000,
  maxRetryAfter: 1000,
};

type Name = keyof typeof LEAST;

const names = Object.keys(LEAST) as Name[];

/** Finds values that are right in another unit than the one that is asked for, where they stand. */
export function lintUnits(options: HttpCircuitBreakerOptions): ConfigurationWarning[] {
  const {
    breaker,
    hostBreaker,
    configs = {},
    overrides = [],
    idleTimeout,
    maxRetryAfter,
  } = options;
  return [
    ...lintBreaker('breaker', breaker),
    ...lintBreaker('hostBreaker', hostBreaker),
    ...Object.keys(configs).flatMap((name) => lintBreaker(`configs.${name}`, configs[name])),
    ...overrides.flatMap((override, index) =>
      lintBreaker(`overrides[${index}]`, override.breaker || undefined),
    ),
    ...lintValue('idleTimeout', 'idleTimeout', idleTimeout),
    ...lintValue('maxRetryAfter', 'maxRetryAfter', maxRetryAfter),
  ];
}

function lintBreaker(where: string, options: HttpBreakerOptions = {}): ConfigurationWarning[] {
  const { waitDurationInOpenState: wait } = options;
  const growing = typeof wait === 'object' ? wait : undefined;
  const nested: Partial<Record<Name, unknown>> = {
    'waitDurationInOpenState.initial': growing?.initial,
    'waitDurationInOpenState.max': growing?.max,
  };
  // By name, and so from a prototype, too.
  const valueOf = (name: Name): unknown => nested[name] ?? (options as typeof nested)[name];
  return names.flatMap((name) => lintValue(where, name, valueOf(name)));
}

function lintValue(where: string, name: Name, value: unknown): ConfigurationWarning[] {
  // Half-open without a limit has 0.
  if (typeof value !== 'number' || value === 0 || value >= LEAST[name]) return [];
  const [unit, factor] = name.includes('Rate') ? ['percent', 100] : ['ms', 1000];
  const meant = Number((value * factor).toPrecision(12));
  const message = `${name} is in ${unit}, and ${value} is very little; did you mean ${meant}?`;
  return [{ where, kind: 'unit', message }];
}
