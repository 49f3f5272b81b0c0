import { expect, test } from 'vitest';
import { request, setUp } from './set-up.ts';
import { ask } from './watched.ts';

test('an outage is told of while it lasts, and counted once it is over', async () => {
  const { clock, breaker, told, value } = setUp();
  ask(breaker, 200);
  expect(await told('recovery_duration_seconds_count')).toEqual([]);
  expect(await value('outage_seconds')).toBe(0);

  ask(breaker, 503);
  ask(breaker, 503);
  ask(breaker, 200);
  clock.advance(6000);
  expect(await told('state')).toEqual([
    'state{state="closed",…} 0',
    'state{state="open",…} 1',
    'state{state="half-open",…} 0',
    'state{state="metrics-only",…} 0',
    'state{state="disabled",…} 0',
    'state{state="forced-open",…} 0',
  ]);
  expect(await value('outage_seconds')).toBe(6);
  expect(await value('recovery_duration_seconds_count')).toBe(0);

  // Its trial call fails, so that it opens again: the outage goes on.
  clock.advance(5000);
  ask(breaker, 503);
  clock.advance(1000);
  expect(await value('time_in_state_seconds')).toBe(1);
  expect(await value('outage_seconds')).toBe(12);

  clock.advance(10_000);
  ask(breaker, 200);
  expect(await value('outage_seconds')).toBe(0);
  expect(await value('recovery_duration_seconds_sum')).toBe(22);
  expect(await value('recovery_duration_seconds_bucket', 'le="10"')).toBe(0);
  expect(await value('recovery_duration_seconds_bucket', 'le="30"')).toBe(1);
  expect(await told('refused_calls_total')).toEqual(['refused_calls_total{reason="open",…} 1']);
  expect(await told('transitions_total')).toEqual([
    'transitions_total{from="closed",to="open",reason="consecutive-failures",…} 1',
    'transitions_total{from="open",to="half-open",reason="wait-elapsed",…} 2',
    'transitions_total{from="half-open",to="open",reason="failure-rate",…} 1',
    'transitions_total{from="half-open",to="closed",reason="trial-calls",…} 1',
  ]);
  expect(await value('openings_total')).toBe(2);
  expect(await value('ever_opened')).toBe(1);
});

test('rates are shares, and are told from the minimum number of calls on', async () => {
  const { clock, breaker, told, value } = setUp({ breaker: { minimumNumberOfCalls: 4 } });
  for (const status of [503, 200, 200]) ask(breaker, status);
  expect(await told('failure_ratio')).toEqual([]);
  expect(await told('slow_call_ratio')).toEqual([]);
  expect(await value('ever_evaluated')).toBe(0);

  const slow = breaker.admit(request);
  clock.advance(2001);
  expect(await value('calls_in_flight')).toBe(1);
  slow.responded(200);
  expect(await value('failure_ratio')).toBe(0.25);
  expect(await value('slow_call_ratio')).toBe(0.25);
  expect(await value('ever_evaluated')).toBe(1);
  expect(await value('calls_in_flight')).toBe(0);
  expect(await told('buffered_calls')).toEqual([
    'buffered_calls{outcome="success",…} 3',
    'buffered_calls{outcome="failure",…} 1',
  ]);
});

test('what is no one breaker is told of the whole', async () => {
  const { breaker, told } = setUp({ maxBreakers: 1 });
  ask(breaker, 200, 'https://api.example.com/one');
  ask(breaker, 200, 'https://api.example.com/two');
  breaker.admit({ method: 'GET', url: 'https://api.example.com/two' });
  ask(breaker, 200, 'https://api.example.com/three');
  ask(breaker, 200, 'no URL');

  expect(await told('breakers')).toEqual(['breakers 1']);
  expect(await told('evictions_total')).toEqual(['evictions_total 1']);
  expect(await told('overflows_total')).toEqual(['overflows_total 1']);
  expect(await told('unguarded_requests_total')).toEqual(['unguarded_requests_total 2']);
});

test('orders that stand are counted, by whether they end by themselves', async () => {
  const { breaker, told } = setUp();
  breaker.control('*one*').forceOpen({ reason: 'maintenance' });
  breaker.control('*two*').forceOpen({ reason: 'maintenance' });
  breaker.control('*three*').disable({ reason: 'a false alarm', for: 1000 });

  expect(await told('operator_orders')).toEqual([
    'operator_orders{action="forceOpen",expires="false"} 2',
    'operator_orders{action="disable",expires="true"} 1',
  ]);
});
