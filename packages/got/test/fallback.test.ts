import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ExtendOptions, OptionsInit, Response } from 'got';
import { describe, expect, test } from 'vitest';
import { callsInFlight } from '@recloser/test-support/outcomes';
import {
  closeBeforeHeaders,
  HalfBody,
  hang,
  startServer,
  status,
} from '@recloser/test-support/server';
import {
  getDegradation,
  isCallNotPermitted,
  isDegraded,
  type FallbackResponse,
} from '../src/index.ts';
import { errorOf, guarded, oneRetry, type Guarded } from './guarded.ts';

const url = 'http://localhost:1/';

type Upload = OptionsInit['body'];

const megabyte = (): Readable => Readable.from([Buffer.alloc(500_000), Buffer.alloc(500_000)]);

async function* parts(): AsyncGenerator {
  yield 'one part';
  yield 'and another';
}

async function* failing(): AsyncGenerator {
  yield 'one part';
  throw new Error('the file can not be read on');
}

const uploads: Readonly<Record<string, () => Upload>> = {
  text: () => 'upload',
  stream: megabyte,
  generator: () => parts() as Upload,
};

/** An instance whose calls are all refused, and answered with this. */
function answering(answer: FallbackResponse, base?: ExtendOptions): Guarded {
  const made = guarded({ options: { fallback: () => answer }, ...(base && { base }) });
  made.breaker.control('*').forceOpen({ reason: 'a test' });
  return made;
}

