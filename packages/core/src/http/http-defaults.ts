import type { HttpBreakerOptions } from './http-breaker-options.ts';

/**
 * What an HTTP breaker starts from: a newcomer who sets nothing is to be protected at once and
 * never cut off by noise. Chosen by simulated outages, hangs, brown-outs and noise, from one call a
 * minute to 500 a second.
 */
export const httpDefaults: HttpBreakerOptions = /* @__PURE__ */ Object.freeze({
  // Follows the traffic, and forgets idle gaps.
  slidingWindowType: 'time-based',
  slidingWindowSize: 30,
  // No verdict on a handful: 5 or 10 open by noise where traffic is low.
  minimumNumberOfCalls: 20,
  failureRateThreshold: 50,
  // Finds a dead dependency in 10 calls; at 30 % errors so many in a row come up once in 240,000
  // calls.
  consecutiveFailureThreshold: 10,
  // A default must not cut off what is slow by nature: reports, uploads, language models.
  slowCallDurationThreshold: 30_000,
  slowCallRateThreshold: 80,
  // Patient with what stays broken, quick with what recovers; and no two instances come back
  // together.
  waitDurationInOpenState: /* @__PURE__ */ Object.freeze({
    initial: 5000,
    multiplier: 2,
    max: 30_000,
    randomizationFactor: 0.2,
  }),
  permittedNumberOfCallsInHalfOpenState: 3,
  transitionToStateAfterWaitDuration: 'evaluate',
  // Calls that never return are to count as well.
  detectStalledCalls: true,
  // Longer than any client's own default wait for headers.
  permitLease: 360_000,
} as const);

/**
 * Over those, for hosts: a host takes every endpoint with it, and slowness is an endpoint's matter.
 */
export const hostDefaults: HttpBreakerOptions = /* @__PURE__ */ Object.freeze({
  failureRateThreshold: 80,
  consecutiveFailureThreshold: 20,
  slowCallRateThreshold: 100,
  maxWaitDurationInHalfOpenState: 30_000,
  transitionToStateAfterWaitDuration: 'evaluate',
} as const);
