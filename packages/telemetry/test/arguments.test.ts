import { CircuitBreaker, HttpCircuitBreaker } from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { CallStatistics, DURATION_BOUNDS, RECOVERY_BOUNDS } from '../src/index.ts';
import { Rig, USERS } from './rig.ts';

const make = (...words: unknown[]): unknown =>
  new CallStatistics(...(words as [HttpCircuitBreaker, object]));
const withOptions = (options: unknown) => () => make(new HttpCircuitBreaker(), options);

describe('what is no HttpCircuitBreaker is refused', () => {
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'an object'],
    [new CircuitBreaker('prices'), 'a CircuitBreaker'],
    ['prices', "'prices'"],
  ])('%s', (breaker, words) => {
    expect(() => make(breaker)).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringContaining(
          `CallStatistics: breaker must be an HttpCircuitBreaker, but is ${words}: `,
        ),
      }),
    );
  });
});

describe.each(['durationBounds', 'recoveryBounds'])('%s', (name) => {
  test.each([
    ['an empty list', [], 'must be a list of numbers that is not empty, but is an empty list'],
    ['a number', 5, 'must be a list of numbers that is not empty, but is 5'],
    ['null', null, 'must be a list of numbers that is not empty, but is null'],
    ['texts', ['5'], "must hold numbers, but holds '5'"],
  ])('that are %s are a TypeError', (_, bounds, words) => {
    expect(withOptions({ [name]: bounds })).toThrow(
      new TypeError(`CallStatistics: ${name} ${words}`),
    );
  });

  test.each([
    ['descend', [10, 5], 'has 5 after 10'],
    ['stand still', [10, 10], 'has 10 after 10'],
    ['are no number', [NaN], 'has NaN after 0'],
    ['end in infinity', [1, Infinity], 'has Infinity after 1'],
    ['begin with 0', [0, 1], 'has 0 after 0'],
    ['are negative', [-5, 5], 'has -5 after 0'],
  ])('that %s are a RangeError', (_, bounds, words) => {
    expect(withOptions({ [name]: bounds })).toThrow(
      new RangeError(
        `CallStatistics: ${name} must hold finite numbers above 0 that ascend, but ${words}`,
      ),
    );
  });
});

test('options that are not known, or none, are refused', () => {
  expect(withOptions(null)).toThrow(
    new TypeError('CallStatistics: options must be an object, but is null'),
  );
  expect(withOptions({ bounds: [1] })).toThrow(
    new TypeError(
      "CallStatistics: 'bounds' is not known; known are durationBounds, recoveryBounds, observer",
    ),
  );
});

test('an observer is an object of functions', () => {
  expect(withOptions({ observer: 'log' })).toThrow(
    new TypeError("CallStatistics: observer must be an object, but is 'log'"),
  );
  expect(withOptions({ observer: { ended: 5 } })).toThrow(
    new TypeError('CallStatistics: observer.ended must be a function, but is 5'),
  );
});

test('nothing listens where an argument is wrong', () => {
  const breaker = new HttpCircuitBreaker();
  const listened: string[] = [];
  const on = breaker.on.bind(breaker);
  breaker.on = (type, listener) => {
    listened.push(type);
    return on(type, listener);
  };
  expect(() => make(breaker, { durationBounds: [] })).toThrow(TypeError);

  expect(listened).toEqual([]);
});

test("a list that is changed later changes nothing, nor does the default's", () => {
  const bounds = [10, 20];
  const rig = new Rig({ durationBounds: bounds });
  bounds.length = 0;
  rig.respond(200, { ms: 15 });

  expect(rig.series(USERS).durations.success).toMatchObject({
    bounds: [10, 20],
    counts: [0, 1, 0],
  });
  expect(rig.series(USERS).recoveries.bounds).toEqual(RECOVERY_BOUNDS);
});

test('without options the bounds are those of OpenTelemetry, and a second to an hour', () => {
  const rig = new Rig();
  rig.respond(200);

  expect(rig.series(USERS).durations.failure.bounds).toEqual(DURATION_BOUNDS);
  expect([DURATION_BOUNDS[0], DURATION_BOUNDS.at(-1)]).toEqual([5, 10_000]);
  expect([RECOVERY_BOUNDS[0], RECOVERY_BOUNDS.at(-1)]).toEqual([1000, 3_600_000]);
});
