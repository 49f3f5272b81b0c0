import { addCircuitBreaker } from '@recloser/axios';
import { HttpCircuitBreaker } from '@recloser/core';
import { wrapFetch } from '@recloser/fetch';
import { circuitBreaker as forGot } from '@recloser/got';
import { circuitBreaker as forKy } from '@recloser/ky';
import { startServer } from '@recloser/test-support/server';
import { circuitBreakerInterceptor } from '@recloser/undici';
import axios, { type AxiosResponse } from 'axios';
import got from 'got';
import ky from 'ky';
import { expect, test } from 'vitest';
import { Agent, request } from 'undici';

/** Makes a guarded call, which answers with the key of its response; hands over the fallback's. */
type Client = (
  breaker: HttpCircuitBreaker,
  base: string,
  fallbackKey: (key: string) => void,
) => () => Promise<string>;

const path = '/items?name=a%20b';

const clients: Readonly<Record<string, Client>> = {
  fetch: (breaker, base, fallbackKey) => {
    const fallback = (_: unknown, { url }: { url: string }): Response => {
      fallbackKey(url);
      return Response.json([]);
    };
    const guardedFetch = wrapFetch(fetch, breaker, { fallback });
    const input = `${base}${path}#first`;
    return async () => {
      await guardedFetch(input);
      return new Request(input).url;
    };
  },
  axios: (breaker, base, fallbackKey) => {
    const api = addCircuitBreaker(axios.create({ baseURL: base }), breaker, {
      fallback: (_, { config }) => {
        fallbackKey(axios.getUri(config));
        return { data: [] };
      },
    });
    return async () => {
      const { config }: AxiosResponse = await api.get('/items', { params: { name: 'a b' } });
      return axios.getUri(config);
    };
  },
  got: (breaker, base, fallbackKey) => {
    const fallback = (_: unknown, { url }: { url: string }): { body: string } => {
      fallbackKey(url);
      return { body: '' };
    };
    const api = got.extend(forGot(breaker, { fallback }));
    return async () => (await api(base + path)).requestUrl.href;
  },
  ky: (breaker, base, fallbackKey) => {
    const fallback = (_: unknown, { url }: { url: string }): Response => {
      fallbackKey(url);
      return Response.json([]);
    };
    const api = ky.extend(forKy(breaker, { fallback }));
    return async () => {
      const { url } = await api(base + path);
      return url;
    };
  },
  undici: (breaker, base, fallbackKey) => {
    const fallback = (_: unknown, { url }: { url: string }): { body: string } => {
      fallbackKey(url);
      return { body: '' };
    };
    const dispatcher = new Agent().compose(circuitBreakerInterceptor(breaker, { fallback }));
    return async () => {
      const { body } = await request(base + path, { dispatcher });
      await body.dump();
      return new URL(path, base).href;
    };
  },
};

test.each(Object.keys(clients))(
  'a good response of %s has the key that the fallback is given, as the page says',
  async (name) => {
    await using server = await startServer((_, response) => void response.end());
    const breaker = new HttpCircuitBreaker();
    const fallbackKeys: string[] = [];
    const call = clients[name]!(breaker, server.url, (key) => fallbackKeys.push(key));
    const key = await call();
    breaker.control('*').forceOpen({ reason: 'to ask the fallback' });
    await call();

    expect(fallbackKeys).toEqual([key]);
  },
);