describe('a fallback', () => {
  test('is read by every shortcut, and in a stream', async () => {
    const { api } = answering({ body: { stored: true } });

    expect(await api(url).json()).toEqual({ stored: true });
    expect(await api(url).text()).toBe('{"stored":true}');
    expect(Buffer.from(await api(url).buffer()).toString()).toBe('{"stored":true}');
    expect(await api(url, { responseType: 'json', resolveBodyOnly: true })).toEqual({
      stored: true,
    });
    expect(await text(api.stream(url))).toBe('{"stored":true}');
  });

  test('is a response of got, marked as degraded', async () => {
    const { api } = answering({ statusCode: 203, headers: { Age: '60' }, body: 'stored' });

    const response = await api(url);

    expect(response).toMatchObject({
      statusCode: 203,
      statusMessage: 'Non-Authoritative Information',
      headers: { age: '60' },
      body: 'stored',
      url,
      isFromCache: false,
      ok: true,
    });
    expect(isDegraded(response)).toBe(true);
    expect(isCallNotPermitted(getDegradation(response)?.cause)).toBe(true);
  });

  test('is marked in a stream, and in what a hook makes of it', async () => {
    const { api } = answering({ statusCode: 200 });
    const afterResponse = (response: Response): Response =>
      Object.assign(Object.create(null), response, { own: true });

    const streamed = new Promise((resolve) => api.stream(url).once('response', resolve));
    const hooked = await api(url, { hooks: { afterResponse: [afterResponse] } });

    expect(isDegraded(await streamed)).toBe(true);
    expect(hooked).toMatchObject({ own: true });
    expect(isDegraded(hooked)).toBe(true);
  });

  test.for([
    ['a text', undefined, 'a text'],
    ['bytes', undefined, new Uint8Array([97, 98])],
    ['null', 'application/json', null],
    ['a number', 'application/json', 0],
    ['an object', 'application/json', { a: 1 }],
    ['an object with its own type', 'application/problem+json', { a: 1 }],
  ] as const)('may be %s', async ([what, type, body]) => {
    const headers = what.endsWith('type') ? { 'Content-Type': type } : undefined;
    const { api } = answering({ body, headers });

    const response = await api(url);

    const isText = type === undefined;
    expect(response.headers['content-type']).toBe(type);
    expect(response.body).toBe(isText ? String(Buffer.from(body as string)) : JSON.stringify(body));
  });

  test.for(Object.keys(uploads))('answers an upload of a %s', async (kind) => {
    const { api } = answering({ body: 'stored' });

    expect(await api.post(url, { body: uploads[kind]!() }).text()).toBe('stored');
  });

  test('answers an upload that is piped into a stream', async () => {
    const { api } = answering({ body: 'stored' });
    const stream = api.stream.post(url);

    megabyte().pipe(stream);

    expect(await text(stream)).toBe('stored');
  });

  test('is never stored by the cache of got', async () => {
    const cache = new Map();
    const { api, breaker } = guarded({
      options: { fallback: () => ({ headers: { 'cache-control': 'max-age=60' }, body: 'stored' }) },
    });
    await using server = await startServer(status(200, 'fresh'));
    breaker.control('*').forceOpen({ reason: 'a test' });

    expect(await api(server.url, { cache }).text()).toBe('stored');
    breaker.control('*').handBack({ reason: 'a test' });

    expect(await api(server.url, { cache }).text()).toBe('fresh');
  });

  test('with a failing status ends as one, and is not retried', async () => {
    const { api, outcomes } = answering({ statusCode: 503, body: 'try later' });
    const retry = { enforceRetryRules: false, calculateDelay: () => 1 };

    const error = await errorOf(api(url, { retry }));

    expect(error).toMatchObject({ name: 'HTTPError', response: { body: 'try later' } });
    expect(isDegraded((error as { response: unknown }).response)).toBe(true);
    expect(outcomes).toEqual(['closed to forced-open', 'refused forced-open']);
  });

  test.for([
    ['an error that got would retry', Object.assign(new Error('gone'), { code: 'ECONNRESET' })],
    ['what is no error', 'gone'],
  ])('that throws %s gives it to the caller, once', async ([, thrown]) => {
    let called = 0;
    const { api, breaker } = guarded({
      options: {
        fallback: () => {
          called++;
          throw thrown;
        },
      },
    });
    breaker.control('*').forceOpen({ reason: 'a test' });

    const error = await errorOf(api(url, { retry: { limit: 3 } }));

    expect(error).toMatchObject({ name: 'RequestError', message: 'gone' });
    expect(called).toBe(1);
  });

  test('is asked with the request as got has it', async () => {
    const seen: unknown[] = [];
    const { api, breaker } = guarded({
      options: {
        fallback: (_, { method, url: where, options }) => {
          seen.push(method, where, options.context);
          return { statusCode: 200 };
        },
      },
    });
    breaker.control('*').forceOpen({ reason: 'a test' });

    await api.put('http://me:secret@localhost:1/users?page=2', { context: { tenant: 'a' } });

    expect(seen).toEqual(['PUT', 'http://localhost:1/users?page=2', { tenant: 'a' }]);
  });

  test('that takes its time may be left', async () => {
    const controller = new AbortController();
    const { api, breaker } = guarded({ options: { fallback: () => new Promise(() => {}) } });
    breaker.control('*').forceOpen({ reason: 'a test' });

    const error = errorOf(api(url, { signal: controller.signal }));
    setImmediate(() => controller.abort());

    expect(await error).toMatchObject({ name: 'AbortError' });
  });
});

