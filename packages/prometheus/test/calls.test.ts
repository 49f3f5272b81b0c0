import { reportFailure } from '@recloser/core';
import { expect, test } from 'vitest';
import { scrape } from './scrape.ts';
import { ENDPOINT, request, setUp } from './set-up.ts';
import { ask, goThroughAnOutage } from './watched.ts';

test('calls are counted by what they counted as, and why', async () => {
  const { breaker, told } = setUp();
  ask(breaker, 200);
  ask(breaker, 200);
  ask(breaker, 503);
  const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
  breaker.admit(request).failed(gone);

  expect(await told('calls_total')).toEqual([
    'calls_total{outcome="success",rule="the dependency answered",…} 2',
    'calls_total{outcome="failure",rule="server error",domain="endpoint",…} 1',
    'calls_total{outcome="failure",kind="reset",rule="no whole response",domain="endpoint",…} 1',
  ]);
});

test('durations are in seconds, in buckets that hold those below them', async () => {
  const { clock, breaker, told, value } = setUp();
  for (const ms of [5, 6, 300, 12_000]) {
    const admission = breaker.admit(request);
    clock.advance(ms);
    admission.responded(200);
  }

  expect(await told('call_duration_seconds_bucket')).toEqual([
    'call_duration_seconds_bucket{le="0.005",outcome="success",…} 1',
    'call_duration_seconds_bucket{le="0.01",outcome="success",…} 2',
    'call_duration_seconds_bucket{le="0.025",outcome="success",…} 2',
    'call_duration_seconds_bucket{le="0.05",outcome="success",…} 2',
    'call_duration_seconds_bucket{le="0.075",outcome="success",…} 2',
    'call_duration_seconds_bucket{le="0.1",outcome="success",…} 2',
    'call_duration_seconds_bucket{le="0.25",outcome="success",…} 2',
    'call_duration_seconds_bucket{le="0.5",outcome="success",…} 3',
    'call_duration_seconds_bucket{le="0.75",outcome="success",…} 3',
    'call_duration_seconds_bucket{le="1",outcome="success",…} 3',
    'call_duration_seconds_bucket{le="2.5",outcome="success",…} 3',
    'call_duration_seconds_bucket{le="5",outcome="success",…} 3',
    'call_duration_seconds_bucket{le="7.5",outcome="success",…} 3',
    'call_duration_seconds_bucket{le="10",outcome="success",…} 3',
    'call_duration_seconds_bucket{le="+Inf",outcome="success",…} 4',
  ]);
  expect(await value('call_duration_seconds_sum')).toBeCloseTo(12.311);
  expect(await value('call_duration_seconds_count')).toBe(4);
});

test('a success that is reported as a failure counts as amended, too', async () => {
  const { breaker, value } = setUp();
  const response = {};
  breaker.admit(request).responded(200, undefined, response);
  reportFailure(response, new Error('no price in it'));

  expect(await value('calls_total', 'outcome="success"')).toBe(1);
  expect(await value('calls_total', 'outcome="amended"')).toBe(1);
});

test('refusals by an open breaker begin with zero, so that the first outage is an increase', async () => {
  const { breaker, told } = setUp();
  breaker.admit(request);
  expect(await told('refused_calls_total')).toEqual(['refused_calls_total{reason="open",…} 0']);

  ask(breaker, 503);
  ask(breaker, 503);
  ask(breaker, 200);
  breaker.control('*').forceOpen({ reason: 'maintenance' });
  ask(breaker, 200);
  expect(await told('refused_calls_total')).toEqual([
    'refused_calls_total{reason="open",…} 1',
    'refused_calls_total{reason="forced-open",…} 1',
  ]);
});

test('a refused call is a refusal, and counts nowhere else', async () => {
  const { breaker, register } = setUp();
  for (const status of [503, 503, 200]) ask(breaker, status);
  const before = await scrape(register);
  ask(breaker, 200);

  const changed = (await scrape(register)).filter((line) => !before.includes(line));
  expect(changed).toEqual([`circuit_breaker_refused_calls_total{reason="open",${ENDPOINT}} 2`]);
});

test('stalled calls are counted while they are out, late ones as they end', async () => {
  const { clock, breaker, value } = setUp();
  breaker.admit(request);
  clock.advance(2001);
  expect(await value('stalled_calls_total')).toBe(1);

  const late = breaker.admit(request);
  goThroughAnOutage({ breaker, clock });
  expect(await value('late_outcomes_total')).toBe(0);
  late.responded(200);
  expect(await value('late_outcomes_total')).toBe(1);
});
