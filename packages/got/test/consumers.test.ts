import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { HalfBody, hang, resetBeforeHeaders, startServer } from '@recloser/test-support/server';
import { errorOf, guarded } from './guarded.ts';

const lost = (): Error => Object.assign(new Error('not of the dependency'), { code: 'ECONNRESET' });

describe('who reads a stream and leaves it with an error', () => {
  test('before the headers counts nowhere', async () => {
    await using server = await startServer(hang);
    const { api, breaker, outcomes } = guarded();
    const arrival = server.arrival();
    const stream = api.stream(server.url);
    const error = errorOf(once(stream, 'response'));
    await arrival;

    stream.destroy(lost());

    expect(await error).toMatchObject({ name: 'RequestError', code: 'ECONNRESET' });
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test.for(['ECONNRESET', 'EPIPE', 'ENOSPC', undefined])(
    'of code %s in its body changes nothing',
    async (code) => {
      await using server = await startServer(new HalfBody().answer);
      const { api, breaker, outcomes } = guarded();
      const full = new Writable({
        write: (_chunk, _encoding, written) => written(Object.assign(lost(), { code })),
      });

      expect(await errorOf(pipeline(api.stream(server.url), full))).toMatchObject({
        message: 'not of the dependency',
      });

      expect(outcomes).toEqual(['success 200']);
      expect(callsInFlight(breaker)).toEqual([0]);
    },
  );

  test('as a browser behind a proxy does, changes nothing', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = guarded();
    let piped!: Promise<unknown>;
    const proxy = createServer((_, response) => {
      piped = errorOf(pipeline(api.stream(server.url), response));
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const browser = get({ port: (proxy.address() as AddressInfo).port });
    const [response] = await once(browser, 'response');

    response.destroy();

    expect(await piped).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect(outcomes).toEqual(['success 200']);
    proxy.close();
  });

  test('while got waits for the next attempt changes nothing', async () => {
    await using server = await startServer(resetBeforeHeaders);
    const { api, breaker, outcomes } = guarded();
    const stream = api.stream(server.url, {
      retry: {
        limit: 1,
        calculateDelay: () => {
          setImmediate(() => stream.destroy(lost()));
          return 10_000;
        },
      },
    });
    stream.once('retry', () => {});

    await errorOf(once(stream, 'response'));

    expect(outcomes).toEqual(['failure reset']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('an upload', () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(10);
    throw lost();
  }

  test('that is piped, and whose source fails, counts nowhere', async () => {
    await using server = await startServer(hang);
    const { api, breaker, outcomes } = guarded();
    const source = Readable.from(failing());
    const stream = api.stream.post(server.url);
    // got has sent the request by then.
    await once(stream, 'request');
    const closed = new Promise((resolve) => stream.once('close', resolve));

    await errorOf(pipeline(source, stream));
    await closed;

    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('whose source fails with a code of the network counts nowhere', async () => {
    await using server = await startServer(hang);
    const { api, breaker, outcomes } = guarded();

    await errorOf(api.post(server.url, { body: Readable.from(failing()) }));

    expect(outcomes).toEqual(['ignored local']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('that is piped, and reset by the server, is a failure', async () => {
    await using server = await startServer(resetBeforeHeaders);
    const { api, breaker, outcomes } = guarded();
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(100_000);
    }

    await errorOf(pipeline(Readable.from(endless()), api.stream.post(server.url)));

    expect(outcomes).toEqual(['failure reset']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});
