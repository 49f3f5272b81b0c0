import { describe, expect, it } from 'vitest';
import { causedBy, getCallNotPermitted, isCallNotPermitted } from '../../src/index.ts';
import { manualBreaker, typesOf } from './manual-breaker.ts';

class NetworkError extends Error {}

/** An error whose causes go round in a circle of this length, and how often they were looked at. */
function circle(length: number, before = 0) {
  const looks = { count: 0 };
  const errors = Array.from({ length: before + length }, () => new Error('round'));
  for (const [index, error] of errors.entries()) {
    Object.defineProperty(error, 'cause', {
      get: () => {
        looks.count++;
        return errors[index + 1] ?? errors[before];
      },
    });
  }
  return { error: errors[0]!, looks };
}

const ENOUGH = 100;

describe.each([1, 2, 5])('causes in a circle of %d', (length) => {
  it('are looked through at few looks for each call that fails', () => {
    const { error, looks } = circle(length);
    const { breaker, events } = manualBreaker();
    breaker.acquire().error(error);
    expect(typesOf(events)).toEqual(['failure']);
    expect(looks.count).toBeLessThan(ENOUGH);
  });

  it('are looked through at few looks for a refusal', () => {
    const { error, looks } = circle(length);
    expect(getCallNotPermitted(error)).toBeUndefined();
    expect(isCallNotPermitted(error)).toBe(false);
    expect(looks.count).toBeLessThan(ENOUGH);
  });

  it('are looked through at few looks for a class', () => {
    const { error, looks } = circle(length);
    expect(causedBy(NetworkError)(error)).toBe(false);
    expect(causedBy(Error)(error)).toBe(true);
    expect(looks.count).toBeLessThan(ENOUGH);
  });

  it('are looked through at few looks where others lead to them', () => {
    const { error, looks } = circle(length, 7);
    expect(getCallNotPermitted(error)).toBeUndefined();
    expect(looks.count).toBeLessThan(ENOUGH);
  });
});
