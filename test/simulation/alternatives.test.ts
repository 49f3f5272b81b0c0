import type { HttpCircuitBreakerOptions } from '@recloser/core';
import { describe, expect, it } from 'vitest';
import { httpGuard } from './guards.ts';
import type { Run } from './observer.ts';
import { fiftyEndpoints, scenario } from './scenario.ts';
import { failing, failingAt, taking, type Behaviour } from './server.ts';
import { simulate } from './simulate.ts';
import { steadyTimeline } from './traffic.ts';

const MINUTE = 60_000;

/** The same server for so long, through the HTTP breaker with these options over its defaults. */
function steady(
  server: Behaviour,
  callsPerSecond: number,
  length: number,
  breaker: HttpCircuitBreakerOptions['breaker'] = {},
): Run {
  return simulate({
    scenario: scenario('steady', server),
    callsPerSecond,
    timeline: steadyTimeline(length),
    seed: 11,
    guard: httpGuard({ breaker }),
  });
}

function refused({ goodRefused, good }: Run): number {
  return goodRefused / good;
}

describe('a slow threshold of 5 s instead of 30 s', () => {
  it.each([1, 10, 50])('cuts off what takes 10 to 25 s by nature, at %i a second', (rate) => {
    const quickOnly = { slowCallDurationThreshold: 5000 };
    expect(refused(steady(taking(10_000, 25_000), rate, 15 * MINUTE, quickOnly))).toBeGreaterThan(
      0.8,
    );
    expect(refused(steady(taking(10_000, 25_000), rate, 15 * MINUTE))).toBe(0);
  });
});

describe('five failures in a row instead of ten', () => {
  it.each([
    [10, 180, 0.1, 0.2],
    [50, 60, 0.3, 0.45],
  ])('refuse good calls, at %i a second, in a brown-out', (rate, minutes, least, most) => {
    const run = (breaker?: HttpCircuitBreakerOptions['breaker']): number =>
      refused(steady(failingAt(0.3), rate, minutes * MINUTE, breaker));
    const five = run({ consecutiveFailureThreshold: 5 });
    expect(five).toBeGreaterThan(least);
    expect(five).toBeLessThan(most);
    expect(run()).toBeLessThan(0.01);
  });
});

describe('50 endpoints that all fail', () => {
  it.each([1, 2, 3])('are reached by 41 to 50 of 9,000 calls: seed %i', (seed) => {
    const { reached, faulty } = simulate({
      scenario: scenario('all bad', failing, fiftyEndpoints),
      callsPerSecond: 50,
      timeline: steadyTimeline(3 * MINUTE),
      seed,
      guard: httpGuard(),
    });
    expect(faulty).toBeGreaterThan(8700);
    expect(reached).toBeGreaterThanOrEqual(41);
    expect(reached).toBeLessThanOrEqual(50);
  });
});
