import { endpointBreaker } from '@recloser/test-support/outcomes';
import { startServer, status } from '@recloser/test-support/server';
import axios, { AxiosError, type AxiosRequestConfig } from 'axios';
import { describe, expect, test, vi } from 'vitest';
import { addCircuitBreaker, HttpCircuitBreaker } from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

/** The keys of the breakers that a request makes. */
async function keysOf(
  request: AxiosRequestConfig & { allowAbsoluteUrls?: boolean },
  defaults: AxiosRequestConfig = {},
): Promise<string[]> {
  const breaker = endpointBreaker();
  const api = addCircuitBreaker(axios.create({ adapter: answering(200), ...defaults }), breaker);
  await api.request(request);
  return breaker.snapshot().breakers.map(({ key }) => key);
}

describe('the key of a request', () => {
  const baseURL = 'http://api.example.com/v1/';

  test.for<[name: string, request: AxiosRequestConfig, key: string]>([
    [
      'has no query',
      { url: 'http://a.example/b?c=d', params: { e: 'f' } },
      'GET http://a.example/b',
    ],
    ['has the method', { url: 'http://a.example/b', method: 'post' }, 'POST http://a.example/b'],
    ['begins with the baseURL', { baseURL, url: '/users' }, 'GET http://api.example.com/v1/users'],
    ['is the baseURL alone', { baseURL }, 'GET http://api.example.com/v1'],
    ['is a URL that is whole', { baseURL, url: 'http://a.example/b' }, 'GET http://a.example/b'],
    [
      'is on localhost for a path of a socket',
      { url: '/containers/json', socketPath: '/var/run/docker.sock' },
      'GET http://localhost/containers/json',
    ],
  ])('%s', async ([, request, key]) => {
    expect(await keysOf(request)).toEqual([key]);
  });

  test('begins with the baseURL where absolute URLs are not allowed', async () => {
    const request = { baseURL, url: 'http://a.example/b', allowAbsoluteUrls: false };

    expect(await keysOf(request)).toEqual(['GET http://api.example.com/v1/http://a.example/b']);
    expect(await keysOf({ url: request.url }, { baseURL, allowAbsoluteUrls: false })).toEqual([
      'GET http://api.example.com/v1/http://a.example/b',
    ]);
  });

  test('is on the page where the URL is relative', async () => {
    vi.stubGlobal('document', { baseURI: 'https://www.example.com/app/' });
    try {
      expect(await keysOf({ url: 'api/users' })).toEqual([
        'GET https://www.example.com/app/api/users',
      ]);
      expect(await keysOf({ baseURL: '/api', url: '/users' })).toEqual([
        'GET https://www.example.com/api/users',
      ]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('costs no serializing of the params', async () => {
    await using server = await startServer(status(200));
    const serialize = vi.fn<() => string>(() => 'a=b');
    const api = addCircuitBreaker(axios.create({ baseURL: server.url, params: { a: 'b' } }));

    await api.get('/users', { paramsSerializer: { serialize } });

    expect(serialize).toHaveBeenCalledTimes(1);
    expect(server.requests).toEqual(['GET /users?a=b']);
  });
});

describe('a partition or key function', () => {
  test('gets the config as it is sent', async () => {
    const breaker = new HttpCircuitBreaker({
      level: 'endpoint',
      partition: ({ original }) => (original as AxiosRequestConfig).headers!['x-tenant'] as string,
    });
    const api = addCircuitBreaker(axios.create({ adapter: answering(200) }), breaker);
    api.interceptors.request.use((config) => {
      config.headers.set('x-tenant', 'acme');
      return config;
    });

    await api.get('http://a.example/b');

    expect(breaker.snapshot().breakers).toMatchObject([{ key: 'GET http://a.example/b [acme]' }]);
  });
});

describe('what can not be sent', () => {
  test.for(['http:/a.example', 'ftp://a.example', 'http://['])(
    '%s counts nowhere, and axios says why',
    async (url) => {
      const breaker = endpointBreaker();
      const bare = await errorOf(axios.create({ baseURL: url }).get('x'));
      const api = addCircuitBreaker(axios.create({ baseURL: url }), breaker);

      const error = (await errorOf(api.get('x'))) as AxiosError;

      expect(error).toBeInstanceOf(Error);
      expect([error.code, error.message]).toEqual([
        (bare as AxiosError).code,
        (bare as AxiosError).message,
      ]);
      expect(breaker.snapshot()).toMatchObject({ breakers: [] });
    },
  );

  test('a data URL is read without a breaker', async () => {
    const breaker = endpointBreaker();
    const api = addCircuitBreaker(axios.create(), breaker);

    const { data } = await api.get('data:text/plain,hello', { responseType: 'text' });

    expect(data).toBe('hello');
    expect(breaker.snapshot()).toMatchObject({ breakers: [] });
  });

  test('an adapter that is not known is told of by axios', async () => {
    const breaker = endpointBreaker();
    const api = addCircuitBreaker(axios.create({ adapter: 'telnet' }), breaker);

    await expect(api.get('http://a.example')).rejects.toThrow("Unknown adapter 'telnet'");
    expect(breaker.snapshot().breakers).toEqual([]);
  });
});
