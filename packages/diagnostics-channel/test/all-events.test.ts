import {
  HttpCircuitBreaker,
  ManualClock,
  reportFailure,
  type Admission,
  type HttpCircuitBreakerEvents,
} from '@recloser/core';
import { httpEventTypes } from '@recloser/core/adapter';
import { expect, test } from 'vitest';
import { publishEvents } from '../src/index.ts';
import { Subscribed } from './subscribed.ts';

/** A breaker with narrow limits, of whose options one is wrong. */
function breakerOfAll(clock: ManualClock): HttpCircuitBreaker {
  return new HttpCircuitBreaker({
    clock,
    maxBreakers: 40,
    maxEndpointsPerHost: 6,
    maxPartitions: 2,
    partition: ({ method }) => (method === 'GET' ? undefined : method),
    rules: [
      { status: 418, outcome: 'ignore' },
      { status: 420, outcome: 'hold', holdFor: 1 },
    ],
    breaker: {
      minimumNumberOfCalls: 1,
      slowCallDurationThreshold: 100,
      slowCallRateThreshold: 50,
      waitDurationInOpenState: () => {
        throw new Error('a bug of the user');
      },
    },
  });
}

/** Does what causes at least one event of each type. */
function causeAll(clock: ManualClock, breaker: HttpCircuitBreaker): void {
  const admit = (path: string, host = 'api', method = 'GET'): Admission =>
    breaker.admit({ method, origin: `https://${host}.example.com`, path });
  const response = {};
  admit('/good').responded(200, {}, response);
  reportFailure(response, 'errors in its body');
  admit('/teapot').responded(418);
  admit('/calm').responded(420);
  admit('/bad').responded(503);
  expect(() => admit('/bad')).toThrow(expect.objectContaining({ reason: 'open' }));
  const hanging = admit('/hanging');
  clock.advance(101);
  hanging.responded(200);
  const late = admit('/late');
  breaker.control('*/late').reset({ reason: 'test' });
  late.responded(200);
  for (const endpoint of 'abcdefg') admit(`/${endpoint}`, 'wide').responded(200);
  for (const method of ['PUT', 'POST', 'PATCH']) admit('/', 'parted', method).responded(200);
  for (let host = 0; host < 30; host++) admit('/', `idle${host}`).responded(200);
  for (let host = 0; host < 100; host++) admit('/', `busy${host}`);
}

test('every type of event arrives on the channel of its name', () => {
  const clock = new ManualClock();
  const breaker = breakerOfAll(clock);
  const heard: HttpCircuitBreakerEvents[keyof HttpCircuitBreakerEvents][] = [];
  for (const type of httpEventTypes) breaker.on(type, (event) => heard.push(event));
  publishEvents(breaker);
  using subscribed = new Subscribed(breaker, ...httpEventTypes);
  causeAll(clock, breaker);

  expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(httpEventTypes));
  expect(subscribed.events).toEqual(heard);
  expect(subscribed.channels).toEqual(heard.map(({ type }) => `recloser:${type}`));
});
