import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.ts';

function complaint(options: unknown, name: unknown = 'test'): Error {
  try {
    void new CircuitBreaker(name as string, options as CircuitBreakerOptions);
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const percents = ['failureRateThreshold', 'slowCallRateThreshold'];
const counts = [
  'slidingWindowSize',
  'minimumNumberOfCalls',
  'failureCountThreshold',
  'consecutiveFailureThreshold',
  'permittedNumberOfCallsInHalfOpenState',
  'maxConcurrentCallsInHalfOpenState',
  'maxConcurrentCalls',
];
const spans = ['slowCallDurationThreshold', 'permitLease'];
const numbers = [
  ...percents,
  ...counts,
  ...spans,
  'waitDurationInOpenState',
  'maxWaitDurationInHalfOpenState',
];
const flags = [
  'automaticTransitionFromOpenToHalfOpenEnabled',
  'detectStalledCalls',
  'writableStackTraceEnabled',
];
const choices = ['slidingWindowType', 'transitionToStateAfterWaitDuration', 'initialState'];
const lists = ['recordErrors', 'ignoreErrors'];
const predicates = ['recordResult', 'transitionOnResult'];

const each = (options: string[], values: unknown[]): [string, unknown][] =>
  options.flatMap((option) => values.map((value): [string, unknown] => [option, value]));

describe('a wrong value is an error that names the option and the value', () => {
  it.each([
    ...each(percents, [0, -1, 100.0001, 1000]),
    ...each(counts, [0, -1, 1.5, 2 ** 53]),
    ...each(spans, [0, -1]),
    ...each(numbers, [NaN, Infinity, -Infinity, -5]),
    ...each(['waitDurationInOpenState'], [0, 0.5]),
  ])('out of range: %s %s', (option, value) => {
    const error = complaint({ [option]: value });
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toContain(option);
    expect(error.message).toContain(String(value));
  });

  it.each([
    ...each(numbers, ['10', '60s', true, null]),
    ...each(flags, ['true', 1, 0, null]),
    ...each(choices, ['no-such-choice', 1, null]),
    ...each(lists, ['Error', 5, null]),
    ...each(predicates, ['x => x', 5, null]),
    ...each(['clock'], ['system', 5, null]),
  ])('of the wrong type: %s %s', (option, value) => {
    const error = complaint({ [option]: value });
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(option);
    expect(error.message).toContain(String(value));
  });

  it.each<[option: string, value: unknown, words: string]>([
    ['failureRateThreshold', {}, 'object'],
    ['minimumNumberOfCalls', [10], 'list'],
    ['slowCallDurationThreshold', () => 10, 'function'],
    ['permitLease', 10n, '10'],
    ['initialState', Symbol('closed'), 'Symbol(closed)'],
    ['detectStalledCalls', () => true, 'function'],
    ['recordErrors', {}, 'object'],
    ['ignoreErrors', Error, 'function'],
    [
      'recordErrors',
      [Error, 'TypeError'],
      "recordErrors[1] must be a class or a predicate, but is 'TypeError'",
    ],
    ['recordErrors', [], 'leave it out'],
    ['ignoreErrors', [], 'leave it out'],
    ['clock', [], 'empty list'],
    ['clock', {}, 'clock.now'],
    ['clock', { now: () => 0 }, 'clock.date'],
    ['clock', { now: 0, date: () => 0 }, 'clock.now must be a function, but is 0'],
    ['clock', { now: () => 0, date: () => 0, setTimer: 5 }, 'clock.setTimer'],
    ['waitDurationInOpenState', [], 'empty list'],
    ['waitDurationInOpenState', {}, 'waitDurationInOpenState.initial'],
    ['waitDurationInOpenState', { initial: '10' }, "initial must be a number, but is '10'"],
    [
      'waitDurationInOpenState',
      { initial: 10, multiplier: '2' },
      'waitDurationInOpenState.multiplier',
    ],
    ['waitDurationInOpenState', { initial: 10, multiplyer: 2 }, "'multiplier'"],
    ['waitDurationInOpenState', { initial: 10, jitter: 2 }, "'jitter'"],
  ])('%s: %o', (option, value, words) => {
    const error = complaint({ [option]: value });
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(option);
    expect(error.message).toContain(words);
  });

  it.each<[wait: object, part: string, value: string]>([
    [{ initial: 0 }, 'initial', '0'],
    [{ initial: NaN }, 'initial', 'NaN'],
    [{ initial: 10, multiplier: 0 }, 'multiplier', '0'],
    [{ initial: 10, multiplier: -2 }, 'multiplier', '-2'],
    [{ initial: 10, multiplier: NaN }, 'multiplier', 'NaN'],
    [{ initial: 10, max: 0 }, 'max', '0'],
    [{ initial: 10, max: Infinity }, 'max', 'Infinity'],
    [{ initial: 10, randomizationFactor: -0.1 }, 'randomizationFactor', '-0.1'],
    [{ initial: 10, randomizationFactor: 1.1 }, 'randomizationFactor', '1.1'],
    [{ initial: 10, randomizationFactor: NaN }, 'randomizationFactor', 'NaN'],
  ])('a growing wait out of range: %o', (wait, part, value) => {
    const error = complaint({ waitDurationInOpenState: wait });
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toContain(`waitDurationInOpenState.${part}`);
    expect(error.message).toContain(value);
  });
});

describe('options', () => {
  it.each([
    ['failureRateTreshold', 'failureRateThreshold'],
    ['FailureRateThreshold', 'failureRateThreshold'],
    ['slidingWindowsSize', 'slidingWindowSize'],
    ['waitDurationInOpen', 'waitDurationInOpenState'],
    ['minNumberOfCalls', 'minimumNumberOfCalls'],
    ['recordError', 'recordErrors'],
    ['detectStalledCall', 'detectStalledCalls'],
    ['maxConcurrentCall', 'maxConcurrentCalls'],
    ['clocks', 'clock'],
  ])('%s is unknown, and the error asks for %s', (wrong, right) => {
    const error = complaint({ [wrong]: 50 });
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(`'${wrong}'`);
    expect(error.message).toContain(`'${right}'`);
  });

  it('with an unknown name that is near none list the names there are', () => {
    const { message } = complaint({ xyz: 1 });
    expect(message).toContain("'xyz'");
    expect(message).toContain('failureRateThreshold');
    expect(message).toContain('permitLease');
  });

  it('ask for the nearest right choice', () => {
    expect(complaint({ slidingWindowType: 'count_based' }).message).toContain("'count-based'?");
    expect(complaint({ initialState: 'halfopen' }).message).toContain("'half-open'?");
  });

  it('tell that a time window is in seconds, where its size looks like milliseconds', () => {
    const error = complaint({ slidingWindowType: 'time-based', slidingWindowSize: 30_000 });
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toMatch(/slidingWindowSize.*seconds.*3600.*30000/);
  });

  it('refuse a half-open end without a limit', () => {
    for (const to of ['open', 'closed', 'evaluate']) {
      const options = { transitionToStateAfterWaitDuration: to };
      for (const limit of [{}, { maxWaitDurationInHalfOpenState: 0 }]) {
        const error = complaint({ ...options, ...limit });
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toContain('transitionToStateAfterWaitDuration');
        expect(error.message).toContain(`'${to}'`);
        expect(error.message).toContain('maxWaitDurationInHalfOpenState');
      }
    }
  });

  it.each<[count: number, options: CircuitBreakerOptions, minimum: number]>([
    [100, {}, 100],
    [10, { minimumNumberOfCalls: 10 }, 10],
    [11, { minimumNumberOfCalls: 10 }, 10],
    [3, { minimumNumberOfCalls: 10, slidingWindowSize: 3 }, 3],
    [10, { minimumNumberOfCalls: 10, slidingWindowType: 'time-based' }, 10],
  ])('refuse a failure count of %i that %o forestalls', (count, options, minimum) => {
    const error = complaint({ failureCountThreshold: count, ...options });
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toContain('failureCountThreshold');
    expect(error.message).toContain(String(count));
    expect(error.message).toContain(`minimumNumberOfCalls`);
    expect(error.message).toContain(String(minimum));
  });

  it.each([null, 5, 'fast', [], true])('are an object, not %o', (options) => {
    expect(complaint(options)).toBeInstanceOf(TypeError);
    expect(complaint(options).message).toContain('options');
  });

  it.each(['', undefined, null, 5, {}])('come after a name, not %o', (name) => {
    expect(complaint({}, name === undefined ? Symbol('none') : name)).toBeInstanceOf(TypeError);
  });
});
