import { describe, expect, it } from 'vitest';
import {
  fail,
  manualBreaker,
  movesOf,
  only,
  startDate,
  succeed,
  typesOf,
} from './manual-breaker.ts';

const brokeOff = new Error('broke off');

describe('amend', () => {
  it('turns the recorded success into a failure: one call stays one call', () => {
    const { breaker, clock, events } = manualBreaker();
    const permit = breaker.acquire();
    clock.advance(10);
    permit.success();
    clock.advance(25);
    permit.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({
      numberOfBufferedCalls: 1,
      numberOfFailedCalls: 1,
      numberOfSuccessfulCalls: 0,
    });
    expect(typesOf(events)).toEqual(['success', 'amended']);
    expect(events[1]).toStrictEqual({
      type: 'amended',
      breaker: 'test',
      at: startDate + 35,
      state: 'closed',
      elapsed: 35,
      error: brokeOff,
    });
    expect(breaker.lastFailure).toMatchObject({ at: startDate + 35 });
  });

  it('keeps the record slow, or not slow, as it was at the headers', () => {
    const { breaker, clock } = manualBreaker({ slowCallDurationThreshold: 100 });
    const [fast, slow] = [breaker.acquire(), breaker.acquire()];
    fast.success();
    clock.advance(101);
    slow.success();
    fast.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({ numberOfSlowCalls: 1, numberOfSlowFailedCalls: 0 });
    slow.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({ numberOfSlowCalls: 1, numberOfSlowFailedCalls: 1 });
  });

  it('looks at the thresholds again', () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 2 });
    const permit = breaker.acquire();
    permit.success();
    succeed(breaker);
    permit.amend(brokeOff);
    expect(movesOf(events)).toEqual(['closed > open: failure-rate']);
    expect(typesOf(events).slice(-3)).toEqual([
      'amended',
      'failureRateExceeded',
      'stateTransition',
    ]);
  });

  it('looks at the thresholds again in half-open too', () => {
    const { breaker, events } = manualBreaker({
      initialState: 'half-open',
      consecutiveFailureThreshold: 1,
    });
    const permit = breaker.acquire();
    permit.success();
    permit.amend(brokeOff);
    expect(movesOf(events)).toEqual(['half-open > open: consecutive-failures']);
  });

  it('corrects the counts in open, and moves nothing', () => {
    const { breaker, events } = manualBreaker({ minimumNumberOfCalls: 2 });
    const permit = breaker.acquire();
    permit.success();
    breaker.acquire().trip();
    const { retryAfterMs } = breaker.metrics();
    permit.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({ state: 'open', retryAfterMs, failureRate: 100 });
    expect(only(events, 'amended')).toMatchObject([{ state: 'open' }]);
    expect(movesOf(events)).toHaveLength(1);
  });

  it('on a permit that is out settles it as a failure', () => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    permit.amend(brokeOff);
    permit.amend(brokeOff);
    permit.success();
    expect(typesOf(events)).toEqual(['failure']);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 1, numberOfFailedCalls: 1 });
  });

  it('does nothing a second time', () => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    permit.success();
    permit.amend(brokeOff);
    permit.amend(brokeOff);
    expect(typesOf(events)).toEqual(['success', 'amended']);
    expect(breaker.metrics()).toMatchObject({ numberOfFailedCalls: 1, consecutiveFailures: 1 });
  });

  it('follows a result and an error that counted as a success as well', () => {
    const { breaker, events } = manualBreaker({ recordErrors: [TypeError] });
    const [result, error] = [breaker.acquire(), breaker.acquire()];
    result.result(200);
    error.error(new RangeError('not recorded'));
    result.amend(brokeOff);
    error.amend(brokeOff);
    expect(typesOf(events)).toEqual(['success', 'success', 'amended', 'amended']);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 2, numberOfFailedCalls: 2 });
  });

  it('changes nothing once the window of the call is no longer in use', () => {
    const { breaker } = manualBreaker({
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    const trial = breaker.acquire();
    trial.success();
    expect(breaker.state).toBe('closed');
    trial.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({
      state: 'closed',
      numberOfBufferedCalls: 0,
      consecutiveFailures: 0,
    });
    expect(breaker.lastFailure).toBeUndefined();
  });

  it('changes no count once the record has left the count window', () => {
    const { breaker } = manualBreaker({ slidingWindowSize: 2 });
    const permit = breaker.acquire();
    permit.success();
    succeed(breaker, 2);
    permit.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 2, numberOfFailedCalls: 0 });
  });

  it('changes no count once the record has left the time window', () => {
    const { breaker, clock } = manualBreaker({
      slidingWindowType: 'time-based',
      slidingWindowSize: 2,
    });
    const [old, young] = [breaker.acquire(), breaker.acquire()];
    old.success();
    clock.advance(1000);
    young.success();
    clock.advance(1000);
    old.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 1, numberOfFailedCalls: 0 });
    young.amend(brokeOff);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 1, numberOfFailedCalls: 1 });
  });

  describe('and the row of failures', () => {
    it('goes on as if the success had not been, if that was the last one', () => {
      const { breaker, events } = manualBreaker({ consecutiveFailureThreshold: 4 });
      fail(breaker, 2);
      const permit = breaker.acquire();
      permit.success();
      fail(breaker);
      expect(breaker.metrics().consecutiveFailures).toBe(1);
      permit.amend(brokeOff);
      expect(movesOf(events)).toEqual(['closed > open: consecutive-failures']);
      expect(breaker.metrics().consecutiveFailures).toBe(4);
    });

    it('stays as it is, if a later call succeeded', () => {
      const { breaker } = manualBreaker({ consecutiveFailureThreshold: 2 });
      const permit = breaker.acquire();
      permit.success();
      succeed(breaker);
      fail(breaker);
      permit.amend(brokeOff);
      expect(breaker.metrics()).toMatchObject({ state: 'closed', consecutiveFailures: 1 });
    });
  });
});
