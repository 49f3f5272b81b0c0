import { describe, expect, it } from 'vitest';
import { fail, manualBreaker, movesOf, only, startDate, typesOf } from './manual-breaker.ts';

describe('events are delivered', () => {
  it('in the order of causes', () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 1 });
    fail(breaker);
    breaker.tryAcquire();
    expect(typesOf(events)).toEqual([
      'failure',
      'failureRateExceeded',
      'stateTransition',
      'notPermitted',
    ]);
  });

  it('after the step that caused them is complete', () => {
    const { breaker } = manualBreaker({ minimumNumberOfCalls: 1 });
    const found: unknown[] = [];
    breaker.on('failure', (event) => found.push([event.state, breaker.state]));
    breaker.on('failureRateExceeded', () => found.push(breaker.metrics().state));
    breaker.on('stateTransition', () => found.push(breaker.refusal()?.reason));
    fail(breaker);
    expect(found).toEqual([['closed', 'open'], 'open', 'open']);
  });

  it('before the call that caused them returns', () => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    permit.success();
    expect(typesOf(events)).toEqual(['success']);
  });

  it('with the state as each event found it', () => {
    const { breaker, clock, events } = manualBreaker({
      minimumNumberOfCalls: 1,
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    fail(breaker);
    clock.advance(60_001);
    breaker.acquire().success();
    expect(events.map(({ type, state }) => [type, state])).toEqual([
      ['failure', 'closed'],
      ['failureRateExceeded', 'closed'],
      ['stateTransition', 'closed'],
      ['stateTransition', 'open'],
      ['success', 'half-open'],
      ['stateTransition', 'half-open'],
    ]);
  });

  it.each(['state', 'metrics', 'refusal'] as const)(
    'by reading (%s), if it carries a deadline out',
    (read) => {
      const { breaker, clock, events } = manualBreaker({
        initialState: 'half-open',
        maxWaitDurationInHalfOpenState: 10,
      });
      clock.advance(300);
      if (read === 'state') expect(breaker.state).toBe('open');
      else expect(breaker[read]()).toMatchObject({ state: 'open' });
      expect(only(events, 'stateTransition')).toMatchObject([{ at: startDate + 10 }]);
    },
  );

  it('with what a listener does to the breaker as a step of its own, whose events come after', () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 1 });
    const order: string[] = [];
    breaker.on('failure', () => {
      order.push('first failure listener');
      breaker.reset();
      order.push('reset');
    });
    breaker.on('failure', () => order.push('second failure listener'));
    breaker.on('reset', () => order.push('reset listener'));
    fail(breaker);
    expect(order).toEqual([
      'first failure listener',
      'reset',
      'second failure listener',
      'reset listener',
    ]);
    expect(typesOf(events)).toEqual([
      'failure',
      'failureRateExceeded',
      'stateTransition',
      'stateTransition',
      'reset',
    ]);
    expect(movesOf(events)).toEqual(['closed > open: failure-rate', 'open > closed: reset']);
    expect(breaker.state).toBe('closed');
  });

  it('with calls that a listener makes counted like any other', () => {
    const { breaker, events } = manualBreaker();
    let calls = 0;
    breaker.on('success', () => {
      if (++calls < 5) breaker.acquire().success();
    });
    breaker.acquire().success();
    expect(breaker.metrics().numberOfBufferedCalls).toBe(5);
    expect(events).toHaveLength(5);
  });
});

describe('a rate exceeded', () => {
  it('is announced once in metrics-only, and nothing moves', () => {
    const { breaker, events } = manualBreaker({
      initialState: 'metrics-only',
      minimumNumberOfCalls: 2,
    });
    fail(breaker, 10);
    expect(breaker.state).toBe('metrics-only');
    expect(only(events, 'failureRateExceeded')).toMatchObject([
      { rate: 100, state: 'metrics-only' },
    ]);
    breaker.transitionToMetricsOnlyState();
    fail(breaker, 2);
    expect(only(events, 'failureRateExceeded')).toHaveLength(2);
  });

  it('is announced once for each rate', () => {
    const { breaker, clock, events } = manualBreaker({
      initialState: 'metrics-only',
      minimumNumberOfCalls: 1,
      slowCallRateThreshold: 50,
      slowCallDurationThreshold: 100,
    });
    fail(breaker);
    expect(only(events, 'slowCallRateExceeded')).toEqual([]);
    const slow = [breaker.acquire(), breaker.acquire()];
    clock.advance(101);
    for (const permit of slow) permit.success();
    expect(only(events, 'failureRateExceeded')).toMatchObject([{ rate: 100 }]);
    expect(only(events, 'slowCallRateExceeded')).toMatchObject([{ rate: 50 }]);
  });
});
