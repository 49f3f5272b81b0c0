import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { startServer, status } from '@recloser/test-support/server';
import axios, { AxiosError, isAxiosError, type AxiosInstance } from 'axios';
import axiosRetry from 'axios-retry';
import { describe, expect, test, vi } from 'vitest';
import {
  addCircuitBreaker,
  CallNotPermittedError,
  errorKind,
  getCallNotPermitted,
  isCallNotPermitted,
  type HttpCircuitBreaker,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

const URL_OF_NOTHING = 'http://api.example.com/users';

function openBreaker(): HttpCircuitBreaker {
  return endpointBreaker({ initialState: 'open' });
}

describe('a refusal', () => {
  test('is an error of axios with the refusal as its cause', async () => {
    const adapter = answering(200);
    const api = addCircuitBreaker(axios.create({ adapter }), openBreaker());

    const error = (await errorOf(api.get(URL_OF_NOTHING))) as AxiosError;

    expect(isAxiosError(error)).toBe(true);
    expect(error).toBeInstanceOf(AxiosError);
    expect(error.code).toBe('ERR_CALL_NOT_PERMITTED');
    expect(error.message).toBe(
      `Circuit breaker 'GET ${URL_OF_NOTHING}' is open: the call was not made; try again in ${getCallNotPermitted(error)!.retryAfterMs} ms`,
    );
    expect(error.cause).toBeInstanceOf(CallNotPermittedError);
    expect(isCallNotPermitted(error)).toBe(true);
    expect(errorKind(error).kind).toBe('not-permitted');
    expect(adapter.calls).toBe(0);
  });

  test('has no config, request or response, and can be written as JSON', async () => {
    const api = addCircuitBreaker(axios.create({ adapter: answering(200) }), openBreaker());

    const error = (await errorOf(api.get(URL_OF_NOTHING))) as AxiosError;

    const others = [
      errorOf(api.get(URL_OF_NOTHING, { id: 1 } as object)),
      errorOf(api.get(URL_OF_NOTHING, { cache: 'no-store' } as object)),
    ];

    for (const other of await Promise.all(others)) expect(other).not.toHaveProperty('config');
    expect(Object.keys(error)).not.toContain('cause');
    for (const name of ['config', 'request', 'response', 'status']) {
      expect(error).not.toHaveProperty(name);
    }
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'ERR_CALL_NOT_PERMITTED' });
  });

  test('can not be turned into a request by the interceptors of others', async () => {
    await using server = await startServer(status(200));
    const api = axios.create();
    const rejected = vi.fn<() => object>(() => ({ url: server.url, method: 'get' }));
    const revive = (): unknown => api.interceptors.request.use(null, rejected as never);
    revive();
    addCircuitBreaker(api, openBreaker());
    revive();

    expect(isCallNotPermitted(await errorOf(api.get(server.url)))).toBe(true);
    expect(rejected).not.toHaveBeenCalled();
    expect(server.requests).toEqual([]);
  });
});

describe('axios-retry never repeats a refusal', () => {
  const retry = (api: AxiosInstance): { readonly delays: number[] } => {
    const delays: number[] = [];
    axiosRetry(api, {
      retries: 3,
      retryCondition: () => true,
      retryDelay(count) {
        delays.push(count);
        return 0;
      },
    });
    return { delays };
  };

  test.for(['before', 'after'] as const)('registered %s the breaker', async (when) => {
    await using server = await startServer(status(200));
    const api = axios.create();
    const breaker = openBreaker();
    const outcomes = outcomesOf(breaker);
    const before = when === 'before' ? retry(api) : undefined;
    addCircuitBreaker(api, breaker);
    const { delays } = before ?? retry(api);

    for (const method of ['get', 'post'] as const) {
      expect(isCallNotPermitted(await errorOf(api[method](server.url)))).toBe(true);
    }

    expect(outcomes).toEqual(['refused open', 'refused open']);
    expect(delays).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test.for(['before', 'after'] as const)(
    'registered %s the breaker, when that opens between two attempts',
    async (when) => {
      await using server = await startServer(status(503));
      const api = axios.create();
      const breaker = endpointBreaker({ consecutiveFailureThreshold: 2 });
      const outcomes = outcomesOf(breaker);
      const before = when === 'before' ? retry(api) : undefined;
      addCircuitBreaker(api, breaker);
      const { delays } = before ?? retry(api);

      expect(isCallNotPermitted(await errorOf(api.get(server.url)))).toBe(true);

      expect(outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
      expect(delays).toEqual([1, 2]);
      expect(server.requests).toHaveLength(2);
    },
  );
});
