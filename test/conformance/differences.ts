import { CircuitBreaker, isCallNotPermitted, ManualClock } from '@recloser/core';
import { expect } from 'vitest';
import { complaint, makeBreaker, succeed, waitsInOpen } from './probes.ts';

export interface Difference {
  name: string;
  /** Why Recloser does otherwise. */
  reason: string;
  /** Words of the design's page on the breaker (breaker.md) that ask for it, as they stand there. */
  specified: string;
  holds: () => void;
}

const rejected = (options: object, option: string): void => {
  expect(String(complaint(options))).toMatch(new RegExp(`^(Type|Range)Error: .*${option}`));
};
const accepted = (options: object): void => expect(complaint(options)).toBeUndefined();

/** Where Recloser departs from Resilience4j on purpose, in what the record's tables and traces speak of. */
export const differences: Difference[] = [
  {
    name: 'a late outcome is given to no state but its own',
    reason: 'a call begun before the outage could close a half-open breaker, or reopen it',
    specified:
      'Settled later it changes nothing but the `lateOutcomes` counter, and a `lateOutcome` event says so.',
    holds: () => {
      const { breaker } = makeBreaker({ permittedNumberOfCallsInHalfOpenState: 1 });
      const late = breaker.acquire();
      breaker.transitionToOpenState();
      breaker.transitionToHalfOpenState();
      late.success();
      expect(breaker.state).toBe('half-open');
      expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, lateOutcomes: 1 });
    },
  },
  {
    name: 'a refusal in forced-open is announced',
    reason: 'the operator wants to see what is refused, whoever opened the breaker',
    specified: 'A refusal in forced-open is announced like any other (difference).',
    holds: () => {
      const { breaker } = makeBreaker({ initialState: 'forced-open' });
      const reasons: string[] = [];
      breaker.on('notPermitted', (event) => reasons.push(event.reason));
      breaker.tryAcquire();
      expect(reasons).toEqual(['forced-open']);
    },
  },
  {
    name: 'the half-open limit needs no timer',
    reason: 'a timer for each breaker keeps memory and processes alive, and drifts',
    specified:
      'are carried out in their order, each as of its own instant, whenever the breaker is touched: asked, told, or read.',
    holds: () => {
      const manual = new ManualClock();
      let timers = 0;
      const clock = {
        now: () => manual.now(),
        date: () => manual.date(),
        setTimer: () => {
          timers++;
          return () => {};
        },
      };
      const breaker = new CircuitBreaker('probe', {
        initialState: 'half-open',
        maxWaitDurationInHalfOpenState: 10,
        clock,
      });
      manual.advance(10);
      expect(breaker.state).toBe('open');
      expect(timers).toBe(0);
    },
  },
  {
    name: 'a time window without a size holds 30 s, not 100 s',
    reason:
      'the size of a count window, read as seconds, keeps an outage in the rates long after its end',
    specified:
      "Type and size are one choice: options that set the type without the size get the type's own default, whatever they inherit (Resilience4j: 100 s)",
    holds: () => {
      const { breaker, clock } = makeBreaker({ slidingWindowType: 'time-based' });
      succeed(breaker);
      clock.advance(29_999);
      expect(breaker.metrics().numberOfBufferedCalls).toBe(1);
      clock.advance(1);
      expect(breaker.metrics().numberOfBufferedCalls).toBe(0);
    },
  },
  {
    name: 'a time window holds at most 3,600 s',
    reason: 'a size given in milliseconds by mistake is told at once',
    specified:
      'calls, or seconds (at most 3,600: everything else is ms, so 30_000 here is an error that says so)',
    holds: () => {
      accepted({ slidingWindowType: 'time-based', slidingWindowSize: 3600 });
      rejected({ slidingWindowType: 'time-based', slidingWindowSize: 3601 }, 'slidingWindowSize');
      rejected({ slidingWindowType: 'time-based', slidingWindowSize: 30_000 }, 'slidingWindowSize');
      accepted({ slidingWindowType: 'count-based', slidingWindowSize: 30_000 });
    },
  },
  {
    name: 'a wait and an interval function cannot both be set',
    reason: 'the recorded combination that fails on build cannot be written down',
    specified: 'One option in three forms: two settings can never disagree',
    holds: () => {
      rejected({ waitIntervalFunctionInOpenState: () => 10 }, 'waitIntervalFunctionInOpenState');
      accepted({ waitDurationInOpenState: 10 });
      accepted({ waitDurationInOpenState: { initial: 10 } });
      accepted({ waitDurationInOpenState: () => 10 });
    },
  },
  {
    name: 'an exponential wait from 0 with a cap is rejected when made, not when first used',
    reason: 'a mistake shows at start, not in the first outage',
    specified: 'Options are resolved and checked once, at construction',
    holds: () =>
      rejected({ waitDurationInOpenState: { initial: 0, max: 10 } }, 'waitDurationInOpenState'),
  },
  {
    name: 'an exponential wait is not randomized unless asked',
    reason: 'waits are as written; Resilience4j spreads by 0.5 where a factor is not given',
    specified: '`{ initial, multiplier = 1.5, max, randomizationFactor = 0 }`',
    holds: () => {
      const waits = new Set(
        Array.from({ length: 100 }, () => waitsInOpen({ initial: 1000 }, 1)[0]),
      );
      expect(waits).toEqual(new Set([1000]));
    },
  },
  {
    name: "the half-open limit can also end in a judgement, 'evaluate'",
    reason: 'with few calls the trials in hand are better evidence than a fixed answer',
    specified: "(an error without one): `'open'`, `'closed'`, or `'evaluate'`.",
    holds: () => {
      const { breaker, clock } = makeBreaker({
        initialState: 'half-open',
        maxWaitDurationInHalfOpenState: 10,
        transitionToStateAfterWaitDuration: 'evaluate',
      });
      succeed(breaker);
      clock.advance(10);
      expect(breaker.state).toBe('closed');
    },
  },
  {
    name: 'a state to go to after half-open without a limit is an error',
    reason: 'it would never have an effect',
    specified: 'after `maxWaitDurationInHalfOpenState` (an error without one)',
    holds: () => {
      rejected(
        { transitionToStateAfterWaitDuration: 'closed' },
        'transitionToStateAfterWaitDuration',
      );
      rejected(
        { transitionToStateAfterWaitDuration: 'evaluate' },
        'transitionToStateAfterWaitDuration',
      );
    },
  },
  {
    name: 'a half-open limit is 0 or at least 1 ms',
    reason: 'Resilience4j reads any other value above -1 as no limit, without a word',
    specified: 'a wrong type, NaN, a value out of range',
    holds: () => {
      rejected({ maxWaitDurationInHalfOpenState: 0.5 }, 'maxWaitDurationInHalfOpenState');
      rejected({ maxWaitDurationInHalfOpenState: -0.5 }, 'maxWaitDurationInHalfOpenState');
      accepted({ maxWaitDurationInHalfOpenState: 0 });
      accepted({ maxWaitDurationInHalfOpenState: 1 });
    },
  },
  {
    name: 'an empty list of errors is an error',
    reason: 'it is read as "all" by some and as "none" by others',
    specified: 'An empty list is an error ("leave it out").',
    holds: () => {
      rejected({ recordErrors: [] }, 'recordErrors');
      rejected({ ignoreErrors: [] }, 'ignoreErrors');
    },
  },
  {
    name: "another breaker's refusal is ignored unless listed",
    reason: 'an open breaker would open all that call through it',
    specified: "Another breaker's refusal is ignored unless listed",
    holds: () => {
      const { breaker: other } = makeBreaker({ initialState: 'forced-open' });
      const { breaker } = makeBreaker();
      breaker.acquire().error(other.refusal());
      expect(breaker.metrics().numberOfBufferedCalls).toBe(0);
      const { breaker: listing } = makeBreaker({ recordErrors: [isCallNotPermitted] });
      listing.acquire().error(other.refusal());
      expect(listing.metrics().numberOfFailedCalls).toBe(1);
    },
  },
  {
    name: 'a refusal has no stack unless asked',
    reason: 'refusals come in bulk, just when the process has no time for them',
    specified: 'refusals come in bulk during an outage; they carry a stack only where this is set',
    holds: () => {
      const refusalOf = (writableStackTraceEnabled?: boolean): string => {
        const asked = writableStackTraceEnabled === undefined ? {} : { writableStackTraceEnabled };
        return (
          makeBreaker({ initialState: 'forced-open', ...asked }).breaker.refusal()?.stack ?? ''
        );
      };
      expect(refusalOf()).not.toMatch(/\n\s+at /);
      expect(refusalOf(true)).toMatch(/\n\s+at /);
    },
  },
  {
    name: 'states and windows are named in lower case with hyphens',
    reason: 'they are string literals, as JavaScript writes them',
    specified:
      '`metrics-only` (all calls pass and are counted, nothing moves; it announces once that a rate was exceeded)',
    holds: () => {
      rejected({ initialState: 'HALF_OPEN' }, 'initialState');
      rejected({ slidingWindowType: 'COUNT_BASED' }, 'slidingWindowType');
      rejected(
        { maxWaitDurationInHalfOpenState: 10, transitionToStateAfterWaitDuration: 'OPEN' },
        'transitionToStateAfterWaitDuration',
      );
    },
  },
  {
    name: 'a call that never returns is counted where asked',
    reason: 'a breaker that counts outcomes is blind to a dependency that hangs',
    specified:
      '(strictly) is counted as a slow success as of that instant, by the next touch of the breaker',
    holds: () => {
      const { breaker, clock } = makeBreaker({
        detectStalledCalls: true,
        slowCallDurationThreshold: 10,
      });
      breaker.acquire();
      clock.advance(11);
      expect(breaker.metrics().numberOfSlowSuccessfulCalls).toBe(1);
    },
  },
  {
    name: 'a categorical failure opens whatever the rates say',
    reason: 'where nothing can succeed there is nothing to count',
    specified:
      'a failure (its event says `trip: true`) after which a closed or half-open breaker opens at once with its usual wait',
    holds: () => {
      const { breaker } = makeBreaker();
      breaker.acquire().trip();
      expect(breaker.state).toBe('open');
    },
  },
];
