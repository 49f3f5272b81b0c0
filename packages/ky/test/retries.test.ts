import { wrapFetch } from '@recloser/fetch';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import {
  resetBeforeHeaders,
  startServer,
  status,
  type Answer,
  type TestServer,
} from '@recloser/test-support/server';
import ky, { isHTTPError, type Hooks, type KyInstance, type Options, type RetryOptions } from 'ky';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  CallNotPermittedError,
  circuitBreaker,
  isCallNotPermitted,
  ManualClock,
  type CircuitBreakerOptions,
} from '../src/index.ts';

/** Every answer takes 100 ms by the breaker's clock, every wait 1 s. */
async function setUp(options: CircuitBreakerOptions, ...answers: Answer[]) {
  const clock = new ManualClock();
  const breaker = endpointBreaker(options, { clock });
  const elapsed: number[] = [];
  for (const type of ['success', 'failure'] as const) {
    breaker.on(type, (event) => elapsed.push(event.elapsed));
  }
  const delay = vi.fn<() => number>(() => {
    clock.advance(1000);
    return 0;
  });
  const server: TestServer = await startServer((request, response) => {
    clock.advance(100);
    (answers.shift() ?? status(503))(request, response);
  });
  return { breaker, clock, delay, elapsed, outcomes: outcomesOf(breaker), server };
}

