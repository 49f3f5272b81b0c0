import got, { type OptionsInit, type Response } from 'got';
import { ClientRequest } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startServer, status, type Answer } from '@recloser/test-support/server';
import {
  isCallNotPermitted,
  isDegraded,
  type FallbackOn,
  type GotBreakerOptions,
} from '../src/index.ts';
import { errorOf, guarded, oneRetry, type Guarded } from './guarded.ts';

const url = 'http://localhost:1/';

function refusing(options: GotBreakerOptions<FallbackOn>): Guarded {
  const made = guarded({ options });
  made.breaker.control('*').forceOpen({ reason: 'a test' });
  return made;
}

describe('a fallback that gives', () => {
  test.for(['refusal', 'failure'] as const)(
    'the refusal itself leaves the call as it is, on a %s',
    async (fallbackOn) => {
      const { api } = refusing({ fallbackOn, fallback: (cause) => cause as object });

      const error = await errorOf(api(url));

      expect(error).toMatchObject({ name: 'RequestError', code: 'ERR_CALL_NOT_PERMITTED' });
      expect(isCallNotPermitted(error)).toBe(true);
      expect(isCallNotPermitted(await errorOf(api(url, { cache: new Map() })))).toBe(true);
    },
  );

  test.for<[string, boolean, (cause: unknown) => object | Promise<object>]>([
    ['gives back', false, (cause) => cause as object],
    ['throws', false, (cause) => Promise.reject(cause)],
    ['gives back', true, (cause) => cause as object],
    ['throws', true, (cause) => Promise.reject(cause)],
  ])('or %s what it was given leaves the call as it is (throwHttpErrors: %s)', async (one) => {
    const [, throwHttpErrors, fallback] = one;
    await using server = await startServer(status(503, 'down'));
    const causes: unknown[] = [];
    const { api } = guarded({
      options: {
        fallbackOn: 'failure',
        fallback: (cause) => {
          causes.push(cause);
          return fallback(cause);
        },
      },
    });

    const [ending] = await Promise.allSettled([api(server.url, { throwHttpErrors })]);
    const [text] = await Promise.allSettled([api(server.url, { throwHttpErrors }).text()]);

    if (ending.status === 'fulfilled') {
      expect(ending.value).toBe(causes[0]);
      expect(text).toEqual({ status: 'fulfilled', value: 'down' });
    } else {
      expect(ending.reason).toBe(causes[0]);
      expect(text).toMatchObject({ status: 'rejected', reason: { name: 'HTTPError' } });
    }
    expect(ending.status === 'rejected').toBe(throwHttpErrors);
    expect(isDegraded(causes[0])).toBe(false);
  });

  test("got's error itself leaves the call as it is", async () => {
    await using server = await startServer(status(503));
    const { api } = guarded({
      options: { fallbackOn: 'failure', fallback: (cause) => cause as object },
    });

    const error = await errorOf(api(server.url));

    expect(error).toMatchObject({ name: 'HTTPError' });
    expect(isDegraded(error)).toBe(false);
  });

  test.for([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'stored'],
    ['a list', [1]],
    ['a stream', { body: Readable.from(['stored']) }],
    ['an empty object', {}],
    ['the data itself', { price: 1 }],
    ['what axios takes', { data: 1 }],
    ['a Map', new Map()],
  ])('%s ends in an error that says so, and has the refusal', async ([, answer]) => {
    const { api } = refusing({ fallback: () => answer as object });

    const error = await errorOf(api(url));

    expect(String(error)).toContain('The fallback must');
    expect(isCallNotPermitted(error)).toBe(true);
  });

  test('a status under another name ends in an error that has the name', async () => {
    const { api } = refusing({ fallback: () => ({ status: 503 }) as never });

    expect(String(await errorOf(api(url)))).toContain(
      "but gave a 'status'; did you mean 'statusCode'?",
    );
  });

  test('what has neither a status nor headers nor a body is named in the error', async () => {
    const { api } = refusing({ fallback: () => ({ price: 1 }) as never });

    expect(String(await errorOf(api(url)))).toMatch(/, but gave an object without any of them$/);
  });

  test('nothing for a failure ends in an error that says so, and has the failure', async () => {
    await using server = await startServer(status(503));
    const { api } = guarded({
      options: { fallbackOn: 'failure', fallback: () => undefined as never },
    });

    expect(await errorOf(api(server.url))).toMatchObject({
      name: 'TypeError',
      cause: { name: 'HTTPError' },
    });
  });

  test('an error that has no text ends in an error all the same', async () => {
    const { api } = refusing({
      fallback: () => {
        throw Object.create(null);
      },
    });

    expect(await errorOf(api(url))).toMatchObject({ name: 'RequestError' });
  });

  test.for([
    ['an ArrayBuffer', Uint8Array.from([97, 98]).buffer],
    ['a view', new DataView(Uint8Array.from([96, 97, 98]).buffer, 1)],
  ] as const)('%s gives its bytes', async ([, body]) => {
    expect(
      await refusing({ fallback: () => ({ body }) })
        .api(url)
        .text(),
    ).toBe('ab');
  });

  test('compressed bytes is decoded, and marked', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { api } = refusing({ fallback: () => ({ headers, body: gzipSync('stored') }) });

    const response = await api(url);

    expect(response.body).toBe('stored');
    expect(isDegraded(response)).toBe(true);
  });

  test('one cookie as a text sets that one', async () => {
    const cookies: string[] = [];
    const cookieJar = {
      getCookieString: async () => '',
      setCookie: async (cookie: string) => void cookies.push(cookie),
    };
    const { api } = refusing({ fallback: () => ({ headers: { 'set-cookie': 'abc=1' } }) });

    await api(url, { cookieJar });

    expect(cookies).toEqual(['abc=1']);
  });

  test('a redirect is asked again only where the next hop is refused', async () => {
    await using server = await startServer(status(200, 'mirror'));
    const { api, breaker, outcomes } = guarded({
      options: { fallback: () => ({ statusCode: 302, headers: { location: server.url } }) },
    });
    breaker.control('* http://localhost:1/**').forceOpen({ reason: 'a test' });
    let tries = 0;
    server.answer = (...args) => status(tries++ === 0 ? 503 : 200, 'mirror')(...args);

    expect(await api(url, { retry: oneRetry }).text()).toBe('mirror');
    expect(outcomes.filter((each) => !each.includes('forced-open'))).toEqual([
      'failure 503',
      'success 200',
    ]);
  });
});

