import {
  checkAbove,
  checkAtLeast,
  checkBoolean,
  checkChoice,
  checkCount,
  checkFunction,
  checkNames,
  checkObject,
} from './checks.ts';
import { systemClock, type Clock } from './clock.ts';
import { compileErrorList, type ErrorTest } from './error-list.ts';
import { MonotonicClock } from './monotonic-clock.ts';
import {
  circuitBreakerDefaults as defaults,
  type CircuitBreakerOptions,
  type CountedResult,
  type OpenDecision,
} from './options.ts';
import { circuitBreakerStates, type CircuitBreakerState } from './state.ts';
import { resolveWaitDuration } from './wait-duration.ts';

/** Options with every default in place and every function compiled. Infinity stands for "none". */
export interface ResolvedOptions {
  readonly failureRateThreshold: number;
  readonly slowCallRateThreshold: number;
  readonly slowCallDurationThreshold: number;
  readonly slidingWindowType: 'count-based' | 'time-based';
  readonly slidingWindowSize: number;
  readonly minimumNumberOfCalls: number;
  readonly failureCountThreshold: number;
  readonly consecutiveFailureThreshold: number;
  readonly waitDurationInOpenState: (openings: number) => number;
  readonly automaticTransitionFromOpenToHalfOpenEnabled: boolean;
  readonly permittedNumberOfCallsInHalfOpenState: number;
  readonly maxConcurrentCallsInHalfOpenState: number;
  readonly maxWaitDurationInHalfOpenState: number;
  readonly transitionToStateAfterWaitDuration: 'open' | 'closed' | 'evaluate';
  readonly recordErrors: ErrorTest | undefined;
  readonly ignoreErrors: ErrorTest | undefined;
  readonly recordResult: ((value: unknown) => boolean) | undefined;
  readonly transitionOnResult: ((result: CountedResult) => OpenDecision | undefined) | undefined;
  readonly maxConcurrentCalls: number;
  readonly detectStalledCalls: boolean;
  readonly permitLease: number;
  readonly initialState: CircuitBreakerState;
  readonly writableStackTraceEnabled: boolean;
  readonly clock: MonotonicClock;
}

const MOST_CALLS = 10_000_000;
const MOST_SECONDS = 3600;

type Check = (what: string, value: unknown) => unknown;

const percent: Check = (what, value) => {
  const number = checkAbove(what, value, 0);
  if (number > 100) throw new RangeError(`${what} must be at most 100, but is ${number}`);
  return number;
};
const calls: Check = (what, value) => checkCount(what, value, MOST_CALLS);
const span: Check = (what, value) => checkAbove(what, value, 0);

const checks: { readonly [Name in keyof Required<CircuitBreakerOptions>]: Check } = {
  failureRateThreshold: percent,
  slowCallRateThreshold: percent,
  slowCallDurationThreshold: span,
  slidingWindowType: (what, value) => checkChoice(what, value, ['count-based', 'time-based']),
  slidingWindowSize: calls,
  minimumNumberOfCalls: (what, value) => checkCount(what, value),
  failureCountThreshold: (what, value) => checkCount(what, value),
  consecutiveFailureThreshold: (what, value) => checkCount(what, value),
  waitDurationInOpenState: resolveWaitDuration,
  automaticTransitionFromOpenToHalfOpenEnabled: checkBoolean,
  permittedNumberOfCallsInHalfOpenState: calls,
  maxConcurrentCallsInHalfOpenState: (what, value) => checkCount(what, value),
  maxWaitDurationInHalfOpenState: (what, value) => (value === 0 ? 0 : checkAtLeast(what, value, 1)),
  transitionToStateAfterWaitDuration: (what, value) =>
    checkChoice(what, value, ['open', 'closed', 'evaluate']),
  recordErrors: compileErrorList,
  ignoreErrors: compileErrorList,
  recordResult: checkFunction,
  transitionOnResult: checkFunction,
  maxConcurrentCalls: (what, value) => checkCount(what, value),
  detectStalledCalls: checkBoolean,
  permitLease: span,
  initialState: (what, value) => checkChoice(what, value, circuitBreakerStates),
  writableStackTraceEnabled: checkBoolean,
  clock: checkClock,
};

export const circuitBreakerOptionNames: readonly string[] = Object.keys(checks);

const resolved = new WeakSet<object>();

/**
 * Checks options and puts the defaults in place; what is resolved already comes back as it is, so that many
 * breakers share one object.
 * @throws TypeError or RangeError that names the option and the value
 */