describe('a fallback for failures', () => {
  const options = {
    fallbackOn: 'failure',
    fallback: () => ({ body: { stored: true } }),
  } as const;

  test('answers after the last attempt, whichever way the body is asked for', async () => {
    await using server = await startServer(closeBeforeHeaders);
    const { api, outcomes } = guarded({ options });
    const call = { retry: oneRetry };

    expect(await api(server.url, call).json()).toEqual({ stored: true });
    expect(await api(server.url, call).text()).toBe('{"stored":true}');
    expect(String(await api(server.url, call).buffer())).toBe('{"stored":true}');
    expect(await api(server.url, { ...call, responseType: 'json', resolveBodyOnly: true })).toEqual(
      { stored: true },
    );

    expect(outcomes).toEqual(Array(8).fill('failure reset'));
    expect(server.requests).toHaveLength(8);
  });

  test('is a response of got, marked as degraded', async () => {
    await using server = await startServer(status(503));
    const { api } = guarded({ options });

    const seen: number[] = [];
    const afterResponse = (each: Response): Response => {
      seen.push(each.statusCode);
      return each;
    };

    const response = await api(server.url, {
      responseType: 'json',
      retry: oneRetry,
      hooks: { afterResponse: [afterResponse] },
    });

    expect(response).toMatchObject({
      statusCode: 200,
      body: { stored: true },
      url: `${server.url}/`,
      retryCount: 1,
      ok: true,
    });
    expect(isDegraded(response)).toBe(true);
    expect(getDegradation(response)?.cause).toMatchObject({ name: 'HTTPError' });
    expect(seen).toEqual([503, 503]);
  });

  test('gets the response where the call takes any status', async () => {
    await using server = await startServer(status(503, 'down'));
    const causes: unknown[] = [];
    const { api } = guarded({
      options: {
        fallbackOn: 'failure',
        fallback: (cause) => {
          causes.push(cause);
          return cause as FallbackResponse;
        },
      },
    });

    const response = await api(server.url, { throwHttpErrors: false });
    const body = await api(server.url, { throwHttpErrors: false, resolveBodyOnly: true });

    expect(response).toMatchObject({ statusCode: 503, body: 'down' });
    expect(isDegraded(response)).toBe(false);
    expect(body).toBe('down');
    expect(causes).toMatchObject([{ body: 'down' }, { body: 'down' }]);
  });

  test('answers where the body of the last attempt breaks off', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = guarded({ options });

    const call = api(server.url).json();
    void half.sent.then(() => half.cut());

    expect(await call).toEqual({ stored: true });
    expect(outcomes).toEqual(['success 200', 'amended body']);
  });

  test('answers no call that the caller left, not even during a wait', async () => {
    await using server = await startServer(status(503));
    const { api } = guarded({ options });
    const controller = new AbortController();
    const calculateDelay = (): number => {
      setImmediate(() => controller.abort());
      return 10_000;
    };

    const waiting = api(server.url, {
      signal: controller.signal,
      retry: { limit: 1, calculateDelay },
    });

    expect(await errorOf(waiting)).toMatchObject({ name: 'AbortError' });
  });

  test('leaves what is no failure to the caller', async () => {
    await using server = await startServer(status(404, 'not here'));
    const { api } = guarded({ options });

    expect(await errorOf(api(server.url))).toMatchObject({ name: 'HTTPError' });
    expect(await errorOf(api(server.url).json())).toMatchObject({ name: 'HTTPError' });
    server.answer = status(200, 'no JSON');
    expect(await errorOf(api(server.url).json())).toMatchObject({ name: 'ParseError' });
    expect(await api(server.url).text()).toBe('no JSON');
    expect(await errorOf(api('no url'))).toMatchObject({ name: 'RequestError' });
  });

  test('leaves an upload that fails to the caller', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded({ options });
    const body = Readable.from(failing());

    expect(await errorOf(api.post(server.url, { body }))).toMatchObject({ name: 'UploadError' });
    expect(outcomes).toEqual(['ignored local']);
  });

  test('answers the pages of a pagination', async () => {
    await using server = await startServer(status(503));
    const { api } = guarded({
      options: { fallbackOn: 'failure', fallback: () => ({ body: ['stored'] }) },
    });

    const all = await api.paginate.all<string>(server.url, {
      responseType: 'json',
      pagination: { transform: ({ body }) => body as string[], paginate: () => false },
    });

    expect(all).toEqual(['stored']);
  });

  test('answers only refusals in a stream', async () => {
    await using server = await startServer(status(503));
    const { api, breaker } = guarded({ options });
    const failed = new Promise((_, reject) => api.stream(server.url).once('error', reject));
    expect(await errorOf(failed)).toMatchObject({ name: 'HTTPError' });

    breaker.control('*').forceOpen({ reason: 'a test' });

    expect(await text(api.stream(server.url))).toBe('{"stored":true}');
  });

  test('leaves the accept header to be that of the shortcut', async () => {
    const accepted: unknown[] = [];
    await using server = await startServer((request, response) => {
      accepted.push(request.headers.accept);
      response.end('{}');
    });
    const { api, breaker } = guarded({ options });

    await api(server.url).json();

    expect(accepted).toEqual(['application/json']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('that nobody waits for makes no unhandled rejection', async () => {
    await using server = await startServer(hang);
    const { api } = guarded({ options });
    const controller = new AbortController();

    const json = api(server.url, { signal: controller.signal }).json();
    controller.abort();

    expect(await errorOf(json)).toMatchObject({ name: 'AbortError' });
  });
});
