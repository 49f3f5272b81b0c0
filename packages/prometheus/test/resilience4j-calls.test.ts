import { reportFailure, type HttpCircuitBreakerOptions } from '@recloser/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { request, setUp, type SetUp } from './set-up.ts';

const resilience4j = (options: HttpCircuitBreakerOptions = {}): SetUp =>
  setUp(options, 'resilience4j');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

test('all begin with zeros, and rates with -1, as Resilience4j has it', async () => {
  const { breaker, told } = resilience4j();
  breaker.admit(request);

  expect(await told()).toEqual([
    'calls_seconds_bucket{le="+Inf",kind="successful",…} 0',
    'calls_seconds_sum{kind="successful",…} 0',
    'calls_seconds_count{kind="successful",…} 0',
    'calls_seconds_bucket{le="+Inf",kind="failed",…} 0',
    'calls_seconds_sum{kind="failed",…} 0',
    'calls_seconds_count{kind="failed",…} 0',
    'calls_seconds_bucket{le="+Inf",kind="ignored",…} 0',
    'calls_seconds_sum{kind="ignored",…} 0',
    'calls_seconds_count{kind="ignored",…} 0',
    'calls_seconds_max{kind="successful",…} 0',
    'calls_seconds_max{kind="failed",…} 0',
    'calls_seconds_max{kind="ignored",…} 0',
    'not_permitted_calls_total{kind="not_permitted",…} 0',
    'state{state="closed",…} 1',
    'state{state="open",…} 0',
    'state{state="half_open",…} 0',
    'state{state="metrics_only",…} 0',
    'state{state="disabled",…} 0',
    'state{state="forced_open",…} 0',
    'buffered_calls{kind="successful",…} 0',
    'buffered_calls{kind="failed",…} 0',
    'slow_calls{kind="successful",…} 0',
    'slow_calls{kind="failed",…} 0',
    'failure_rate{…} -1',
    'slow_call_rate{…} -1',
  ]);
});

test('calls are told by kind, ignored and held ones too', async () => {
  const { clock, breaker, told } = resilience4j({
    rules: [
      { status: 404, outcome: 'ignore' },
      { status: 429, outcome: 'hold', holdFor: 1 },
    ],
  });
  for (const [status, ms] of [
    [200, 40],
    [200, 2500],
    [503, 70],
    [404, 5],
    [429, 15],
  ] as const) {
    const admission = breaker.admit(request);
    clock.advance(ms);
    admission.responded(status);
  }

  expect(await told('calls_seconds_count')).toEqual([
    'calls_seconds_count{kind="successful",…} 2',
    'calls_seconds_count{kind="failed",…} 1',
    'calls_seconds_count{kind="ignored",…} 2',
  ]);
  expect(await told('calls_seconds_sum')).toEqual([
    'calls_seconds_sum{kind="successful",…} 2.54',
    'calls_seconds_sum{kind="failed",…} 0.07',
    'calls_seconds_sum{kind="ignored",…} 0.02',
  ]);
  expect(await told('calls_seconds_max')).toEqual([
    'calls_seconds_max{kind="successful",…} 2.5',
    'calls_seconds_max{kind="failed",…} 0.07',
    'calls_seconds_max{kind="ignored",…} 0.015',
  ]);
  const buckets = await told('calls_seconds_bucket');
  expect(buckets).toHaveLength(3 * 15);
  expect(buckets).toContain('calls_seconds_bucket{le="0.05",kind="successful",…} 1');
  expect(buckets).toContain('calls_seconds_bucket{le="+Inf",kind="successful",…} 2');
});

test('a success that becomes a failure counts as both', async () => {
  const { breaker, told } = resilience4j();
  const response = {};
  breaker.admit(request).responded(200, undefined, response);
  reportFailure(response, new Error('no price in it'));

  expect(await told('calls_seconds_count')).toEqual([
    'calls_seconds_count{kind="successful",…} 1',
    'calls_seconds_count{kind="failed",…} 1',
    'calls_seconds_count{kind="ignored",…} 0',
  ]);
});

test('the maximum is of the last two to three minutes', async () => {
  const { clock, breaker, value } = resilience4j();
  const call = (ms: number): void => {
    const admission = breaker.admit(request);
    clock.advance(ms);
    admission.responded(200);
  };
  const maximum = async (): Promise<number | undefined> =>
    await value('calls_seconds_max', 'successful');
  call(1500);
  vi.advanceTimersByTime(60_000);
  call(500);
  vi.advanceTimersByTime(119_999);
  expect(await maximum()).toBe(1.5);
  vi.advanceTimersByTime(1);
  expect(await maximum()).toBe(0.5);
  vi.advanceTimersByTime(600_000);
  expect(await maximum()).toBe(0);
});
