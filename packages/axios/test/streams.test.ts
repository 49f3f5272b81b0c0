import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { HalfBody, startServer, status, type Answer } from '@recloser/test-support/server';
import axios, { type AxiosRequestConfig } from 'axios';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { addCircuitBreaker } from '../src/index.ts';
import { errorOf } from './stand-in.ts';

/** A stream from a server, and what was recorded of it. */
async function open(answer: Answer, config: AxiosRequestConfig = {}) {
  const server = await startServer(answer);
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const api = addCircuitBreaker(axios.create(), breaker);
  const { data } = await api.get<Readable>(server.url, { responseType: 'stream', ...config });
  expect(outcomes).toEqual(['success 200']);
  expect(callsInFlight(breaker)).toEqual([0]);
  return { data, outcomes, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function closed(stream: Readable): Promise<void> {
  // `once` of Node would listen to errors, too.
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
  await setImmediate();
}

const throwing = (): never => {
  throw new Error('revoked');
};
const unreadable = {
  get res(): never {
    return throwing();
  },
};

const zipped = gzipSync(Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join());

/** The first part of a body, and no more. */
function firstOf(body: Buffer, encoding: string): HalfBody['answer'] {
  return (_, response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    response.write(body.subarray(0, body.length / 2));
  };
}

describe('a stream that breaks off amends the success', () => {
  for (const [name, config] of [
    ['', {}],
    [', without following redirects', { maxRedirects: 0 }],
    [', whose progress is reported', { onDownloadProgress: () => {} }],
    [', within a limit', { maxContentLength: 2000 }],
    [', with a timeout', { timeout: 60_000 }],
  ] as const) {
    test.for(['cut', 'reset'] as const)(`as it is %s${name}`, async (how) => {
      const half = new HalfBody();
      await using it = await open(half.answer, config);
      const read = errorOf(text(it.data));

      half[how]();

      expect(await read).toBeDefined();
      expect(it.outcomes).toEqual(['success 200', 'amended body']);
    });
  }

  test('although nobody reads it', async () => {
    const half = new HalfBody();
    await using it = await open(half.answer);

    half.cut();

    await closed(it.data);
    expect(it.outcomes).toEqual(['success 200', 'amended body']);
  });

  test.for(['gzip', 'br', 'zstd'])('as it can not be decoded by %s', async (encoding) => {
    await using it = await open(status(200, 'nothing encoded', { 'content-encoding': encoding }));

    expect(await errorOf(text(it.data))).toBeDefined();
    await closed(it.data);

    expect(it.outcomes).toEqual(['success 200', 'amended body']);
  });

  test('as it is cut behind a decoder', async () => {
    let cut = (): void => {};
    await using it = await open((request, response) => {
      firstOf(zipped, 'gzip')(request, response);
      cut = () => request.socket.end();
    });
    const read = errorOf(text(it.data));

    cut();

    expect(await read).toBeDefined();
    expect(it.outcomes).toEqual(['success 200', 'amended body']);
  });
});

describe('a stream stays a success', () => {
  test.for([
    ['gzip', gzipSync('whole')],
    ['br', brotliCompressSync('whole')],
    ['zstd', zstdCompressSync('whole')],
    [undefined, Buffer.from('whole')],
  ] as const)('that is read to its end (%s)', async ([encoding, body]) => {
    await using it = await open((_, response) => {
      response.writeHead(200, encoding && { 'content-encoding': encoding }).end(body);
    });

    expect(await text(it.data)).toBe('whole');
    await closed(it.data);

    expect(it.outcomes).toEqual(['success 200']);
  });

  for (const [name, answer] of [
    ['', new HalfBody().answer],
    [' behind a decoder', firstOf(zipped, 'gzip')],
  ] as const) {
    test(`that the consumer destroys${name}`, async () => {
      await using it = await open(answer);

      it.data.destroy();

      await closed(it.data);
      expect(it.outcomes).toEqual(['success 200']);
    });

    test(`that the consumer destroys with an error${name}`, async () => {
      await using it = await open(answer);
      it.data.on('error', () => {});

      it.data.destroy(Object.assign(new Error('the own socket'), { code: 'ECONNRESET' }));

      await closed(it.data);
      expect(it.outcomes).toEqual(['success 200']);
    });

    test(`that the consumer stops to iterate over${name}`, async () => {
      await using it = await open(answer);

      for await (const _ of it.data) break;

      await closed(it.data);
      expect(it.outcomes).toEqual(['success 200']);
    });

    test(`whose way ends in something that fails${name}`, async () => {
      await using it = await open(answer);
      const full = new Writable({
        write: (_chunk, _encoding, done) =>
          done(Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })),
      });

      await expect(pipeline(it.data, full)).rejects.toThrow('the disk is full');

      await closed(it.data);
      expect(it.outcomes).toEqual(['success 200']);
    });

    test(`whose way ends in a client that leaves${name}`, async () => {
      await using it = await open(answer);
      const client = new Writable({ write: (_chunk, _encoding, done) => done() });
      const piped = errorOf(pipeline(it.data, client));

      client.destroy();

      expect(await piped).toBeDefined();
      await closed(it.data);
      expect(it.outcomes).toEqual(['success 200']);
    });
  }

  test('that is longer than the caller allows', async () => {
    await using it = await open(status(200, 'x'.repeat(100)), { maxContentLength: 50 });

    expect(await errorOf(text(it.data))).toMatchObject({ code: 'ERR_BAD_RESPONSE' });
    await closed(it.data);

    expect(it.outcomes).toEqual(['success 200']);
  });

  test('that came whole before its consumer left', async () => {
    await using it = await open((_, response) => {
      response.writeHead(200, { connection: 'close' }).end('whole');
    });
    await once(it.data, 'readable');
    await once((it.data as IncomingMessage).socket, 'close');
    it.data.on('error', () => {});

    it.data.destroy(Object.assign(new Error('the own socket'), { code: 'ECONNRESET' }));

    await closed(it.data);
    expect(it.outcomes).toEqual(['success 200']);
  });

  test('that a cancelToken ends', async () => {
    const { token, cancel } = axios.CancelToken.source();
    await using it = await open(new HalfBody().answer, { cancelToken: token });
    const read = errorOf(text(it.data));

    cancel('gone');

    expect(await read).toBeDefined();
    await closed(it.data);
    expect(it.outcomes).toEqual(['success 200']);
  });

  test('that the caller aborts, whatever the reason', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await using it = await open(new HalfBody().answer, { signal, onDownloadProgress: () => {} });
    const read = errorOf(text(it.data));

    controller.abort(Object.assign(new Error('the own socket'), { code: 'ECONNRESET' }));

    expect(await read).toBeDefined();
    await closed(it.data);
    expect(it.outcomes).toEqual(['success 200']);
  });

  test.for<[name: string, response: object]>([
    ['can not be listened to', { data: { pipe() {}, once: throwing } }],
    ['has a request that can not be read', { data: Readable.from([]), request: unreadable }],
  ])('of a stand-in that %s', async ([, stream]) => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const response = { status: 200, headers: {}, ...stream };
    const adapter = async (): Promise<never> => response as never;
    const config = { adapter, transformResponse: [], responseType: 'stream' } as const;
    const api = addCircuitBreaker(axios.create(config as object), breaker);

    expect(await api.get('http://api.example.com/')).toBe(response);

    expect(outcomes).toEqual(['success 200']);
  });

  test('of the fetch adapter, which can not be watched', async () => {
    const half = new HalfBody();
    await using it = await open(half.answer, { adapter: 'fetch' });
    const read = errorOf(text(it.data));

    half.cut();

    expect(await read).toBeDefined();
    expect(it.outcomes).toEqual(['success 200']);
  });
});

