import {
  CallNotPermittedError,
  CircuitBreaker,
  ManualClock,
  type CircuitBreakerOptions,
  type NotPermittedReason,
} from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { codesIn, docText, firstCodes, tableOf } from './page-tables.ts';

const page = docText('errors');
const clock = new ManualClock();

/** Breakers that refuse the next call for each reason. */
const refusing = {
  open: [{}, (breaker) => breaker.transitionToOpenState()],
  held: [{}, (breaker) => breaker.acquire().hold(30_000)],
  'half-open-full': [
    { initialState: 'half-open', permittedNumberOfCallsInHalfOpenState: 1 },
    (breaker) => breaker.acquire(),
  ],
  'forced-open': [{}, (breaker) => breaker.transitionToForcedOpenState()],
  concurrency: [{ maxConcurrentCalls: 1 }, (breaker) => breaker.acquire()],
} satisfies Record<
  NotPermittedReason,
  readonly [CircuitBreakerOptions, (breaker: CircuitBreaker) => unknown]
>;

function refusalFor(reason: NotPermittedReason): CallNotPermittedError {
  const [options, prepare] = refusing[reason];
  const breaker = new CircuitBreaker('prices', { ...options, clock });
  prepare(breaker);
  return breaker.refusal()!;
}

describe('the reasons on the page on errors', () => {
  const rows = tableOf('errors', 'reason ');
  const reasons = Object.keys(refusing) as NotPermittedReason[];

  test('are those that a refusal can have', () => {
    const shown = rows.map(([first]) => codesIn(first)[0]);

    expect(new Set(shown)).toEqual(new Set(reasons));
    expect(shown).toHaveLength(reasons.length);
  });

  test.each(reasons)('say of %s whether it knows when to come back', (reason) => {
    const refusal = refusalFor(reason);
    const row = rows.find(([first]) => codesIn(first)[0] === reason);

    expect(refusal.reason).toBe(reason);
    expect(row?.[2]).toBe(refusal.retryAfterMs === undefined ? 'no' : 'yes');
  });

  test('come from the states that the page names', () => {
    const states = reasons.map((reason) => refusalFor(reason).state);
    const row = tableOf('errors', 'property ').find(([first]) => first === '`state`');

    expect(new Set(codesIn(row?.[1]))).toEqual(
      new Set([...states, 'metrics-only'].map((state) => `'${state}'`)),
    );
  });
});

describe('the properties on the page on errors', () => {
  test('are those of the error', () => {
    const { message: _, ...own } = refusalFor('open');

    expect(new Set(firstCodes('errors', 'property '))).toEqual(
      new Set([...Object.keys(own), 'message']),
    );
  });

  test('have the milliseconds that are said of a Retry-After of 30 s and more', () => {
    expect(refusalFor('held').retryAfterMs).toBe(30_001);
    expect(page).toContain('120 s become 121');
  });
});
