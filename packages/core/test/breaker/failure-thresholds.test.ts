import { describe, expect, it } from 'vitest';
import { fail, manualBreaker, movesOf, succeed } from './manual-breaker.ts';

describe('consecutiveFailureThreshold', () => {
  it('opens after so many failures in a row, far below the minimum', () => {
    const { breaker, events } = manualBreaker({ consecutiveFailureThreshold: 3 });
    fail(breaker, 2);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', consecutiveFailures: 2 });
    fail(breaker);
    expect(movesOf(events)).toEqual(['closed > open: consecutive-failures']);
  });

  it('opens also above the minimum, where the rate is healthy', () => {
    const { breaker, events } = manualBreaker({
      consecutiveFailureThreshold: 3,
      minimumNumberOfCalls: 10,
    });
    succeed(breaker, 20);
    fail(breaker, 3);
    expect(movesOf(events)).toEqual(['closed > open: consecutive-failures']);
  });

  it('counts failures however old, also those that have left the window', () => {
    const { breaker, clock } = manualBreaker({
      consecutiveFailureThreshold: 3,
      slidingWindowType: 'time-based',
      slidingWindowSize: 1,
    });
    fail(breaker);
    clock.advance(86_400_000);
    fail(breaker);
    clock.advance(86_400_000);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, consecutiveFailures: 2 });
    fail(breaker);
    expect(breaker.state).toBe('open');
  });

  it('starts anew after a success, not after an ignored, released or held call', () => {
    const { breaker } = manualBreaker({
      consecutiveFailureThreshold: 3,
      initialState: 'metrics-only',
    });
    fail(breaker, 2);
    breaker.acquire().ignore();
    breaker.acquire().release();
    breaker.acquire().hold(10);
    expect(breaker.metrics().consecutiveFailures).toBe(2);
    succeed(breaker);
    expect(breaker.metrics().consecutiveFailures).toBe(0);
  });

  it('belongs to the period', () => {
    const { breaker } = manualBreaker({ consecutiveFailureThreshold: 3 });
    fail(breaker, 2);
    breaker.reset();
    fail(breaker, 2);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', consecutiveFailures: 2 });
  });

  it('holds in half-open before the minimum', () => {
    const { breaker, events } = manualBreaker({
      consecutiveFailureThreshold: 2,
      initialState: 'half-open',
    });
    fail(breaker, 2);
    expect(movesOf(events)).toEqual(['half-open > open: consecutive-failures']);
  });

  it('is the reason in half-open at the minimum, whatever the rates say', () => {
    const { breaker, events } = manualBreaker({
      consecutiveFailureThreshold: 2,
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 2,
    });
    fail(breaker, 2);
    expect(breaker.metrics().failureRate).toBe(100);
    expect(movesOf(events)).toEqual(['half-open > open: consecutive-failures']);
  });

  it('wins in half-open over rates that would close', () => {
    const { breaker, events } = manualBreaker({
      consecutiveFailureThreshold: 2,
      failureRateThreshold: 100,
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 4,
    });
    succeed(breaker, 2);
    fail(breaker, 2);
    expect(movesOf(events)).toEqual(['half-open > open: consecutive-failures']);
  });
});

describe('failureCountThreshold', () => {
  const options = { failureCountThreshold: 3, minimumNumberOfCalls: 10 };

  it('opens below the minimum, in a row or not', () => {
    const { breaker, events } = manualBreaker(options);
    for (let call = 0; call < 3; call++) {
      succeed(breaker, 2);
      expect(breaker.state).toBe('closed');
      fail(breaker);
    }
    expect(movesOf(events)).toEqual(['closed > open: failure-count']);
    expect(breaker.metrics()).toMatchObject({ failureRate: -1, numberOfBufferedCalls: 9 });
  });

  it('leaves the decision to the rate from the minimum on', () => {
    const { breaker } = manualBreaker(options);
    fail(breaker, 2);
    succeed(breaker, 7);
    fail(breaker);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', failureRate: 30 });
    fail(breaker);
    expect(breaker.state).toBe('closed');
  });

  it('counts only what is in the window', () => {
    const { breaker, clock } = manualBreaker({
      ...options,
      slidingWindowType: 'time-based',
      slidingWindowSize: 10,
    });
    fail(breaker, 2);
    clock.advance(10_000);
    fail(breaker, 2);
    expect(breaker.state).toBe('closed');
    clock.advance(5000);
    fail(breaker);
    expect(breaker.state).toBe('open');
  });

  it('holds in half-open before the minimum is in, and not at it', () => {
    const halfOpen = {
      ...options,
      failureCountThreshold: 2,
      initialState: 'half-open',
      failureRateThreshold: 60,
      permittedNumberOfCallsInHalfOpenState: 4,
    } as const;
    const early = manualBreaker(halfOpen);
    fail(early.breaker, 2);
    expect(movesOf(early.events)).toEqual(['half-open > open: failure-count']);
    const full = manualBreaker(halfOpen);
    fail(full.breaker);
    succeed(full.breaker, 2);
    fail(full.breaker);
    expect(movesOf(full.events)).toEqual(['half-open > closed: trial-calls']);
  });
});
