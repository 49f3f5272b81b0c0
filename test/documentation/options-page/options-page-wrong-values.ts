import {
  BreakerRegistry,
  CircuitBreaker,
  defineRules,
  HttpCircuitBreaker,
  lintConfiguration,
  type BreakerRegistryOptions,
  type CircuitBreakerOptions,
  type DefineRulesOptions,
  type FallbackOptions,
  type GrowingWait,
  type HttpCircuitBreakerOptions,
  type LintContext,
  type Override,
} from '@recloser/core';
import { wrapFetch, type WrapFetchOptions } from '@recloser/fetch';
import { circuitBreaker, type GotBreakerOptions } from '@recloser/got';

/** Takes options of one kind, and for each of them has some in which it is wrong. */
export interface WrongOptions<Name extends string = string> {
  readonly take: (options: never) => unknown;
  readonly values: Readonly<Record<Name, readonly object[]>>;
}

export const ofBreaker: WrongOptions<keyof CircuitBreakerOptions> = {
  take: (options) => new CircuitBreaker('x', options),
  values: {
    failureRateThreshold: [{ failureRateThreshold: 0 }, { failureRateThreshold: 101 }],
    slowCallRateThreshold: [{ slowCallRateThreshold: '80' }],
    slowCallDurationThreshold: [{ slowCallDurationThreshold: 0 }],
    slidingWindowType: [{ slidingWindowType: 'time' }],
    slidingWindowSize: [
      { slidingWindowType: 'time-based', slidingWindowSize: 30_000 },
      { slidingWindowSize: 2.5 },
    ],
    minimumNumberOfCalls: [{ minimumNumberOfCalls: 0 }],
    failureCountThreshold: [{ failureCountThreshold: 20, minimumNumberOfCalls: 20 }],
    consecutiveFailureThreshold: [{ consecutiveFailureThreshold: Infinity }],
    waitDurationInOpenState: [{ waitDurationInOpenState: 0 }, { waitDurationInOpenState: '5s' }],
    automaticTransitionFromOpenToHalfOpenEnabled: [
      { automaticTransitionFromOpenToHalfOpenEnabled: 'yes' },
    ],
    permittedNumberOfCallsInHalfOpenState: [{ permittedNumberOfCallsInHalfOpenState: 0 }],
    maxConcurrentCallsInHalfOpenState: [{ maxConcurrentCallsInHalfOpenState: 0 }],
    maxWaitDurationInHalfOpenState: [{ maxWaitDurationInHalfOpenState: 0.5 }],
    transitionToStateAfterWaitDuration: [
      { transitionToStateAfterWaitDuration: 'evaluate' },
      { transitionToStateAfterWaitDuration: 'close', maxWaitDurationInHalfOpenState: 1000 },
    ],
    recordErrors: [{ recordErrors: [] }, { recordErrors: ['TimeoutError'] }],
    ignoreErrors: [{ ignoreErrors: 'TypeError' }],
    recordResult: [{ recordResult: true }],
    transitionOnResult: [{ transitionOnResult: { openFor: 1000 } }],
    maxConcurrentCalls: [{ maxConcurrentCalls: 0 }],
    detectStalledCalls: [{ detectStalledCalls: 1 }],
    permitLease: [{ permitLease: 0 }],
    initialState: [{ initialState: 'halfopen' }],
    writableStackTraceEnabled: [{ writableStackTraceEnabled: 'no' }],
    clock: [{ clock: {} }],
  },
};

export const ofWait: WrongOptions<keyof GrowingWait> = {
  take: (waitDurationInOpenState) => new CircuitBreaker('x', { waitDurationInOpenState }),
  values: {
    initial: [{ max: 30_000 }],
    multiplier: [{ initial: 5000, multiplier: 0 }],
    max: [{ initial: 5000, max: 0 }],
    randomizationFactor: [{ initial: 5000, randomizationFactor: 20 }],
  },
};

