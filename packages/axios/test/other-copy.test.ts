import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { hang, resetBeforeHeaders, startServer, status } from '@recloser/test-support/server';
import imported, {
  type AxiosAdapter,
  type AxiosError,
  type AxiosResponse,
  type AxiosStatic,
} from 'axios';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import {
  addCircuitBreaker,
  isCallNotPermitted,
  type FallbackOn,
  type AddCircuitBreakerOptions,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

/** What CommonJS gets, which has classes of its own. */
const required = createRequire(import.meta.url)('axios') as AxiosStatic;

describe.for(['http', 'fetch'] as const)('an instance of another copy of axios (%s)', (adapter) => {
  const setUp = async (
    answer = status(200),
    options: AddCircuitBreakerOptions<FallbackOn> = {},
  ) => {
    const server = await startServer(answer);
    const breaker = endpointBreaker();
    const api = addCircuitBreaker(
      required.create({ adapter, baseURL: server.url }),
      breaker,
      options,
    );
    const dispose = () => server[Symbol.asyncDispose]();
    return { api, server, breaker, outcomes: outcomesOf(breaker), [Symbol.asyncDispose]: dispose };
  };

  test('gives errors of its own classes', async () => {
    await using it = await setUp(status(503));

    const ofStatus = await errorOf(it.api.get('/'));
    it.server.answer = resetBeforeHeaders;
    const ofNetwork = await errorOf(it.api.get('/'));
    it.server.answer = hang;
    const controller = new AbortController();
    const leaving = errorOf(it.api.get('/', { signal: controller.signal }));
    await it.server.arrival();
    controller.abort();
    const cancelled = await leaving;
    it.breaker.control('*').forceOpen({ reason: 'maintenance' });
    const refusal = await errorOf(it.api.get('/'));

    expect(imported.AxiosError).not.toBe(required.AxiosError);
    for (const error of [ofStatus, ofNetwork, cancelled, refusal]) {
      expect(error).toBeInstanceOf(required.AxiosError);
    }
    expect(cancelled).toBeInstanceOf(required.CanceledError);
    expect(isCallNotPermitted(refusal)).toBe(true);
    expect(it.outcomes.filter((outcome) => !outcome.includes(' to '))).toEqual([
      'failure 503',
      'failure reset',
      'ignored cancel',
      'refused forced-open',
    ]);
  });

  test('gives what it would give without a breaker', async () => {
    await using it = await setUp((request, response) => {
      const { method, url, headers } = request;
      const sent = { method, url, type: headers['content-type'], agent: headers['user-agent'] };
      void text(request).then((body) => {
        response
          .writeHead(url === '/404?dry=true' ? 404 : 200)
          .end(JSON.stringify({ ...sent, body }));
      });
    });
    const bare = required.create({ adapter, baseURL: it.server.url });
    const config = {
      params: { dry: true },
      validateStatus: (code: number) => code < 300,
      transformRequest: (data: unknown) => JSON.stringify({ data }),
      transformResponse: (data: string) => `${data}, once`,
    };
    const seen = ({ status: code, data, headers, config: own }: AxiosResponse) => ({
      code,
      data,
      length: headers['content-length'],
      hasOwnHeaders: headers instanceof required.AxiosHeaders,
      keys: Object.keys(own).toSorted(),
      own: [own.validateStatus, own.data, own.transformRequest, own.transformResponse],
    });

    for (const path of ['/200', '/404']) {
      const [expected, given] = await Promise.all(
        [bare, it.api].map((api) =>
          api.post(path, { name: 'Ada' }, config).catch((error: AxiosError) => {
            expect(error.config).toBe(error.response!.config);
            return error.response!;
          }),
        ),
      );
      expect(seen(given!)).toEqual(seen(expected!));
    }
    expect(it.outcomes).toEqual(['success 200', 'success 404']);
    expect(callsInFlight(it.breaker)).toEqual([0]);
  });

  test('keeps away what an interceptor took out of its defaults', async () => {
    await using it = await setUp();
    it.api.defaults.params = { dry: true };
    it.api.interceptors.request.use((config) => {
      delete config.params;
      return config;
    });

    await it.api.get('/users');

    expect(it.server.requests).toEqual(['GET /users']);
  });

  test('streams', async () => {
    await using it = await setUp(status(200, 'streamed'));

    const { data, config } = await it.api.get<Readable>('/', { responseType: 'stream' });

    expect(await text(data)).toBe('streamed');
    expect(config.responseType).toBe('stream');
    expect(it.outcomes).toEqual(['success 200']);
  });

  test('gives what a fallback answers', async () => {
    const fallback = () => ({ data: 'stored' });
    await using it = await setUp(status(503), { fallback, fallbackOn: 'failure' });

    expect((await it.api.get('/')).data).toBe('stored');
    it.breaker.control('*').forceOpen({ reason: 'maintenance' });
    expect((await it.api.get('/')).data).toBe('stored');

    expect(it.server.requests).toHaveLength(1);
  });
});

test('an instance of another copy keeps an adapter of the user, and the class of what has none', async () => {
  const base = answering(503);
  const adapter = vi.fn<AxiosAdapter>(async (config) => base(config));
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const api = addCircuitBreaker(required.create({ adapter }), breaker);

  const error = (await errorOf(api.get('http://api.example.com/'))) as AxiosError;
  const unknown = await errorOf(api.get('http://api.example.com/', { adapter: 'carrier pigeon' }));

  expect(adapter).toHaveBeenCalledTimes(1);
  expect(adapter.mock.calls[0]![0]).toBe(error.config);
  expect(unknown).toBeInstanceOf(required.AxiosError);
  expect(outcomes).toEqual(['failure 503', 'ignored unknown']);
});

test('an instance of the class of another copy is guarded, too', async () => {
  await using server = await startServer(status(200, 'of the class'));
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);

  const response = await addCircuitBreaker(new required.Axios({}), breaker).get(server.url);

  expect(response.data).toBe('of the class');
  expect(outcomes).toEqual(['success 200']);
});
