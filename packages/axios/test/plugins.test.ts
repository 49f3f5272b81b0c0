import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { startServer, status, type Answer } from '@recloser/test-support/server';
import axios, { type AxiosError, type AxiosInstance } from 'axios';
import { setupCache } from 'axios-cache-interceptor';
import MockAdapter from 'axios-mock-adapter';
import axiosRetry from 'axios-retry';
import { describe, expect, test, vi } from 'vitest';
import {
  addCircuitBreaker,
  isCallNotPermitted,
  isDegraded,
  type FallbackOn,
  type AddCircuitBreakerOptions,
  type HttpCircuitBreaker,
} from '../src/index.ts';
import { errorOf } from './stand-in.ts';

const URL_OF_NOTHING = 'http://api.example.com/users';

/** Its types know the instances of CommonJS only. */
const mockOf = (api: AxiosInstance): MockAdapter => new MockAdapter(api as never);

describe('axios-mock-adapter', () => {
  for (const when of ['before', 'after'] as const) {
    const setUp = () => {
      const breaker = endpointBreaker({ consecutiveFailureThreshold: 3 });
      const api = axios.create();
      const early = when === 'before' ? mockOf(api) : undefined;
      addCircuitBreaker(api, breaker);
      const mock = early ?? mockOf(api);
      return { api, mock, breaker, outcomes: outcomesOf(breaker) };
    };

    test(`installed ${when} the breaker answers, and its answers count`, async () => {
      const { api, mock, breaker, outcomes } = setUp();
      mock.onGet(URL_OF_NOTHING).replyOnce(200, ['Ada']).onGet(URL_OF_NOTHING).replyOnce(503);
      mock.onGet(URL_OF_NOTHING).networkErrorOnce().onGet(URL_OF_NOTHING).timeoutOnce();

      expect((await api.get(URL_OF_NOTHING)).data).toEqual(['Ada']);
      for (let call = 0; call < 3; call++) await errorOf(api.get(URL_OF_NOTHING));
      expect(isCallNotPermitted(await errorOf(api.get(URL_OF_NOTHING)))).toBe(true);

      expect(outcomes).toEqual([
        'success 200',
        'failure 503',
        'failure network',
        'failure response-timeout',
        'closed to open',
        'refused open',
      ]);
      expect(mock.history.get).toHaveLength(4);
      expect(callsInFlight(breaker)).toEqual([0]);
    });

    test(`installed ${when} the breaker hands on to a server, which counts once`, async () => {
      await using server = await startServer(status(503));
      const { api, mock, outcomes } = setUp();
      mock.onAny().passThrough();

      expect(await errorOf(api.get(server.url))).toMatchObject({ status: 503 });

      expect(outcomes).toEqual(['failure 503']);
      expect(server.requests).toHaveLength(1);
    });
  }
});

