import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { PassThrough, pipeline, Readable, type Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fetch as undiciFetch, interceptors, RetryAgent } from 'undici';
import { Agent as Agent7, interceptors as interceptors7 } from 'undici-7';
import { describe, expect, test } from 'vitest';
import {
  circuitBreakerInterceptor,
  isDegraded,
  type CircuitBreakerInterceptor,
  type FallbackAnswer,
} from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { refusingUrl, startServer, status } from '@recloser/test-support/server';
import { agent, requestTo, statusOf } from './clients.ts';

const NOWHERE = 'http://api.example.invalid/';

/** Refuses everything. */
function refusing(fallback: () => unknown) {
  const breaker = endpointBreaker();
  breaker.control('*').forceOpen({ reason: 'test' });
  const outcomes = outcomesOf(breaker);
  const refusals = (): number => outcomes.filter((each) => each.startsWith('refused')).length;
  const interceptor = circuitBreakerInterceptor(breaker, {
    fallback: fallback as () => FallbackAnswer,
  });
  return { breaker, refusals, interceptor };
}

const file = (): Readable => createReadStream(fileURLToPath(import.meta.url));

describe('an answer', () => {
  test.for([0, 99, 101, 103, 199, 600, 1000, 200.5, NaN, '200', null])(
    'with %s as its status fails the call by a TypeError',
    async (statusCode) => {
      await using made = agent();
      const { interceptor } = refusing(() => ({ statusCode }));
      const dispatcher = made.compose(interceptor);

      await expect(statusOf(dispatcher, NOWHERE)).rejects.toThrow(
        /^fallback must give .*with a statusCode from 200 to 599, but gave/,
      );
      const fetched: unknown = await undiciFetch(NOWHERE, { dispatcher }).catch(
        (error: unknown) => error,
      );
      expect((fetched as Error).cause ?? fetched).toBeInstanceOf(TypeError);
    },
  );

  test.for([
    ['a number as a header', { headers: { 'retry-after': 5 } }],
    ['headers in a row', { headers: ['x-one', '1'] }],
    ['headers of text', { headers: 'x-one: 1' }],
    ['numbers as its body', { body: [1, 2, 3] }],
    ['an object as its body', { body: { users: [] } }],
    ['nothing in it', {}],
    ['the data alone', { price: 1 }],
    ['what axios takes', { data: 1 }],
    ['a list of bytes', [1, 2, 3]],
    ['a Map', new Map()],
  ])('with %s fails the call by a TypeError that says so', async ([, given]) => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => given).interceptor);

    await expect(statusOf(dispatcher, NOWHERE)).rejects.toThrow(/^fallback must give .* but gave/);
  });

  test('with its status under another name fails the call by a TypeError that has the name', async () => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => ({ status: 503 })).interceptor);

    await expect(statusOf(dispatcher, NOWHERE)).rejects.toThrow(
      "but gave a 'status'; did you mean 'statusCode'?",
    );
  });

  const cookies = new Headers({ 'x-one': '1' });
  cookies.append('set-cookie', 'a=1');
  cookies.append('set-cookie', 'b=2');

  test.for([
    ['a Headers', cookies],
    [
      'a Map',
      new Map<string, string | string[]>([
        ['X-One', '1'],
        ['set-cookie', ['a=1', 'b=2']],
      ]),
    ],
    [
      'pairs',
      [
        ['x-one', '1'],
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    ],
  ] as const)('takes its headers from %s', async ([, headers]) => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => ({ headers })).interceptor);

    const { headers: given, body } = await dispatcher.request(requestTo(NOWHERE));
    await body.dump();

    expect(given).toMatchObject({ 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] });
  });

  const bytes = new TextEncoder().encode('a body');

  test.for([
    ['an ArrayBuffer', bytes.buffer],
    ['a part of one', new DataView(new TextEncoder().encode('not a body').buffer, 4)],
    ['16 bits each', new Uint16Array(bytes.buffer)],
  ] as const)('takes the bytes of its body from %s', async ([, body]) => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => ({ body })).interceptor);

    const response = await dispatcher.request(requestTo(NOWHERE));

    expect(await response.body.text()).toBe('a body');
  });

  test('without a body hands no chunk out', async () => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => ({ body: '' })).interceptor);
    const chunks: unknown[] = [];

    await new Promise<void>((resolve) => {
      dispatcher.dispatch(requestTo(NOWHERE), {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(),
        onResponseError() {},
      });
    });

    expect(chunks).toEqual([]);
  });
});

describe('a cache around the breaker', () => {
  const cached = interceptors.cache({ cacheByDefault: 3600 });

  test('stores no answer', async () => {
    await using server = await startServer(status(200, 'real'));
    await using made = agent();
    const { breaker, interceptor } = refusing(() => ({ body: 'from the fallback' }));
    const dispatcher = made.compose(interceptor, cached);

    const answered = await dispatcher.request(requestTo(server.url));
    expect(await answered.body.text()).toBe('from the fallback');
    breaker.control('*').close({ reason: 'test' });
    const recovered = await dispatcher.request(requestTo(server.url));

    expect(await recovered.body.text()).toBe('real');
  });

  test('stores one whose own cache-control says so', async () => {
    await using made = agent();
    const headers = { 'Cache-Control': 'max-age=60', date: new Date().toUTCString() };
    const { interceptor, refusals } = refusing(() => ({ headers, body: 'from the fallback' }));
    const dispatcher = made.compose(interceptor, cached);

    for (let call = 0; call < 2; call++) {
      const { body } = await dispatcher.request(requestTo(NOWHERE));
      expect(await body.text()).toBe('from the fallback');
    }

    expect(refusals()).toBe(1);
  });
});

