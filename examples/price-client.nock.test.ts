// A test of yours with nock: the outage, the refusals, the trial calls and the recovery, without a
// server and without waiting. Run it by itself: pnpm example price-client.nock

import {
  addCircuitBreaker,
  getCallNotPermitted,
  HttpCircuitBreaker,
  ManualClock,
} from '@recloser/axios';
import axios from 'axios';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

// What is tested. It takes its breaker, so that a test can give one with a clock of its own.

const origin = 'https://pricing.example.com';

function priceClient(breaker: HttpCircuitBreaker): () => Promise<number> {
  const api = addCircuitBreaker(axios.create({ baseURL: origin, timeout: 2000 }), breaker);
  return async () => (await api.get<{ price: number }>('/items/42')).data.price;
}

// Its test.

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

test('the price client leaves a failing service alone, tries it with two calls, and recovers', async () => {
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({
    clock,
    breaker: {
      consecutiveFailureThreshold: 3,
      waitDurationInOpenState: 10_000, // a number is not spread at random, as the default waits are
      permittedNumberOfCallsInHalfOpenState: 2,
    },
  });
  const price = priceClient(breaker);
  const state = () => breaker.find(`GET ${origin}/items/:id`)?.state;

  // The trip: three failures, and the fourth call is not made. It would meet no reply, and fail
  // with an error of another kind.
  nock(origin).get('/items/42').times(3).reply(503);
  for (let call = 1; call <= 3; call++) await expect(price()).rejects.toThrow('503');
  const refusal = getCallNotPermitted(await price().catch((error: unknown) => error));
  expect(refusal).toMatchObject({ state: 'open', retryAfterMs: 10_001 });
  expect(nock.isDone()).toBe(true);

  // The trial: of five calls at once two are let through, and use up both replies.
  nock(origin).get('/items/42').times(2).reply(200, { price: 9.99 });
  clock.advance(refusal?.retryAfterMs ?? 0);
  const answers = await Promise.allSettled([price(), price(), price(), price(), price()]);
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused.map(({ reason }) => getCallNotPermitted(reason)?.reason)).toEqual([
    'half-open-full',
    'half-open-full',
    'half-open-full',
  ]);
  expect(nock.isDone()).toBe(true);

  // The recovery: both were answered, and all go through.
  expect(state()).toBe('closed');
  nock(origin).get('/items/42').reply(200, { price: 9.5 });
  expect(await price()).toBe(9.5);
});
