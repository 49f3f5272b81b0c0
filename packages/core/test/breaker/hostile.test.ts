import { afterEach, describe, expect, it, vi } from 'vitest';
import { CircuitBreaker, type Permit } from '../../src/index.ts';
import { fail, manualBreaker, movesOf, only, typesOf } from './manual-breaker.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a listener that calls the breaker back', () => {
  it('may reset it during its own transition, again and again', () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 1 });
    breaker.on('stateTransition', ({ to }) => {
      if (to === 'open') breaker.reset();
    });
    fail(breaker, 3);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', numberOfBufferedCalls: 0 });
    expect(movesOf(events)).toEqual(
      Array.from({ length: 3 }).flatMap(() => [
        'closed > open: failure-rate',
        'open > closed: reset',
      ]),
    );
    expect(breaker.metrics()).toMatchObject({ totalOpenings: 3, openingsInARow: 0 });
  });

  it('may take and settle the last trial call while the move to half-open is announced', () => {
    const { breaker, clock, events } = manualBreaker({
      initialState: 'open',
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    let taken: Permit | undefined;
    breaker.on('stateTransition', ({ to }) => {
      if (to === 'half-open') taken = breaker.tryAcquire();
    });
    clock.advance(60_001);
    const first = breaker.tryAcquire();
    expect(first).toBeDefined();
    expect(taken).toBeUndefined();
    first?.success();
    expect(movesOf(events)).toEqual([
      'open > half-open: wait-elapsed',
      'half-open > closed: trial-calls',
    ]);
  });

  it('may settle the permit whose end it hears of', () => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    breaker.on('success', () => permit.failure());
    permit.success();
    expect(typesOf(events)).toEqual(['success']);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 1, numberOfFailedCalls: 0 });
  });
});

describe('a predicate that calls the breaker', () => {
  it('and settles the very permit it is asked about, ends it once', () => {
    const permits: Permit[] = [];
    const { breaker, events } = manualBreaker({
      recordResult: () => {
        permits[0]?.failure();
        return false;
      },
    });
    permits.push(breaker.acquire());
    permits[0]?.result('value');
    expect(typesOf(events)).toEqual(['failure']);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 1, callsInFlight: 0 });
  });

  it('and resets it, makes the outcome late', () => {
    const { breaker, events } = manualBreaker({
      recordErrors: [
        () => {
          breaker.reset();
          return true;
        },
      ],
    });
    breaker.acquire().error(new Error('busy'));
    expect(typesOf(events)).toEqual(['reset', 'lateOutcome']);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, lateOutcomes: 1 });
  });

  it('and moves it from transitionOnResult, has decided', () => {
    const { breaker, events } = manualBreaker({
      transitionOnResult: () => {
        breaker.transitionToForcedOpenState();
        return { openFor: 10 };
      },
    });
    breaker.acquire().result('value');
    expect(breaker.state).toBe('forced-open');
    expect(movesOf(events)).toEqual(['closed > forced-open: manual']);
  });

  it('and reads it in the middle of a step, has nobody hear of the step before it is complete', () => {
    const { breaker } = manualBreaker({
      transitionOnResult: () => {
        breaker.metrics();
        return { openFor: 10 };
      },
    });
    const found: string[] = [];
    breaker.on('success', () => found.push(breaker.state));
    breaker.acquire().result('value');
    expect(found).toEqual(['open']);
  });
});

describe('a wait function that calls the breaker', () => {
  it('and moves it, has decided', () => {
    const { breaker, events } = manualBreaker({
      minimumNumberOfCalls: 1,
      waitDurationInOpenState: () => {
        breaker.transitionToDisabledState();
        return 10;
      },
    });
    fail(breaker);
    expect(breaker.state).toBe('disabled');
    expect(movesOf(events)).toEqual(['closed > disabled: manual']);
  });

  it('and moves it during a move by hand, brings about no illegal move', () => {
    const { breaker, events } = manualBreaker({
      waitDurationInOpenState: () => {
        breaker.transitionToMetricsOnlyState();
        return 10;
      },
    });
    breaker.transitionToOpenState();
    const pairs = only(events, 'stateTransition').map(({ from, to }) => `${from} > ${to}`);
    expect(pairs).not.toContain('metrics-only > open');
    expect(pairs[0]).toMatch(/^closed > /);
  });

  it('and reads it, has nobody hear of the failure before the breaker is open', () => {
    const { breaker } = manualBreaker({
      minimumNumberOfCalls: 1,
      waitDurationInOpenState: () => breaker.metrics().failureRate * 10,
    });
    const found: string[] = [];
    breaker.on('failure', () => found.push(breaker.state));
    breaker.on('failureRateExceeded', () => found.push(breaker.state));
    fail(breaker);
    expect(found).toEqual(['open', 'open']);
    expect(breaker.metrics().retryAfterMs).toBe(1001);
  });
});

describe('a console.error that throws', () => {
  const forbidden = new Error('console.error is forbidden here');
  const forbidConsole = (): void => {
    vi.spyOn(console, 'error').mockImplementation(() => {
      throw forbidden;
    });
  };

  it('loses no permit, harms no call, and ends no delivery of events', async () => {
    forbidConsole();
    const breaker = new CircuitBreaker('test');
    const heard: string[] = [];
    const remove = breaker.on('success', () => {
      throw new Error('bug');
    });
    breaker.on('success', () => heard.push('success'));
    expect(await breaker.execute(() => 'value')).toBe('value');
    expect(heard).toEqual(['success']);
    remove();
    breaker.acquire().success();
    expect(heard).toEqual(['success', 'success']);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 0, numberOfBufferedCalls: 2 });
  });

  it('harms no call whose predicate throws', async () => {
    forbidConsole();
    const breaker = new CircuitBreaker('test', {
      recordResult: () => {
        throw new Error('bug');
      },
    });
    expect(await breaker.execute(() => 'value')).toBe('value');
    expect(breaker.metrics().callsInFlight).toBe(0);
  });
});