/** An interceptor that hides the handler of the one after it. */
const between = ((dispatch: (...args: unknown[]) => boolean) =>
  (options: unknown, handler: Record<string, (...args: unknown[]) => unknown>) =>
    dispatch(options, {
      onRequestStart: (...args: unknown[]) => handler['onRequestStart']?.(...args),
      onResponseStart: (...args: unknown[]) => handler['onResponseStart']?.(...args),
      onResponseData: (...args: unknown[]) => handler['onResponseData']?.(...args),
      onResponseEnd: (...args: unknown[]) => handler['onResponseEnd']?.(...args),
      onResponseError: (...args: unknown[]) => handler['onResponseError']?.(...args),
    })) as unknown as CircuitBreakerInterceptor;

describe.each([
  [
    '8',
    (): Agent7 => agent() as unknown as Agent7,
    interceptors as unknown as typeof interceptors7,
  ],
  ['7.1', () => new Agent7(), interceptors7],
] as const)('a retry of undici %s around the breaker', (_version, makeAgent, { retry }) => {
  test.for([
    ['as it is', {}],
    ['that hands failing statuses on', { throwOnError: false }],
  ] as const)('%s gives the caller an answer of a failing status, at once', async ([, options]) => {
    const made = makeAgent();
    const { interceptor, refusals } = refusing(() => ({ statusCode: 503, body: 'unavailable' }));
    // Waits for longer than any test.
    const again = retry({ minTimeout: 600_000, maxTimeout: 600_000, ...options });

    const { origin } = new URL(NOWHERE);
    const { statusCode, body } = await made
      .compose(interceptor, again)
      .request({ origin, path: '/', method: 'GET' });

    expect([statusCode, await body.text()]).toEqual([503, 'unavailable']);
    expect(refusals()).toBe(1);
    await made.destroy();
  });

  test('with another interceptor between asks once, and fails at once', async () => {
    const made = makeAgent();
    const { interceptor, refusals } = refusing(() => ({ statusCode: 503 }));

    const { origin } = new URL(NOWHERE);
    const call = made
      .compose(interceptor, between, retry({ minTimeout: 600_000, maxTimeout: 600_000 }))
      .request({ origin, path: '/', method: 'GET' });

    await expect(call).rejects.toMatchObject({ code: 'UND_ERR_REQ_RETRY', statusCode: 503 });
    expect(refusals()).toBe(1);
    await made.destroy();
  });
});

test('a RetryAgent gives the caller an answer of a failing status, at once', async () => {
  await using made = agent();
  const { interceptor, refusals } = refusing(() => ({ statusCode: 503 }));
  const dispatcher = new RetryAgent(made.compose(interceptor), { minTimeout: 600_000 });

  const response = await dispatcher.request(requestTo(NOWHERE));
  await response.body.dump();

  expect(response.statusCode).toBe(503);
  expect(isDegraded(response)).toBe(true);
  expect(refusals()).toBe(1);
});

describe('an upload', () => {
  test('is closed where its call is answered', async () => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => ({ body: 'from the fallback' })).interceptor);
    const body = file();
    const isClosed = once(body, 'close');

    expect(await statusOf(dispatcher, NOWHERE, { method: 'PUT', body })).toBe(200);

    await isClosed;
  });

  test('is closed where it could not be sent, and the call is answered', async () => {
    await using made = agent();
    const dispatcher = made.compose(
      circuitBreakerInterceptor({}, { fallbackOn: 'failure', fallback: () => ({ body: 'text' }) }),
    );
    const body = file();
    const isClosed = once(body, 'close');

    expect(await statusOf(dispatcher, await refusingUrl(), { method: 'PUT', body })).toBe(200);

    await isClosed;
  });

  test('whose closing fails does not fail the call that was answered', async () => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => ({ body: 'text' })).interceptor);
    const body = new Readable({
      read() {},
      destroy: (_error, done) => done(new Error('mine')),
    });
    const isClosed = new Promise((resolve) => body.once('close', resolve));

    const ended = new Promise<void>((resolve, reject) => {
      dispatcher.dispatch(requestTo(NOWHERE, { method: 'PUT', body }), {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      });
    });

    await ended;
    await isClosed;
  });

  test('of a pipeline is taken to its end, and nobody reads it', async () => {
    await using made = agent();
    const dispatcher = made.compose(refusing(() => ({ body: 'from the fallback' })).interceptor);
    const source = Readable.from(Array<Buffer>(50).fill(Buffer.alloc(100_000)));
    const sink = new PassThrough();
    const text = sink.toArray();

    await promisify(pipeline)(
      source,
      dispatcher.pipeline(requestTo(NOWHERE, { method: 'PUT' }), ({ body }) => body),
      sink as Writable,
    );

    expect(String(Buffer.concat(await text))).toBe('from the fallback');
  });
});
