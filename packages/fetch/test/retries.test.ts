import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import {
  resetBeforeHeaders,
  startServer,
  status,
  type Answer,
  type TestServer,
} from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import {
  isCallNotPermitted,
  ManualClock,
  wrapFetch,
  type CircuitBreakerOptions,
} from '../src/index.ts';

type Fetch = (url: string) => Promise<Response>;

/** Every answer takes 100 ms by the breaker's clock, every wait of a retry 1 s. */
async function setUp(options: CircuitBreakerOptions, ...answers: Answer[]) {
  const clock = new ManualClock();
  const breaker = endpointBreaker(options, { clock });
  const elapsed: number[] = [];
  for (const type of ['success', 'failure'] as const) {
    breaker.on(type, (event) => elapsed.push(event.elapsed));
  }
  const server: TestServer = await startServer((request, response) => {
    clock.advance(100);
    (answers.shift() ?? status(503))(request, response);
  });
  /** The permits that are out at each wait. */
  const out: number[] = [];
  const retrying =
    (inner: Fetch, limit: number = 2): Fetch =>
    async (url) => {
      for (let left = limit; ; left--) {
        try {
          const response = await inner(url);
          if (left === 0 || response.status < 500) return response;
        } catch (error) {
          if (left === 0 || isCallNotPermitted(error)) throw error;
        }
        out.push(...callsInFlight(breaker));
        clock.advance(1000);
      }
    };
  return {
    breaker,
    elapsed,
    out,
    outcomes: outcomesOf(breaker),
    retrying,
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe('retries around the guard', () => {
  test('count each attempt, for what it took itself', async () => {
    await using it = await setUp({}, status(503), resetBeforeHeaders, status(200));

    const response = await it.retrying(wrapFetch(fetch, it.breaker))(it.server.url);

    expect(response.status).toBe(200);
    expect(it.outcomes).toEqual(['failure 503', 'failure reset', 'success 200']);
    expect(it.elapsed).toEqual([100, 100, 100]);
    expect(it.out).toEqual([0, 0]);
  });

  test('end with the refusal when the breaker opens between two attempts', async () => {
    await using it = await setUp({ consecutiveFailureThreshold: 2 });

    const call = it.retrying(wrapFetch(fetch, it.breaker), 5)(it.server.url);

    await expect(call).rejects.toSatisfy(isCallNotPermitted);
    expect(it.outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
    expect(it.server.requests).toHaveLength(2);
  });
});

describe('retries inside the guard', () => {
  test('count one call, for all that it took', async () => {
    await using it = await setUp({}, status(503), resetBeforeHeaders, status(200));

    const response = await wrapFetch(it.retrying(fetch), it.breaker)(it.server.url);

    expect(response.status).toBe(200);
    expect(it.outcomes).toEqual(['success 200']);
    expect(it.elapsed).toEqual([2300]);
    expect(it.out).toEqual([1, 1]);
  });

  test('count one failure where they are used up, however soon the breaker opens', async () => {
    await using it = await setUp({ consecutiveFailureThreshold: 1 });
    const api = wrapFetch(it.retrying(fetch), it.breaker);

    expect((await api(it.server.url)).status).toBe(503);
    await expect(api(it.server.url)).rejects.toSatisfy(isCallNotPermitted);

    expect(it.outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
    expect(it.elapsed).toEqual([2300]);
    expect(it.server.requests).toHaveLength(3);
  });

  test('let a fallback answer the last failure', async () => {
    await using it = await setUp({});
    const fallback = () => new Response('stored');

    const api = wrapFetch(it.retrying(fetch), it.breaker, { fallback, fallbackOn: 'failure' });

    expect(await (await api(it.server.url)).text()).toBe('stored');
    expect(it.outcomes).toEqual(['failure 503']);
    expect(it.server.requests).toHaveLength(3);
  });
});