export function resolveOptions(options: CircuitBreakerOptions | ResolvedOptions): ResolvedOptions {
  if (resolved.has(options)) return options as ResolvedOptions;
  const given = checkEach(options as CircuitBreakerOptions);
  const type = given.slidingWindowType ?? defaults.slidingWindowType;
  const size = checkSize(type, given.slidingWindowSize ?? defaults.slidingWindowSize[type]);
  const result: ResolvedOptions = Object.freeze({
    failureRateThreshold: given.failureRateThreshold ?? defaults.failureRateThreshold,
    slowCallRateThreshold: given.slowCallRateThreshold ?? defaults.slowCallRateThreshold,
    slowCallDurationThreshold:
      given.slowCallDurationThreshold ?? defaults.slowCallDurationThreshold,
    slidingWindowType: type,
    slidingWindowSize: size,
    minimumNumberOfCalls: given.minimumNumberOfCalls ?? defaults.minimumNumberOfCalls,
    failureCountThreshold: given.failureCountThreshold ?? Infinity,
    consecutiveFailureThreshold: given.consecutiveFailureThreshold ?? Infinity,
    waitDurationInOpenState:
      given.waitDurationInOpenState ?? (() => defaults.waitDurationInOpenState),
    automaticTransitionFromOpenToHalfOpenEnabled:
      given.automaticTransitionFromOpenToHalfOpenEnabled ??
      defaults.automaticTransitionFromOpenToHalfOpenEnabled,
    permittedNumberOfCallsInHalfOpenState:
      given.permittedNumberOfCallsInHalfOpenState ?? defaults.permittedNumberOfCallsInHalfOpenState,
    maxConcurrentCallsInHalfOpenState: given.maxConcurrentCallsInHalfOpenState ?? Infinity,
    maxWaitDurationInHalfOpenState:
      given.maxWaitDurationInHalfOpenState ?? defaults.maxWaitDurationInHalfOpenState,
    transitionToStateAfterWaitDuration:
      given.transitionToStateAfterWaitDuration ?? defaults.transitionToStateAfterWaitDuration,
    recordErrors: given.recordErrors,
    ignoreErrors: given.ignoreErrors,
    recordResult: given.recordResult,
    transitionOnResult: given.transitionOnResult,
    maxConcurrentCalls: given.maxConcurrentCalls ?? Infinity,
    detectStalledCalls: given.detectStalledCalls ?? defaults.detectStalledCalls,
    permitLease: given.permitLease ?? Infinity,
    initialState: given.initialState ?? defaults.initialState,
    writableStackTraceEnabled:
      given.writableStackTraceEnabled ?? defaults.writableStackTraceEnabled,
    clock: given.clock ?? new MonotonicClock(systemClock),
  });
  checkPairs(given, result);
  resolved.add(result);
  return result;
}

function checkEach(options: CircuitBreakerOptions): Partial<ResolvedOptions> {
  checkObject('options', options);
  checkNames('options', options, circuitBreakerOptionNames);
  const given: Record<string, unknown> = {};
  for (const name of circuitBreakerOptionNames as readonly (keyof CircuitBreakerOptions)[]) {
    const value = options[name];
    if (value !== undefined) given[name] = checks[name](name, value);
  }
  return given;
}

function checkSize(type: 'count-based' | 'time-based', size: number): number {
  if (type === 'time-based' && size > MOST_SECONDS) {
    throw new RangeError(
      `slidingWindowSize of a time-based window is in seconds, at most ${MOST_SECONDS}, but is ${size}`,
    );
  }
  return size;
}

/** A count window never holds more calls than its size, so that caps the minimum. */
export function minimumInForce({ slidingWindowType, slidingWindowSize, minimumNumberOfCalls }: ResolvedOptions): number {
  return slidingWindowType === 'count-based' ? Math.min(minimumNumberOfCalls, slidingWindowSize) : minimumNumberOfCalls;
}

function checkPairs(given: Partial<ResolvedOptions>, options: ResolvedOptions): void {
  const minimum = minimumInForce(options);
  if (
    given.failureCountThreshold !== undefined &&
    given.failureCountThreshold >= minimum
  ) {
    throw new RangeError(
      `failureCountThreshold (${given.failureCountThreshold}) must be below the minimumNumberOfCalls in force ` +
        `(${minimum}): from there on the rate decides, and the count could never open`,
    );
  }
  if (
    given.transitionToStateAfterWaitDuration !== undefined &&
    options.maxWaitDurationInHalfOpenState === 0
  ) {
    throw new TypeError(
      `transitionToStateAfterWaitDuration ('${given.transitionToStateAfterWaitDuration}') needs a maxWaitDurationInHalfOpenState`,
    );
  }
}

function checkClock(what: string, value: unknown): MonotonicClock {
  const clock = checkObject(what, value);
  checkFunction(`${what}.now`, clock['now']);
  checkFunction(`${what}.date`, clock['date']);
  if (clock['setTimer'] !== undefined) checkFunction(`${what}.setTimer`, clock['setTimer']);
  return new MonotonicClock(value as Clock);
}
