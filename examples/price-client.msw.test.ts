// A test of yours with msw: the outage, the refusals, the trial calls and the recovery, without a
// server and without waiting. Run it by itself: pnpm example price-client.msw

import { HttpCircuitBreaker, isCallNotPermitted, ManualClock, wrapFetch } from '@recloser/fetch';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

// What is tested. It takes its breaker, so that a test can give one with a clock of its own.

const url = 'https://pricing.example.com/items/42';

function priceClient(breaker: HttpCircuitBreaker): () => Promise<string> {
  // msw puts another fetch in the global's place as it starts to listen. A fetch that was wrapped
  // before goes past it, so this one is looked up at each call.
  const guardedFetch = wrapFetch((...args: Parameters<typeof fetch>) => fetch(...args), breaker);
  return async () => {
    const response = await guardedFetch(url);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
  };
}

// Its test.

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

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
  const state = () => breaker.find(`GET https://pricing.example.com/items/:id`)?.state;

  let status = 503;
  let reached = 0;
  server.use(
    http.get(url, () => {
      reached++;
      return new HttpResponse('9.99', { status });
    }),
  );

  // The trip: three failures, and the fourth call is not made.
  for (let call = 1; call <= 3; call++) await expect(price()).rejects.toThrow('status 503');
  const refusal: unknown = await price().catch((error: unknown) => error);
  expect(isCallNotPermitted(refusal)).toBe(true);
  expect({ state: state(), reached }).toEqual({ state: 'open', reached: 3 });

  // The trial: of five calls at once two are let through.
  clock.advance(10_001);
  status = 200;
  const answers = await Promise.allSettled([price(), price(), price(), price(), price()]);
  expect(answers.map((answer) => answer.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(reached).toBe(3 + 2);

  // The recovery: both were answered, and all go through.
  expect(state()).toBe('closed');
  expect(await price()).toBe('9.99');
});
