import { HttpCircuitBreaker, CircuitBreaker, type NotPermittedReason } from '@recloser/core';
import { expectTypeOf, test } from 'vitest';
import {
  BreakerSeries,
  CallStatistics,
  checkBounds,
  DURATION_BOUNDS,
  Histogram,
  RECOVERY_BOUNDS,
  type CallCount,
  type CallOutcome,
  type CallStatisticsOptions,
  type StatisticsObserver,
  type TransitionCount,
} from '../src/index.ts';

const breaker = new HttpCircuitBreaker();

test('bounds are checked', () => {
  const given: unknown = [1, 2];
  expectTypeOf(checkBounds('buckets', given)).toEqualTypeOf<readonly number[]>();
});

test('statistics are of an HTTP breaker, with bounds in ms', () => {
  const options: CallStatisticsOptions = {
    durationBounds: DURATION_BOUNDS,
    recoveryBounds: RECOVERY_BOUNDS,
    observer: undefined,
  };
  expectTypeOf(DURATION_BOUNDS).toEqualTypeOf<readonly number[]>();
  expectTypeOf(new CallStatistics(breaker, options)).toEqualTypeOf<CallStatistics>();
  expectTypeOf(new CallStatistics(breaker).stop()).toBeVoid();
  // @ts-expect-error: a breaker alone knows no HTTP.
  void new CallStatistics(new CircuitBreaker('prices'));
  // @ts-expect-error: the option is called durationBounds.
  void new CallStatistics(breaker, { durationBuckets: [1] });
});

test('series are read, by living breaker', () => {
  const statistics = new CallStatistics(breaker);
  expectTypeOf(statistics.seriesOf('payments')).toEqualTypeOf<BreakerSeries | undefined>();
  for (const series of statistics.series) {
    expectTypeOf(series).toEqualTypeOf<BreakerSeries>();
    expectTypeOf(series.level).toEqualTypeOf<'host' | 'endpoint' | undefined>();
    expectTypeOf(series.calls).toEqualTypeOf<CallCount[]>();
    expectTypeOf(series.transitions).toEqualTypeOf<TransitionCount[]>();
    expectTypeOf(series.refused).toEqualTypeOf<Map<NotPermittedReason, number>>();
    expectTypeOf(series.durations.success).toEqualTypeOf<Histogram>();
    // @ts-expect-error: how long refused calls took nobody asks.
    void series.durations.refused;
  }
  expectTypeOf<CallCount['outcome']>().toEqualTypeOf<CallOutcome>();
  expectTypeOf<CallOutcome>().toEqualTypeOf<
    'success' | 'failure' | 'ignored' | 'held' | 'amended'
  >();
});

test('an observer may hear of some', () => {
  const observer: StatisticsObserver = {
    ended: (series, call, ms) => {
      expectTypeOf(series).toEqualTypeOf<BreakerSeries>();
      expectTypeOf(call).toEqualTypeOf<CallCount>();
      expectTypeOf(ms).toBeNumber();
    },
  };
  void new CallStatistics(breaker, { observer });
  // @ts-expect-error: it is called ended.
  void ({ end: () => {} } satisfies StatisticsObserver);
});
