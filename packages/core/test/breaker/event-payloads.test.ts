import { describe, expect, it, vi } from 'vitest';
import { CircuitBreaker } from '../../src/index.ts';
import { fail, manualBreaker, only, startDate, typesOf } from './manual-breaker.ts';

const busy = new Error('busy');

describe('an event', () => {
  it('of an outcome carries the breaker, the instant, the state, the time and the details', () => {
    const { breaker, clock, events } = manualBreaker();
    clock.advance(100);
    const permits = [breaker.acquire(), breaker.acquire(), breaker.acquire()];
    clock.advance(5);
    permits[0]?.success({ status: 200 });
    permits[1]?.failure(busy, { kind: 'refused', code: 'ECONNREFUSED', rule: 'network' });
    permits[2]?.ignore(busy);
    const common = { breaker: 'test', at: startDate + 105, state: 'closed', elapsed: 5 };
    expect(events).toStrictEqual([
      { type: 'success', ...common, status: 200 },
      {
        type: 'failure',
        ...common,
        error: busy,
        kind: 'refused',
        code: 'ECONNREFUSED',
        rule: 'network',
      },
      { type: 'ignored', ...common, error: busy },
    ]);
  });

  it('of an outcome without an error has no such property', () => {
    const { breaker, events } = manualBreaker();
    breaker.acquire().failure();
    breaker.acquire().ignore();
    for (const event of events) expect(event).not.toHaveProperty('error');
  });

  it('of a refusal carries its reason', () => {
    const { breaker, events } = manualBreaker({ initialState: 'open' });
    breaker.tryAcquire();
    expect(events).toStrictEqual([
      { type: 'notPermitted', breaker: 'test', at: startDate, state: 'open', reason: 'open' },
    ]);
  });

  it('of a refusal in forced-open is announced like any other', async () => {
    const { breaker, events } = manualBreaker({ initialState: 'forced-open' });
    await breaker.execute(() => 'never').catch(() => {});
    expect(events).toMatchObject([{ type: 'notPermitted', reason: 'forced-open' }]);
  });

  it('of a transition carries where from, where to, why, and how long it is going to refuse', () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 2 });
    fail(breaker, 2);
    breaker.transitionToHalfOpenState();
    const [opened, halfOpened] = only(events, 'stateTransition');
    expect(opened).toStrictEqual({
      type: 'stateTransition',
      breaker: 'test',
      at: startDate,
      state: 'closed',
      from: 'closed',
      to: 'open',
      reason: 'failure-rate',
      wait: 60_000,
    });
    expect(halfOpened).toStrictEqual({
      type: 'stateTransition',
      breaker: 'test',
      at: startDate,
      state: 'open',
      from: 'open',
      to: 'half-open',
      reason: 'manual',
    });
  });

  it('of a rate exceeded carries the rate', () => {
    const { breaker, clock, events } = manualBreaker({
      minimumNumberOfCalls: 4,
      slowCallRateThreshold: 25,
      slowCallDurationThreshold: 10,
      failureRateThreshold: 75,
    });
    const slow = breaker.acquire();
    fail(breaker, 3);
    clock.advance(11);
    slow.success();
    const common = { breaker: 'test', at: startDate + 11, state: 'closed' };
    expect(events.slice(-3)).toMatchObject([
      { type: 'failureRateExceeded', ...common, rate: 75 },
      { type: 'slowCallRateExceeded', ...common, rate: 25 },
      { type: 'stateTransition' },
    ]);
  });

  it('of a reset carries the state that was left', () => {
    const { breaker, events } = manualBreaker({ initialState: 'forced-open' });
    breaker.reset();
    expect(typesOf(events).toSorted()).toEqual(['reset', 'stateTransition']);
    expect(only(events, 'reset')).toStrictEqual([
      { type: 'reset', breaker: 'test', at: startDate, state: 'forced-open' },
    ]);
    expect(only(events, 'stateTransition')).toMatchObject([{ reason: 'reset', to: 'closed' }]);
  });

  it('of a reset is announced in closed too, without a transition', () => {
    const { breaker, events } = manualBreaker();
    breaker.reset();
    expect(typesOf(events)).toEqual(['reset']);
  });

  it('of a late outcome carries the error and the state that is current', () => {
    const { breaker, clock, events } = manualBreaker();
    const permit = breaker.acquire();
    breaker.transitionToForcedOpenState();
    clock.advance(9);
    permit.failure(busy);
    expect(events.at(-1)).toStrictEqual({
      type: 'lateOutcome',
      breaker: 'test',
      at: startDate + 9,
      state: 'forced-open',
      elapsed: 9,
      error: busy,
    });
  });

  it('of an error carries what threw', () => {
    const { breaker, events } = manualBreaker({
      waitDurationInOpenState: () => {
        throw busy;
      },
    });
    breaker.transitionToOpenState();
    expect(only(events, 'error')).toStrictEqual([
      {
        type: 'error',
        breaker: 'test',
        at: startDate,
        state: 'closed',
        error: busy,
        source: 'waitDurationInOpenState',
      },
    ]);
  });

  it('is a plain object that can be kept and sent as JSON', () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 1 });
    breaker.acquire().failure();
    expect(events).toHaveLength(3);
    for (const event of events) {
      expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
      expect(JSON.parse(JSON.stringify(event))).toEqual(event);
    }
  });
});

describe('events', () => {
  it('are made only if somebody listens', () => {
    const date = vi.fn<() => number>(() => startDate);
    const breaker = new CircuitBreaker('test', { clock: { now: () => 0, date } });
    const everything = (): void => {
      fail(breaker, 100);
      breaker.tryAcquire();
      breaker.reset();
      breaker.acquire().success();
      breaker.acquire().hold(10);
      breaker.reset();
    };
    everything();
    expect(date).not.toHaveBeenCalled();
    const remove = breaker.on('reset', () => {});
    everything();
    expect(date).toHaveBeenCalledTimes(2);
    remove();
    everything();
    expect(date).toHaveBeenCalledTimes(2);
  });

  it('of an unknown type are refused with the nearest right one', () => {
    const { breaker } = manualBreaker();
    const on = breaker.on.bind(breaker) as (type: unknown, listener: unknown) => void;
    expect(() => on('stateTransitions', () => {})).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringContaining("'stateTransition'"),
      }),
    );
    for (const type of ['', 'state', undefined, null, 5, Symbol('success')]) {
      expect(() => on(type, () => {})).toThrow(TypeError);
    }
    for (const listener of [undefined, null, 'log', {}]) {
      expect(() => on('success', listener)).toThrow(TypeError);
    }
  });
});
