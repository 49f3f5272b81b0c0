import type { CircuitBreakerOptions, ErrorMatcher } from '@recloser/core';
import { errorClasses, kindOf } from './error-kinds.ts';
import type { Configuration, ErrorKind, RecordedState, RecordedWait } from './records.ts';

export const states = {
  CLOSED: 'closed',
  OPEN: 'open',
  HALF_OPEN: 'half-open',
  METRICS_ONLY: 'metrics-only',
  DISABLED: 'disabled',
  FORCED_OPEN: 'forced-open',
} as const satisfies Record<RecordedState, string>;

const windows = { COUNT_BASED: 'count-based', TIME_BASED: 'time-based' } as const;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Options = Writable<CircuitBreakerOptions>;

/** Says a recorded configuration in the words of our options. */
export function toOptions(config: Configuration): CircuitBreakerOptions {
  const options: Options = {};
  const sameName = [
    'slidingWindowSize',
    'minimumNumberOfCalls',
    'failureRateThreshold',
    'slowCallRateThreshold',
    'permittedNumberOfCallsInHalfOpenState',
  ] as const;
  for (const name of sameName) {
    if (config[name] !== undefined) options[name] = config[name];
  }
  if (config.slidingWindowType) options.slidingWindowType = windows[config.slidingWindowType];
  if (config.slowCallDurationThresholdMs !== undefined) {
    options.slowCallDurationThreshold = config.slowCallDurationThresholdMs;
  }
  if (config.initialState) options.initialState = states[config.initialState];
  if (config.automaticTransitionFromOpenToHalfOpenEnabled !== undefined) {
    options.automaticTransitionFromOpenToHalfOpenEnabled =
      config.automaticTransitionFromOpenToHalfOpenEnabled;
  }
  return { ...options, ...waits(config), ...judgement(config) };
}

function waits(config: Configuration): CircuitBreakerOptions {
  const options: Options = {};
  if (config.waitDurationInOpenStateMs !== undefined) {
    options.waitDurationInOpenState = config.waitDurationInOpenStateMs;
  }
  if (config.waitIntervalInOpenState)
    options.waitDurationInOpenState = toWait(config.waitIntervalInOpenState);
  const limit = config.maxWaitDurationInHalfOpenStateMs;
  if (limit !== undefined) options.maxWaitDurationInHalfOpenState = limit;
  // The record holds the state to go to also where there is no limit, where it has no effect.
  if (limit && config.transitionToStateAfterWaitDuration) {
    options.transitionToStateAfterWaitDuration = states[
      config.transitionToStateAfterWaitDuration
    ] as 'open' | 'closed';
  }
  return options;
}

function toWait(wait: RecordedWait): NonNullable<CircuitBreakerOptions['waitDurationInOpenState']> {
  if (wait.kind === 'list')
    return (openings) => wait.ms[Math.min(openings, wait.ms.length) - 1] as number;
  const { initialMs: initial, multiplier, maxMs: max } = wait;
  return max === undefined ? { initial, multiplier } : { initial, multiplier, max };
}

function judgement(config: Configuration): CircuitBreakerOptions {
  const options: Options = {};
  const record = matchers(config.recordErrors, config.recordErrorPredicate);
  if (record) options.recordErrors = record;
  const ignore = matchers(config.ignoreErrors, config.ignoreErrorPredicate);
  if (ignore) options.ignoreErrors = ignore;
  const { recordResults, transitionOn } = config;
  if (recordResults) options.recordResult = (value) => recordResults.includes(value as string);
  if (transitionOn) {
    options.transitionOnResult = (outcome) => {
      const rule = transitionOn.find((each) =>
        'error' in outcome ? each.error === kindOf(outcome.error) : each.result === outcome.value,
      );
      if (!rule) return undefined;
      return rule.openForMs === undefined
        ? { openUntil: new Date(rule.openUntilMs as number) }
        : { openFor: rule.openForMs };
    };
  }
  return options;
}

function matchers(
  classes: (ErrorKind | 'any')[] | undefined,
  kinds: ErrorKind[] | undefined,
): ErrorMatcher[] | undefined {
  if (!classes && !kinds) return undefined;
  const list: ErrorMatcher[] = (classes ?? []).map((kind) => errorClasses[kind]);
  if (kinds) list.push((error: unknown) => kinds.some((kind) => kind === kindOf(error)));
  return list;
}