export const ofHttp: WrongOptions<keyof HttpCircuitBreakerOptions> = {
  take: (options) => new HttpCircuitBreaker(options),
  values: {
    $schema: [{ $schema: '' }],
    breaker: [
      { breaker: { failureRateTreshold: 40 } },
      { failureRateThreshold: 40 },
      { timeout: 2000 },
      { breaker: { recordErrors: [] } },
    ],
    hostBreaker: [{ hostBreaker: { failureRateThreshold: 0 } }],
    rules: [{ rules: [{ status: 404 }] }, { rules: { standard: false } }],
    endpoints: [{ endpoints: '/users/:id' }, { endpoints: ['users/:id'] }],
    level: [{ level: 'hosts' }],
    partition: [{ partition: 'tenant' }],
    key: [{ key: 'https://api.example.com' }],
    maxBreakers: [{ maxBreakers: 0 }],
    maxEndpointsPerHost: [{ maxEndpointsPerHost: 0 }],
    maxPartitions: [{ maxPartitions: 1.5 }],
    idleTimeout: [{ idleTimeout: 0 }],
    configs: [{ configs: { patient: { base: 'pateint' } } }],
    overrides: [{ overrides: { path: '/reports' } }],
    honorRetryAfter: [{ honorRetryAfter: 'true' }],
    maxRetryAfter: [{ maxRetryAfter: -1 }],
    clock: [{ clock: { now: 0 } }],
  },
};

export const ofOverride: WrongOptions<keyof Override> = {
  take: (override) => new HttpCircuitBreaker({ overrides: [override] }),
  values: {
    name: [{ name: '', path: '/reports' }],
    host: [{ host: 'https://api.example.com', name: 'api' }],
    method: [{ method: 'GET POST', name: 'reads' }],
    path: [{ path: 'reports', name: 'reports' }],
    level: [{ level: 'host', path: '/reports', name: 'reports' }],
    base: [{ base: 'patient', path: '/reports' }],
    breaker: [{ breaker: true, path: '/reports' }, { path: '/reports' }],
  },
};

export const ofFallback: WrongOptions<keyof FallbackOptions<never, never>> = {
  take: (options) => wrapFetch(fetch, {}, options),
  values: {
    fallback: [{ fallback: 'cached' }],
    fallbackOn: [{ fallbackOn: 'failure' }],
  },
};

type OwnNameOf<Options> = Exclude<keyof Options, keyof FallbackOptions<never, never>> & string;

export const ofFetch: WrongOptions<OwnNameOf<WrapFetchOptions>> = {
  take: (options) => wrapFetch(fetch, {}, options),
  values: { watchBody: [{ watchBody: 'yes' }] },
};

export const ofGot: WrongOptions<OwnNameOf<GotBreakerOptions>> = {
  take: (options) => circuitBreaker({}, options),
  values: { count: [{ count: 'attempts' }] },
};

export const ofRules: WrongOptions<keyof DefineRulesOptions> = {
  take: (options) => defineRules([], options),
  values: { standard: [{ standard: 'no' }] },
};

export const ofRegistry: WrongOptions<keyof BreakerRegistryOptions> = {
  take: (options) => new BreakerRegistry(options),
  values: {
    breaker: [{ breaker: { clock: {} } }],
    configs: [{ configs: { inventory: { minimumNumberOfCalls: -1 } } }],
    maxBreakers: [{ maxBreakers: 0 }],
    idleTimeout: [{ idleTimeout: 0 }],
    clock: [{ clock: {} }],
  },
};

export const ofControl: WrongOptions<'reason' | 'for' | 'until'> = {
  take: (options) => new HttpCircuitBreaker().control('*').forceOpen(options),
  values: {
    reason: [{ for: 60_000 }],
    for: [{ reason: 'maintenance', for: 0 }],
    until: [{ reason: 'maintenance', until: '2030-01-01' }],
  },
};

export const ofLint: WrongOptions<keyof LintContext> = {
  take: (context) => lintConfiguration({}, context),
  values: {
    timeout: [{ timeout: 0 }],
    callsPerSecond: [{ callsPerSecond: 0 }],
    instances: [{ instances: 0 }],
  },
};