test('watching sets no stream flowing, and takes no error from anybody', async () => {
  const half = new HalfBody();
  await using server = await startServer(half.answer);
  const config = { responseType: 'stream' } as const;
  const { data: bare } = await axios.create().get<Readable>(server.url, config);
  const { data } = await addCircuitBreaker(axios.create()).get<Readable>(server.url, config);

  expect(data.readableFlowing).toBe(bare.readableFlowing);
  expect(data.listenerCount('error')).toBe(bare.listenerCount('error'));
  expect(data.listenerCount('data')).toBe(bare.listenerCount('data'));
  expect(data.listenerCount('readable')).toBe(bare.listenerCount('readable'));
  bare.destroy();
  data.destroy();
});

test.for<[name: string, config: AxiosRequestConfig, error: unknown]>([
  ['', {}, { name: 'TimeoutError' }],
  [' whose progress is reported', { onDownloadProgress: () => {} }, { code: 'ECONNRESET' }],
])('a deadline that passes within a stream%s amends the success', async ([, config, error]) => {
  const breaker = endpointBreaker();
  await using server = await startServer(new HalfBody().answer);
  const controller = new AbortController();
  const { signal } = controller;
  const api = addCircuitBreaker(axios.create({ responseType: 'stream', signal }), breaker);
  const { data } = await api.get<Readable>(server.url, config);
  const amended = new Promise((resolve) => breaker.on('amended', resolve));
  const read = errorOf(text(data));

  controller.abort(new DOMException('as AbortSignal.timeout says it', 'TimeoutError'));

  expect(await amended).toMatchObject({ kind: 'deadline', status: 200, error });
  expect(await read).toBeDefined();
});
