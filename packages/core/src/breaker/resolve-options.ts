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
import { circuitBreakerDefaults as defaults, type CircuitBreakerOptions } from './options.ts';
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
  readonly transitionOnResult: CircuitBreakerOptions['transitionOnResult'] | undefined;
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

// Infinity and undefined stand for "none".
const resolvedDefaults: Omit<ResolvedOptions, 'slidingWindowSize' | 'clock'> = {
  ...defaults,
  failureCountThreshold: Infinity,
  consecutiveFailureThreshold: Infinity,
  waitDurationInOpenState: () => defaults.waitDurationInOpenState,
  maxConcurrentCallsInHalfOpenState: Infinity,
  recordErrors: undefined,
  ignoreErrors: undefined,
  recordResult: undefined,
  transitionOnResult: undefined,
  maxConcurrentCalls: Infinity,
  permitLease: Infinity,
};

const resolved = new WeakSet<object>();
let ofDefaults: ResolvedOptions | undefined;

/**
 * Checks options and puts the defaults in place; what is resolved already comes back as it is, so
 * that many breakers share one object, as do all to which no options are given.
 * @param where  what an error puts before an option's name, such as `hostBreaker.`
 * @param shared  the clock of many breakers
 * @throws TypeError or RangeError that names the option and the value
 */
export function resolveOptions(
  options: CircuitBreakerOptions | ResolvedOptions | undefined,
  where: string = '',
  shared?: MonotonicClock,
): ResolvedOptions {
  if (options === undefined) return (ofDefaults ??= resolveOptions({}));
  if (resolved.has(options)) return options as ResolvedOptions;
  const given = checkOptions(options as CircuitBreakerOptions, where);
  const type = given.slidingWindowType ?? defaults.slidingWindowType;
  const result: ResolvedOptions = Object.freeze({
    ...resolvedDefaults,
    slidingWindowSize: defaults.slidingWindowSize[type],
    clock: shared ?? resolveClock(undefined),
    ...given,
  });
  checkSize(result, where);
  checkPairs(given, result, where);
  resolved.add(result);
  return result;
}

/**
 * Checks each option by itself, and compiles what is not plain.
 * @throws TypeError or RangeError that names the option and the value
 */
export function checkOptions(
  options: CircuitBreakerOptions,
  where: string,
): Partial<ResolvedOptions> {
  const what = where === '' ? 'options' : where.slice(0, -1);
  checkObject(what, options);
  checkNames(what, options, circuitBreakerOptionNames);
  const given: Record<string, unknown> = {};
  for (const name of circuitBreakerOptionNames as readonly (keyof CircuitBreakerOptions)[]) {
    const value = options[name];
    if (value !== undefined) given[name] = checks[name](where + name, value);
  }
  return given;
}

function checkSize({ slidingWindowType, slidingWindowSize }: ResolvedOptions, where: string): void {
  if (slidingWindowType !== 'time-based' || slidingWindowSize <= MOST_SECONDS) return;
  throw new RangeError(
    `${where}slidingWindowSize of a time-based window is in seconds, ` +
      `at most ${MOST_SECONDS}, but is ${slidingWindowSize}`,
  );
}

/** A count window never holds more calls than its size, so that caps the minimum. */
export function minimumInForce({
  slidingWindowType,
  slidingWindowSize,
  minimumNumberOfCalls,
}: ResolvedOptions): number {
  return slidingWindowType === 'count-based'
    ? Math.min(minimumNumberOfCalls, slidingWindowSize)
    : minimumNumberOfCalls;
}

function checkPairs(
  given: Partial<ResolvedOptions>,
  options: ResolvedOptions,
  where: string,
): void {
  const minimum = minimumInForce(options);
  const { failureCountThreshold: count, transitionToStateAfterWaitDuration: to } = given;
  if (count !== undefined && count >= minimum) {
    throw new RangeError(
      `${where}failureCountThreshold (${count}) must be below the minimumNumberOfCalls in force ` +
        `(${minimum}): from there on the rate decides, and the count could never open`,
    );
  }
  if (to !== undefined && options.maxWaitDurationInHalfOpenState === 0) {
    throw new TypeError(
      `${where}transitionToStateAfterWaitDuration ('${to}') needs a maxWaitDurationInHalfOpenState`,
    );
  }
}

export function resolveClock(value: unknown): MonotonicClock {
  return value === undefined ? new MonotonicClock(systemClock) : checkClock('clock', value);
}

function checkClock(what: string, value: unknown): MonotonicClock {
  const clock = checkObject(what, value);
  checkFunction(`${what}.now`, clock['now']);
  checkFunction(`${what}.date`, clock['date']);
  if (clock['setTimer'] !== undefined) checkFunction(`${what}.setTimer`, clock['setTimer']);
  return new MonotonicClock(value as Clock);
}
