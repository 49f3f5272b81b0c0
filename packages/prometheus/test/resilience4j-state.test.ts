import type { HttpCircuitBreakerOptions } from '@recloser/core';
import { expect, test } from 'vitest';
import { scrape } from './scrape.ts';
import { request, setUp, type SetUp } from './set-up.ts';
import { ask, goThroughAnOutage, KEY } from './watched.ts';

const resilience4j = (options: HttpCircuitBreakerOptions = {}): SetUp =>
  setUp(options, 'resilience4j');

test('rates are percent of the window, whose calls are told by kind', async () => {
  const { clock, breaker, told } = resilience4j({ breaker: { minimumNumberOfCalls: 4 } });
  ask(breaker, 503);
  ask(breaker, 200);
  ask(breaker, 200);
  const slow = breaker.admit(request);
  clock.advance(2001);
  slow.responded(200);

  expect(await told('failure_rate')).toEqual(['failure_rate{…} 25']);
  expect(await told('slow_call_rate')).toEqual(['slow_call_rate{…} 25']);
  expect(await told('buffered_calls')).toEqual([
    'buffered_calls{kind="successful",…} 3',
    'buffered_calls{kind="failed",…} 1',
  ]);
  expect(await told('slow_calls')).toEqual([
    'slow_calls{kind="successful",…} 1',
    'slow_calls{kind="failed",…} 0',
  ]);
});

test('an outage is told as Resilience4j does', async () => {
  const { breaker, clock, told } = resilience4j();
  goThroughAnOutage({ breaker, clock });
  ask(breaker, 503);
  ask(breaker, 503);

  expect(await told('not_permitted_calls_total')).toEqual([
    'not_permitted_calls_total{kind="not_permitted",…} 1',
  ]);
  expect(await told('state')).toContain('state{state="open",…} 1');
});

test('refusals of the bulkhead are none of the circuit breaker', async () => {
  const { breaker, told } = resilience4j({ breaker: { maxConcurrentCalls: 1 } });
  breaker.admit(request);
  ask(breaker, 200);

  expect(await told('not_permitted_calls_total')).toEqual([
    'not_permitted_calls_total{kind="not_permitted",…} 0',
  ]);
});

test('the key is a label beside a name, since breakers may share one', async () => {
  const { breaker, register } = resilience4j({ overrides: [{ path: '/price', name: 'pricing' }] });
  ask(breaker, 200);
  breaker.admit({ method: 'PUT', url: 'https://api.example.com/price' }).responded(200);

  expect(await scrape(register, 'resilience4j_circuitbreaker_failure_rate')).toEqual([
    `resilience4j_circuitbreaker_failure_rate{name="pricing",key="${KEY}"} -1`,
    'resilience4j_circuitbreaker_failure_rate{name="pricing",key="PUT https://api.example.com/price"} -1',
  ]);
});