describe("ky's retries", () => {
  test('are counted each, for what it took itself', async () => {
    const { breaker, delay, elapsed, outcomes, server } = await setUp(
      {},
      status(503),
      resetBeforeHeaders,
      status(200),
    );
    await using _ = server;
    const api = ky.extend(circuitBreaker(breaker)).extend({ retry: { delay } });

    expect((await api(server.url)).status).toBe(200);

    expect(outcomes).toEqual(['failure 503', 'failure reset', 'success 200']);
    expect(elapsed).toEqual([100, 100, 100]);
    expect(server.requests).toHaveLength(3);
  });

  test('hold no permit while they wait', async () => {
    const { breaker, server } = await setUp({});
    await using _ = server;
    const out: number[] = [];
    const delay = (): number => {
      out.push(...callsInFlight(breaker));
      return 0;
    };

    const api = ky.extend(circuitBreaker(breaker));
    await expect(api(server.url, { retry: { delay } })).rejects.toThrow('503');

    expect(out).toEqual([0, 0]);
  });

  test('end when the breaker opens, with the refusal itself', async () => {
    const { breaker, delay, outcomes, server } = await setUp({ consecutiveFailureThreshold: 2 });
    await using _ = server;
    const api = ky.extend(circuitBreaker(breaker));

    const call = api(server.url, { retry: { limit: 5, delay } });

    await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
    expect(outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
    expect(server.requests).toHaveLength(2);
    expect(delay).toHaveBeenCalledTimes(2);
  });

  test('end when the caller leaves while they wait, and nothing more is counted', async () => {
    const { breaker, outcomes, server } = await setUp({});
    await using _ = server;
    const controller = new AbortController();
    const delay = (): number => {
      controller.abort();
      return 0;
    };

    const api = ky.extend(circuitBreaker(breaker));
    const call = api(server.url, { signal: controller.signal, retry: { delay } });

    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(outcomes).toEqual(['failure 503']);
    expect(callsInFlight(breaker)).toEqual([0]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a refusal', () => {
  test.for<[name: string, retry: RetryOptions]>([
    ['by default', {}],
    ['where shouldRetry says so', { shouldRetry: () => true }],
    ['where shouldRetry says so later', { shouldRetry: async () => true }],
    ['where timeouts are', { retryOnTimeout: true }],
  ])('is not retried %s: one event, no wait, nothing sent', async ([, retry]) => {
    const { breaker, delay, outcomes, server } = await setUp({ initialState: 'open' });
    await using _ = server;
    for (const call of [
      () => ky.extend(circuitBreaker(breaker))(server.url, { retry: { ...retry, delay } }),
      () => ky.create({ retry: { ...retry, delay } }).extend(circuitBreaker(breaker))(server.url),
    ]) {
      outcomes.length = 0;
      await expect(call()).rejects.toBeInstanceOf(CallNotPermittedError);
      expect(outcomes).toEqual(['refused open']);
    }

    expect(delay).not.toHaveBeenCalled();
    expect(server.requests).toEqual([]);
  });

  test('is retried where a later init hook says so in place of ours', async () => {
    const { breaker, delay, outcomes, server } = await setUp({ initialState: 'open' });
    await using _ = server;
    const init = (options: Options): void => {
      options.retry = { limit: 1, delay, shouldRetry: () => true };
    };
    const api = ky.extend(circuitBreaker(breaker)).extend({ hooks: { init: [init] } });

    await expect(api(server.url)).rejects.toBeInstanceOf(CallNotPermittedError);

    expect(outcomes).toEqual(['refused open', 'refused open']);
  });

  test('is no business of shouldRetry, which is asked about all else', async () => {
    const { breaker, delay, server } = await setUp({ consecutiveFailureThreshold: 2 });
    await using _ = server;
    const shouldRetry = vi.fn<NonNullable<RetryOptions['shouldRetry']>>(() => true);

    const api = ky.extend(circuitBreaker(breaker));
    await expect(api(server.url, { retry: { delay, shouldRetry } })).rejects.toSatisfy(
      isCallNotPermitted,
    );

    expect(
      shouldRetry.mock.calls.map(([{ error, retryCount }]) => [error.name, retryCount]),
    ).toEqual([
      ['HTTPError', 1],
      ['HTTPError', 2],
    ]);
  });

  test('is what a hook for errors and the caller of json() get', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const seen: unknown[] = [];
    const hooks = {
      beforeError: [
        ({ error }: { error: Error }) => {
          seen.push(error);
          return error;
        },
      ],
    };
    const api = ky.extend(circuitBreaker(breaker)).extend({ hooks });

    const error: unknown = await api('http://api.example.com/')
      .json()
      .catch((each: unknown) => each);

    expect(isCallNotPermitted(error)).toBe(true);
    expect(error).toBeInstanceOf(CallNotPermittedError);
    expect(seen).toEqual([error]);
  });
});

describe('the total timeout of ky that is over as an error arrives', () => {
  const busy = (text: string): unknown => {
    vi.advanceTimersByTime(100);
    return JSON.parse(text);
  };
  const fetch = async (): Promise<Response> => Response.json({}, { status: 404 });
  const options: Options = { totalTimeout: 80, fetch, parseJson: busy };

  test.for<[name: string, api: KyInstance, expected: string]>([
    ['gives the error', ky.create(options), 'HTTPError'],
    [
      'takes its place where there is a shouldRetry',
      ky.create({ ...options, retry: { shouldRetry: () => undefined } }),
      'TimeoutError',
    ],
    ['so takes its place', ky.create(options).extend(circuitBreaker()), 'TimeoutError'],
  ])('%s', async ([, api, expected]) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());

    await expect(api('http://api.example.com/')).rejects.toMatchObject({ name: expected });
  });
});

describe("retries of one's own", () => {
  test('around ky without retries are counted each', async () => {
    const { breaker, clock, elapsed, outcomes, server } = await setUp({}, status(503), status(200));
    await using _ = server;
    const api = ky.create({ retry: 0 }).extend(circuitBreaker(breaker));

    for (let left = 2; left >= 0; left--) {
      try {
        await api(server.url);
        break;
      } catch (error) {
        if (left === 0 || isCallNotPermitted(error)) throw error;
        clock.advance(1000);
      }
    }

    expect(outcomes).toEqual(['failure 503', 'success 200']);
    expect(elapsed).toEqual([100, 100]);
  });
});

describe('a guard around ky, its retries inside', () => {
  const around = (delay: () => number) => async (url: string, init?: RequestInit) => {
    try {
      return await ky(url, { ...init, retry: { delay } });
    } catch (error) {
      if (!isHTTPError(error)) throw error;
      const { data, response } = error;
      return new Response(typeof data === 'string' ? data : JSON.stringify(data), response);
    }
  };

  test('counts one success for a call, and all the time that it took', async () => {
    const answers = [status(503), resetBeforeHeaders, status(200)];
    const { breaker, delay, elapsed, outcomes, server } = await setUp({}, ...answers);
    await using _ = server;

    const response = await wrapFetch(around(delay), breaker)(server.url);

    expect(response.status).toBe(200);
    expect(outcomes).toEqual(['success 200']);
    expect(elapsed).toEqual([2300]);
    expect(server.requests).toHaveLength(3);
  });

  test('counts one failure for a call that used them up', async () => {
    const { breaker, delay, elapsed, outcomes, server } = await setUp({});
    await using _ = server;

    const response = await wrapFetch(around(delay), breaker)(server.url);

    expect(response.status).toBe(503);
    expect(outcomes).toEqual(['failure 503']);
    expect(elapsed).toEqual([2300]);
    expect(server.requests).toHaveLength(3);
  });

  test.for([
    ['text', status(503, 'why'), 'why'],
    ['JSON', status(503, '{"id":1}', { 'content-type': 'application/json' }), '{"id":1}'],
    ['nothing', status(503), ''],
    ['a status without a body', status(304), ''],
  ] as const)('gives a failure that can be read: %s', async ([, answer, text]) => {
    const { breaker, delay, server } = await setUp({}, answer, answer, answer);
    await using _ = server;

    const response = await wrapFetch(around(delay), breaker)(server.url);

    expect(await response.text()).toBe(text);
  });

  test('answers the last failure with its fallback', async () => {
    const { breaker, delay, outcomes, server } = await setUp({});
    await using _ = server;
    const fallback = () => new Response('stored');

    const api = wrapFetch(around(delay), breaker, { fallback, fallbackOn: 'failure' });

    expect(await (await api(server.url)).text()).toBe('stored');
    expect(outcomes).toEqual(['failure 503']);
    expect(server.requests).toHaveLength(3);
  });
});

// Why there is no option to count whole calls: a permit for one would stay out.
describe('the end of a call is told to no hook of ky', () => {
  let controller: AbortController;

  test.for<[name: string, beforeRetry: () => unknown]>([
    ['where a hook stops the retries', () => ky.stop],
    [
      'where a hook fails before a retry',
      () => {
        throw new Error('not today');
      },
    ],
    ['where the caller leaves with a reason that is no Error', () => controller.abort('left')],
  ])('%s', async ([, beforeRetry]) => {
    controller = new AbortController();
    const ended = vi.fn<() => void>();
    const hooks = {
      beforeRetry: [beforeRetry],
      beforeError: [ended],
      afterResponse: [ended],
    } as unknown as Hooks;
    const fetch = async (): Promise<Response> => {
      throw controller.signal.aborted ? controller.signal.reason : new TypeError('fetch failed');
    };
    const retry = { delay: () => 0 };

    const { signal } = controller;
    await ky('http://api.example.com/', { fetch, hooks, retry, signal }).catch(() => undefined);

    expect(ended).not.toHaveBeenCalled();
  });
});