describe('axios-cache-interceptor, installed before the breaker,', () => {
  const setUp = async (
    answer: Answer,
    {
      options = {},
      cache = {},
      before = () => {},
    }: {
      readonly options?: AddCircuitBreakerOptions<FallbackOn>;
      readonly cache?: Parameters<typeof setupCache>[1];
      readonly before?: (api: AxiosInstance) => unknown;
    } = {},
  ) => {
    const server = await startServer(answer);
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 });
    const instance = axios.create({ baseURL: server.url });
    before(instance);
    const api = addCircuitBreaker(setupCache(instance, cache), breaker, options);
    const dispose = () => server[Symbol.asyncDispose]();
    return { api, server, breaker, outcomes: outcomesOf(breaker), [Symbol.asyncDispose]: dispose };
  };

  test('answers without the breaker being asked, while it is open too', async () => {
    await using it = await setUp(status(200, '["Ada"]'));
    await it.api.get('/users');
    it.server.answer = status(503);
    await errorOf(it.api.delete('/users'));
    await errorOf(it.api.get('/users', { cache: false }));

    const cached = await it.api.get('/users');

    expect([cached.data, cached.cached]).toEqual([['Ada'], true]);
    expect(it.outcomes).toEqual([
      'success 200',
      'failure 503',
      'closed to open',
      'failure 503',
      'closed to open',
    ]);
  });

  test('gets every refusal, and no call waits for one that was refused', async () => {
    await using it = await setUp(status(503));
    await errorOf(it.api.get('/users'));

    for (let call = 0; call < 3; call++) {
      expect(isCallNotPermitted(await errorOf(it.api.get('/users')))).toBe(true);
    }
    const together = [errorOf(it.api.get('/users')), errorOf(it.api.get('/users'))];
    expect((await Promise.all(together)).every(isCallNotPermitted)).toBe(true);

    expect(it.server.requests).toHaveLength(1);
  });

  test('does not make axios-retry repeat a refusal', async () => {
    const retryDelay = vi.fn<() => number>(() => 0);
    const onMaxRetryTimesExceeded = vi.fn<() => void>();
    await using it = await setUp(status(503), {
      before: (api) =>
        axiosRetry(api, {
          retries: 3,
          retryCondition: () => true,
          retryDelay,
          onMaxRetryTimesExceeded,
        }),
    });
    await errorOf(it.api.get('/users', { 'axios-retry': { retries: 0 } }));
    onMaxRetryTimesExceeded.mockClear();

    const call = it.api.get('/users', { 'axios-retry': { shouldResetTimeout: true } });
    const error = (await errorOf(call)) as AxiosError;

    expect(isCallNotPermitted(error)).toBe(true);
    expect(error.config).toMatchObject({
      url: '/users',
      'axios-retry': { shouldResetTimeout: true },
    });
    expect(retryDelay).not.toHaveBeenCalled();
    expect(onMaxRetryTimesExceeded).not.toHaveBeenCalled();
    expect(it.outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
  });

  test('stores no answer of a fallback where its responseMatch leaves them out', async () => {
    const responseMatch = (response: unknown): boolean => !isDegraded(response);
    const fallback = () => ({ data: 'stored elsewhere' });
    await using it = await setUp(status(503), {
      options: { fallback },
      cache: { cachePredicate: { responseMatch } },
    });
    await errorOf(it.api.get('/users'));

    const answers = [await it.api.get('/users'), await it.api.get('/users')];

    expect(answers.map(({ data }) => data)).toEqual(['stored elsewhere', 'stored elsewhere']);
    expect(answers.every(isDegraded)).toBe(true);
    expect(it.outcomes.slice(2)).toEqual(['refused open', 'refused open']);
  });

  test('answers with what is stale, in the place of a refusal, where it is told to', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await using it = await setUp(status(200, '["Ada"]', { etag: '1' }), {
        cache: { ttl: 1000, interpretHeader: false, staleIfError: () => true },
      });
      await it.api.get('/users');
      vi.setSystemTime(Date.now() + 2000);
      it.breaker.control('*').forceOpen({ reason: 'maintenance' });

      const { data, stale } = await it.api.get('/users');

      expect([data, stale]).toEqual([['Ada'], true]);
      expect(it.server.requests).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

const inOrder = { transitional: { legacyInterceptorReqResOrdering: false } };

test.for<[name: string, make: (baseURL: string, breaker: HttpCircuitBreaker) => AxiosInstance]>([
  [
    'after the breaker',
    (baseURL, breaker) => setupCache(addCircuitBreaker(axios.create({ baseURL }), breaker)),
  ],
  [
    'before the breaker, with interceptors in the order in which they came,',
    (baseURL, breaker) =>
      addCircuitBreaker(setupCache(axios.create({ baseURL, ...inOrder })), breaker),
  ],
])('axios-cache-interceptor, installed %s has its hits counted and refused', async ([, make]) => {
  await using server = await startServer(status(200, '["Ada"]'));
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const api = make(server.url, breaker);

  await api.get('/users');
  await api.get('/users');
  breaker.control('*').forceOpen({ reason: 'maintenance' });

  expect(isCallNotPermitted(await errorOf(api.get('/users')))).toBe(true);
  expect(outcomes.slice(0, 2)).toEqual(['success 200', 'success 200']);
  expect(server.requests).toHaveLength(1);
});
