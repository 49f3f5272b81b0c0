import { addCircuitBreaker, isCallNotPermitted, removeCircuitBreaker } from '@recloser/axios';
import { wrapGlobalFetch } from '@recloser/fetch';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { HalfBody, startServer, status } from '@recloser/test-support/server';
import axios, { type AxiosStatic } from 'axios';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { axiosDrivers } from './drivers/axios.ts';
import { testAdapter } from './test-adapter.ts';

for (const driver of axiosDrivers) testAdapter(driver);

test('axios, by its fetch adapter over a global fetch behind the same breaker, counts once', async () => {
  await using server = await startServer(status(200));
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const restore = wrapGlobalFetch(breaker);
  try {
    const api = addCircuitBreaker(axios.create({ adapter: 'fetch' }), breaker);

    await api.get(server.url);
    await api.post(server.url, { name: 'Ada' });
  } finally {
    restore();
  }

  expect(outcomes).toEqual(['success 200', 'success 200']);
});

test('axios streams a 204 by its fetch adapter, but for 1.7.0, which so is not held to the contract', async () => {
  await using server = await startServer(status(204));

  const call = axios.get(server.url, { adapter: 'fetch', responseType: 'stream' });
  const ended = await call.then(
    () => 'resolves',
    () => 'rejects',
  );

  expect(ended).toBe(process.env['CLIENTS'] === 'floor' ? 'rejects' : 'resolves');
});

test('axios keeps an interceptor that came after all were cleared away', async () => {
  await using server = await startServer(status(200));
  const breaker = endpointBreaker({ initialState: 'open' });
  const api = addCircuitBreaker(axios.create(), breaker);
  api.interceptors.request.clear();
  api.interceptors.request.use((config) => ({ ...config, url: `${config.url}/users` }));

  removeCircuitBreaker(api);
  await api.get(server.url);
  addCircuitBreaker(api, breaker);
  const refusal: unknown = await api.get(server.url).catch((error: unknown) => error);

  expect(isCallNotPermitted(refusal)).toBe(true);
  expect(server.requests).toEqual(['GET /users']);
});

test('axios answers a failure whose data is no JSON by the fallback, where that is an error', async () => {
  await using server = await startServer(status(503, '<html>'));
  const api = addCircuitBreaker(axios.create(), undefined, {
    fallback: () => ({ data: 'stored' }),
    fallbackOn: 'failure',
  });

  const { data } = await api.get(server.url, {
    responseType: 'json',
    transitional: { silentJSONParsing: false },
  });

  expect(data).toBe('stored');
});

test('axios guards a config that can not be written', async () => {
  await using server = await startServer(status(200));
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const api = addCircuitBreaker(axios.create(), breaker);
  api.interceptors.request.use((config) => {
    const validateStatus = { get: () => () => true, enumerable: true };
    return Object.defineProperty({ ...config }, 'validateStatus', validateStatus);
  });

  await api.get(server.url);
  await api.get(server.url);

  expect(outcomes).toEqual(['success 200', 'success 200']);
});

test.for(['http', 'fetch'])(
  'an instance of another version of axios sends by it (%s)',
  async (adapter) => {
    await using server = await startServer((request, response) => {
      response.writeHead(503).end(request.headers['user-agent']);
    });
    const another = createRequire(import.meta.url)('axios-1.7') as AxiosStatic;
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const bare = another.create({ adapter });
    const api = addCircuitBreaker(another.create({ adapter }), breaker);

    const [expected, error] = await Promise.all(
      [bare, api].map((instance) => instance.get(server.url).catch((failure: unknown) => failure)),
    );

    expect(error).toBeInstanceOf(another.AxiosError);
    expect(error).toMatchObject({
      response: { data: (expected as { response: { data: string } }).response.data },
    });
    expect(outcomes).toEqual(['failure 503']);
  },
);

test('axios tells a body that was cut from one that is too long, but for 1.7.0', async () => {
  const half = new HalfBody();
  await using server = await startServer(half.answer);
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const api = addCircuitBreaker(axios.create({ maxContentLength: 2000 }), breaker);
  const call = api.get(server.url).catch(() => {});
  await half.sent;

  half.cut();
  await call;

  const isFloor = process.env['CLIENTS'] === 'floor';
  expect(outcomes).toEqual([isFloor ? 'ignored local' : 'failure body']);
});
