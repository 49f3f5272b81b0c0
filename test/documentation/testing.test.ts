import { CallNotPermittedError, CircuitBreaker, ManualClock } from '@recloser/core';
import { mock } from 'node:test';
import { afterEach, describe, expect, test, vi } from 'vitest';

function openFor(ms: number, clock?: ManualClock): CircuitBreaker {
  const breaker = new CircuitBreaker('prices', {
    waitDurationInOpenState: ms,
    ...(clock !== undefined && { clock }),
  });
  breaker.transitionToOpenState();
  return breaker;
}

const isRefused = (breaker: CircuitBreaker): boolean => breaker.refusal() !== undefined;

describe('of fake timers the page says that', () => {
  afterEach(() => {
    vi.useRealTimers();
    mock.timers.reset();
  });

  test('those of vitest hold the clock of a breaker, and move it', () => {
    vi.useFakeTimers();
    const breaker = openFor(60_000);

    expect(isRefused(breaker)).toBe(true);
    vi.advanceTimersByTime(60_001);
    expect(isRefused(breaker)).toBe(false);
  });

  test('those of vitest that leave performance alone move nothing', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    const breaker = openFor(3_600_000);

    vi.advanceTimersByTime(3_600_001);
    expect(isRefused(breaker)).toBe(true);
  });

  test('those of node:test move nothing', () => {
    mock.timers.enable();
    const breaker = openFor(3_600_000);

    mock.timers.tick(3_600_001);
    expect(isRefused(breaker)).toBe(true);
  });

  test('they do nothing to a breaker with a ManualClock', () => {
    vi.useFakeTimers();
    const clock = new ManualClock();
    const breaker = openFor(60_000, clock);

    vi.advanceTimersByTime(60_001);
    expect(isRefused(breaker)).toBe(true);
    clock.advance(60_001);
    expect(isRefused(breaker)).toBe(false);
  });
});

test('a refusal can be made by hand, of what the page names alone', () => {
  const refusal = new CallNotPermittedError({ breaker: 'prices', state: 'open', reason: 'open' });

  expect(refusal.code).toBe('ERR_CALL_NOT_PERMITTED');
});

test('a wait that is a number ends strictly after it', () => {
  const clock = new ManualClock();
  const breaker = openFor(10_000, clock);

  clock.advance(10_000);
  expect(isRefused(breaker)).toBe(true);
  clock.advance(1);
  expect(isRefused(breaker)).toBe(false);
});
