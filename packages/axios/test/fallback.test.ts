import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import axios, { AxiosError, AxiosHeaders, type AxiosInstance } from 'axios';
import axiosRetry from 'axios-retry';
import { describe, expect, test, vi } from 'vitest';
import {
  addCircuitBreaker,
  CallNotPermittedError,
  getDegradation,
  HttpCircuitBreaker,
  isCallNotPermitted,
  isDegraded,
  type FallbackOn,
  type AddCircuitBreakerOptions,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

type Fallback = NonNullable<AddCircuitBreakerOptions<FallbackOn>['fallback']>;

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
      request: 'of the store',
    }));

    const response = await api.get(URL_OF_NOTHING);

    expect(response).toMatchObject({
      data: 'stale',
      status: 203,
      statusText: 'Non-Authoritative Information',
      request: 'of the store',
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

  test('that gives the refusal back leaves it as it is', async () => {
    const api = refusing((refusal) => refusal as never);

    const refusal = await errorOf(api.get(URL_OF_NOTHING));

    expect(refusal).toBeInstanceOf(AxiosError);
    expect(isCallNotPermitted(refusal)).toBe(true);
  });

  test.for([
    ['nothing', undefined, 'undefined'],
    ['no response', 'stored', "'stored'"],
    ['an error', new Error('nothing stored'), 'an Error'],
    ['a list', [1], 'a list without it'],
    ['the data itself', { price: 1 }, 'an object without it'],
    ['a response of fetch', new Response('stored'), 'a Response without it'],
  ] as const)('that gives %s is named in an error', async ([, given, shown]) => {
    const api = refusing(() => given as never);

    await expect(api.get(URL_OF_NOTHING)).rejects.toThrow(
      new TypeError(
        `addCircuitBreaker: fallback must give a response, as { data } is one, but gave ${shown}`,
      ),
    );
  });

  test.for([
    ['undefined', { data: undefined }],
    ['inherited', Object.create({ data: undefined }) as { data: undefined }],
  ] as const)('may give data that is %s', async ([, answer]) => {
    const response = await refusing(() => answer).get(URL_OF_NOTHING);

    expect(response.data).toBeUndefined();
    expect(isDegraded(response)).toBe(true);
  });

  test('is not asked about failures', async () => {
    const fallback = vi.fn<Fallback>();
    const api = addCircuitBreaker(axios.create({ adapter: answering(503) }), {}, { fallback });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect(fallback).not.toHaveBeenCalled();
  });
});

describe('a fallback that sends the config that it was given', () => {
  test('by an instance without a breaker, is not asked again', async () => {
    const backup = axios.create();
    const baseURL = 'http://backup.example.com';
    const fallback = vi.fn<Fallback>((_, { config }) => backup.request({ ...config, baseURL }));
    const breaker = new HttpCircuitBreaker({ level: 'host', breaker: { initialState: 'open' } });
    const outcomes = outcomesOf(breaker);
    const adapter = answering(200);
    const api = addCircuitBreaker(axios.create({ adapter }), breaker, { fallback });

    const error = await errorOf(api.get('/users', { baseURL: 'http://api.example.com' }));

    expect(isCallNotPermitted(error)).toBe(true);
    expect(fallback).toHaveBeenCalledTimes(1);
    expect(outcomes).toEqual(['refused open', 'refused open']);
    expect(adapter.calls).toBe(0);
  });

  test('by the same instance, is not asked again, be it about a refusal or a failure', async () => {
    const api = axios.create({ adapter: answering(503) });
    const fallback = vi.fn<Fallback>((_, { config }) => api.request({ ...config, method: 'put' }));
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 2 });
    const outcomes = outcomesOf(breaker);
    addCircuitBreaker(api, breaker, { fallback, fallbackOn: 'failure' });

    for (let call = 0; call < 3; call++) await errorOf(api.get(URL_OF_NOTHING));

    expect(fallback).toHaveBeenCalledTimes(3);
    expect(outcomes).toEqual([
      'failure 503',
      'failure 503',
      'failure 503',
      'closed to open',
      'failure 503',
      'closed to open',
      'refused open',
      'refused open',
    ]);
  });

  test('gets what the breaker admits as it comes', async () => {
    const transformResponse = [(text: string) => text.toUpperCase()];
    const api = addCircuitBreaker(
      axios.create({ adapter: answering(200), transformResponse }),
      endpointBreaker({}, { overrides: [{ method: 'GET', breaker: { initialState: 'open' } }] }),
      { fallback: (_, { config }) => axios.request({ ...config, method: 'post' }) },
    );

    expect((await api.get(URL_OF_NOTHING)).data).toBe('BODY OF 200');
  });
});

describe('a fallback whose own request fails leaves nothing to axios-retry', () => {
  const cases = (['refusal', 'failure'] as const).flatMap((fallbackOn) =>
    (['before', 'after'] as const).map((when) => [fallbackOn, when] as const),
  );

  test.for(cases)('(%s, registered %s the breaker)', async ([fallbackOn, when]) => {
    const backup = answering(503);
    const fallback = vi.fn<Fallback>(() =>
      axios.get('http://backup.example.com/users', { adapter: backup }),
    );
    const initialState = fallbackOn === 'refusal' ? 'open' : 'closed';
    const api = axios.create({ adapter: answering(503) });
    if (when === 'before') axiosRetry(api, { retries: 2, retryCondition: () => true });
    addCircuitBreaker(api, endpointBreaker({ initialState }), { fallback, fallbackOn });
    if (when === 'after') axiosRetry(api, { retries: 2, retryCondition: () => true });

    const error = (await errorOf(api.get(URL_OF_NOTHING))) as AxiosError;

    expect(error.config).toMatchObject({ url: 'http://backup.example.com/users' });
    expect(fallback).toHaveBeenCalledTimes(1);
    expect(backup.calls).toBe(1);
  });
});