describe('a fallback that asks a mirror by got', () => {
  const json = { 'content-type': 'application/json' };
  const plain: Answer = status(200, '{ "a":  1 }', { ...json, 'content-length': 11 });
  const zipped: Answer = (_, response) =>
    response
      .writeHead(200, { ...json, 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.from('{ "a":  1 }')));

  test.for([
    ['as text', plain, {}],
    ['as JSON', plain, { responseType: 'json' }],
    ['as bytes', plain, { responseType: 'buffer' }],
    ['compressed', zipped, {}],
    ['compressed, as JSON', zipped, { responseType: 'json' }],
    ['compressed, as bytes', zipped, { responseType: 'buffer' }],
  ] as const)('may give its response %s', async ([, answer, options]) => {
    await using mirror = await startServer(answer);
    const { api } = refusing({
      fallback: async () => (await got(mirror.url, options as OptionsInit)) as Response<string>,
    });

    const response = await api(url, { responseType: 'json' });

    expect(response.body).toEqual({ a: 1 });
    expect(isDegraded(response)).toBe(true);
  });
});

test('a listener of request may use what stands in for the request of a refused call', async () => {
  const { api } = refusing({ fallback: () => ({ body: 'stored' }) });

  const call = api(url).on('request', (request: ClientRequest) => {
    request.setNoDelay(true);
    request.setSocketKeepAlive(true);
    request.setHeader('x-own', '1').setTimeout(1000);
    request.removeHeader('x-own');
    request.flushHeaders();
    expect(request.hasHeader('x-own')).toBe(false);
    expect(request.getHeader('x-own')).toBeUndefined();
    expect(request.getHeaders()).toEqual({});
  });

  expect((await call).body).toBe('stored');
});

test('a hook may repeat a call that a fallback answered', async () => {
  await using server = await startServer(status(200, 'fresh'));
  const { api, breaker } = refusing({ fallback: () => ({ body: 'stored' }) });

  const response = await api(server.url, {
    hooks: {
      afterResponse: [
        (answered, again) => {
          if (!isDegraded(answered)) return answered;
          breaker.control('*').handBack({ reason: 'a test' });
          return again({});
        },
      ],
    },
  });

  expect(response.body).toBe('fresh');
  expect(isDegraded(response)).toBe(false);
});

test('a stream that is left while a fallback takes its time hears nothing of its answer', async () => {
  let isAsked!: (answer: (body: object) => void) => void;
  const asked = new Promise<(body: object) => void>((resolve) => (isAsked = resolve));
  const { api } = refusing({ fallback: () => new Promise(isAsked) });
  const stream = api.stream(url);
  const heard: unknown[] = [];
  stream.on('response', (response) => heard.push(response));
  const closed = new Promise((resolve) => stream.once('close', resolve));
  const answer = await asked;

  stream.destroy();
  await closed;
  answer({ body: 'stored' });
  await new Promise(setImmediate);

  expect(heard).toEqual([]);
});

test('the shortcuts of a call with a fallback for failures have the methods of got', async () => {
  await using server = await startServer(status(200, '{}'));
  const { api } = guarded({ options: { fallbackOn: 'failure', fallback: () => ({ body: '' }) } });

  const json = api(server.url).json();

  for (const method of ['on', 'once', 'off']) {
    expect(json).toHaveProperty(method, expect.any(Function));
  }
  await json;
});
