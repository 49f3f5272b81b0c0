import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { hang, startServer, status } from '@recloser/test-support/server';
import axios, { AxiosError, AxiosHeaders, type AxiosInstance, type AxiosResponse } from 'axios';
import axiosRetry from 'axios-retry';
import { describe, expect, test, vi } from 'vitest';
import {
  addCircuitBreaker,
  CallNotPermittedError,
  getDegradation,
  isCallNotPermitted,
  isDegraded,
  type AddCircuitBreakerOptions,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

type Fallback = NonNullable<AddCircuitBreakerOptions['fallback']>;

const URL_OF_NOTHING = 'http://api.example.com/users';

/** An instance whose breaker refuses every call. */
function refusing(fallback: Fallback, config: object = {}): AxiosInstance {
  const api = axios.create({ adapter: answering(200), ...config });
  return addCircuitBreaker(api, endpointBreaker({ initialState: 'open' }), { fallback });
}

describe('a fallback for refusals', () => {
  test('gets the refusal and the request', async () => {
    const fallback = vi.fn<Fallback>(() => ({ data: [] }));
    const api = refusing(fallback, { baseURL: 'http://api.example.com' });

    await api.post('/users', { name: 'Ada' }, { params: { dry: true } });

    const [refusal, request] = fallback.mock.calls[0]!;
    expect(refusal).toBeInstanceOf(CallNotPermittedError);
    expect(request).toMatchObject({
      method: 'POST',
      url: URL_OF_NOTHING,
      config: { url: '/users', data: '{"name":"Ada"}', params: { dry: true } },
    });
  });

  test('gives a whole response, whatever it leaves out', async () => {
    const api = refusing(() => ({ data: { users: [] } }));

    const response = await api.get(URL_OF_NOTHING, { headers: { 'x-tenant': 'acme' } });

    expect(response).toMatchObject({ status: 200, statusText: '', data: { users: [] } });
    expect(response.headers).toBeInstanceOf(AxiosHeaders);
    expect(response.config).toMatchObject({ url: URL_OF_NOTHING });
    expect(response.config.headers.get('x-tenant')).toBe('acme');
    expect(isDegraded(response)).toBe(true);
    expect(isCallNotPermitted(getDegradation(response)?.cause)).toBe(true);
  });

  test('gives what it says itself', async () => {
    const api = refusing(async () => ({
      data: 'stale',
      status: 203,
      statusText: 'Non-Authoritative Information',
      headers: { age: '3600' },
    }));

    const response = await api.get(URL_OF_NOTHING);

    expect(response).toMatchObject({
      data: 'stale',
      status: 203,
      statusText: 'Non-Authoritative Information',
    });
    expect((response.headers as AxiosHeaders).get('Age')).toBe('3600');
  });

  test('may give one object again and again, frozen too', async () => {
    const stored = Object.freeze({ data: Object.freeze(['stored']) });
    const api = refusing(() => stored);

    const responses = [await api.get(URL_OF_NOTHING), await api.get(`${URL_OF_NOTHING}?page=2`)];

    expect(responses.map(({ config }) => config.url)).toEqual([
      URL_OF_NOTHING,
      `${URL_OF_NOTHING}?page=2`,
    ]);
    expect(responses.every(isDegraded)).toBe(true);
    expect(isDegraded(stored)).toBe(false);
  });

  test('may ask another instance', async () => {
    const backup = axios.create({ adapter: answering(200), responseType: 'text' });
    const api = refusing(() => backup.get('http://backup.example.com/users'));

    const response = await api.get(URL_OF_NOTHING);

    expect(response.data).toBe('body of 200');
    expect(response.config.url).toBe('http://backup.example.com/users');
    expect(isDegraded(response)).toBe(true);
  });

  test('gives data that transformResponse has no part in', async () => {
    const transformResponse = [(text: string) => JSON.parse(text)];
    const api = refusing(() => ({ data: '{"not":"parsed"}' }), { transformResponse });

    const { data, config } = await api.get(URL_OF_NOTHING);

    expect(data).toBe('{"not":"parsed"}');
    expect(config.transformResponse).toEqual(transformResponse);
  });

  test('gives what the response interceptors of others see', async () => {
    const api = refusing(() => ({ data: { users: ['stored'] } }));
    api.interceptors.response.use((response) => response.data.users);

    expect(await api.get(URL_OF_NOTHING)).toEqual(['stored']);
  });

  test('that throws gives the caller its error, or the refusal as axios has it', async () => {
    const noStore = new Error('nothing stored');
    const throws = refusing(() => Promise.reject(noStore));
    const gives = refusing((refusal) => Promise.reject(refusal));

    expect(await errorOf(throws.get(URL_OF_NOTHING))).toBe(noStore);
    const refusal = await errorOf(gives.get(URL_OF_NOTHING));

    expect(refusal).toBeInstanceOf(AxiosError);
    expect(isCallNotPermitted(refusal)).toBe(true);
  });

  test('is not asked about failures', async () => {
    const fallback = vi.fn<Fallback>();
    const api = addCircuitBreaker(axios.create({ adapter: answering(503) }), {}, { fallback });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect(fallback).not.toHaveBeenCalled();
  });
});

/** Whose fallback answers failures, too. */
function setUp({
  statuses,
  fallback = () => ({ data: 'stored' }),
  before = () => {},
  after = () => {},
}: {
  readonly statuses: readonly number[];
  readonly fallback?: Fallback;
  readonly before?: (api: AxiosInstance) => unknown;
  readonly after?: (api: AxiosInstance) => unknown;
}) {
  const asked = vi.fn<Fallback>(fallback);
  const breaker = endpointBreaker();
  const api = axios.create({ adapter: answering(...statuses) });
  before(api);
  addCircuitBreaker(api, breaker, { fallback: asked, fallbackOn: 'failure' });
  after(api);
  return { api, asked, outcomes: outcomesOf(breaker) };
}

const retries = (api: AxiosInstance): unknown =>
  axiosRetry(api, { retries: 2, retryDelay: () => 0 });

describe('a fallback for failures', () => {
  test('answers an error, which it is given', async () => {
    const { api, asked, outcomes } = setUp({ statuses: [503] });

    const response = await api.get(URL_OF_NOTHING);

    expect(response).toMatchObject({ data: 'stored', config: { url: URL_OF_NOTHING } });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(asked.mock.calls[0]![0]).toBeInstanceOf(AxiosError);
    expect(getDegradation(response)?.cause).toBe(asked.mock.calls[0]![0]);
    expect(outcomes).toEqual(['failure 503']);
  });

  test('answers a response that validateStatus takes, unless it gives that back', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      fallback: (cause, { method }) =>
        method === 'GET' ? { data: 'stored' } : (cause as AxiosResponse),
    });

    const answered = await api.get(URL_OF_NOTHING, { validateStatus: null });
    const left = await api.post(URL_OF_NOTHING, {}, { validateStatus: null });

    expect(asked.mock.calls[0]![0]).toMatchObject({ status: 503 });
    expect([answered.status, isDegraded(answered)]).toEqual([200, true]);
    expect([left.status, isDegraded(left)]).toEqual([503, false]);
  });

  test('leaves successes, what the rules ignore and callers that leave alone', async () => {
    await using server = await startServer(status(200, 'longer than allowed'));
    const { api, asked, outcomes } = setUp({ statuses: [200, 404] });
    const controller = new AbortController();
    const byHttp = { adapter: 'http', signal: controller.signal };

    await api.get(URL_OF_NOTHING);
    await errorOf(api.get(URL_OF_NOTHING));
    await errorOf(api.get(server.url, { ...byHttp, maxContentLength: 5 }));
    server.answer = hang;
    const left = errorOf(api.get(server.url, byHttp));
    await server.arrival();
    controller.abort();
    await left;

    expect(outcomes).toEqual(['success 200', 'success 404', 'ignored local', 'ignored cancel']);
    expect(asked).not.toHaveBeenCalled();
  });

  test('answers after the last retry, with axios-retry installed before', async () => {
    const { api, asked, outcomes } = setUp({ statuses: [503, 502, 500], before: retries });

    const { data } = await api.get(URL_OF_NOTHING);

    expect(data).toBe('stored');
    expect(asked.mock.calls.map(([cause]) => (cause as AxiosError).status)).toEqual([500]);
    expect(outcomes).toEqual(['failure 503', 'failure 502', 'failure 500']);
  });

  test('is not asked where a retry succeeds', async () => {
    const { api, asked } = setUp({ statuses: [503, 503, 200], before: retries });

    expect((await api.get(URL_OF_NOTHING)).data).toBe('body of 200');
    expect(asked).not.toHaveBeenCalled();
  });

  test('answers the first failure with axios-retry installed after', async () => {
    const { api, outcomes } = setUp({ statuses: [503], after: retries });

    expect((await api.get(URL_OF_NOTHING)).data).toBe('stored');
    expect(outcomes).toEqual(['failure 503']);
  });

  test('that throws what it was given is asked once, retries or not', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      before: retries,
      fallback: (cause) => {
        throw cause;
      },
    });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('that throws gives the caller its error', async () => {
    const noStore = new Error('nothing stored');
    const { api } = setUp({ statuses: [503], fallback: () => Promise.reject(noStore) });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toBe(noStore);
  });

  test('answers an error that another interceptor wrapped, and the refusal inside', async () => {
    const wraps = (api: AxiosInstance): unknown =>
      api.interceptors.response.use(null, (cause) => {
        throw new Error('users are not available', { cause });
      });
    const { api, asked } = setUp({ statuses: [503], before: wraps });

    expect((await api.get(URL_OF_NOTHING)).data).toBe('stored');
    expect(asked.mock.calls[0]![0]).toMatchObject({ message: 'users are not available' });
  });

  test('is seen by the interceptors that were installed after', async () => {
    const unwraps = (api: AxiosInstance): unknown =>
      api.interceptors.response.use(({ data }) => data);
    const { api } = setUp({ statuses: [503], after: unwraps });

    expect(await api.get(URL_OF_NOTHING)).toBe('stored');
  });

  test('is asked by each call for itself, of many at once', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      fallback: (_, { url }) => ({ data: new URL(url).pathname }),
    });

    const calls = ['/a', '/b', '/c'].map((path) => api.get(`http://api.example.com${path}`));

    expect((await Promise.all(calls)).map(({ data }) => data)).toEqual(['/a', '/b', '/c']);
    expect(asked).toHaveBeenCalledTimes(3);
  });
});
