import {
  circuitBreaker,
  isCallNotPermitted,
  type FallbackResponse,
  type FallbackOn,
  type GotBreakerOptions,
} from '@recloser/got';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { aRoundTrip, hang, redirect, startServer, status } from '@recloser/test-support/server';
import got, { type RequestError } from 'got';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { gotDrivers } from './drivers/got.ts';
import { aTurn, errorOf } from './suite.ts';
import { testAdapter } from './test-adapter.ts';

for (const driver of gotDrivers) testAdapter(driver);

const isFloor = process.env['CLIENTS'] === 'floor';

describe('got, of either version', () => {
  const url = 'http://localhost:1/';

  function refusing(options?: GotBreakerOptions<FallbackOn>): typeof got {
    const breaker = endpointBreaker();
    breaker.control('*').forceOpen({ reason: 'a test' });
    return got.extend(circuitBreaker(breaker, options)) as typeof got;
  }

  test('tells a refusal by its cause, behind its cache too', async () => {
    const api = refusing();
    const beforeError = vi.fn<(error: RequestError) => RequestError>((error) => error);
    const hooks = { beforeError: [beforeError] };

    const errors = [
      await errorOf(api(url, { hooks })),
      await errorOf(api(url, { hooks, cache: new Map() })),
      await errorOf(once(api.stream(url, { hooks }), 'response')),
    ];

    expect(errors.map(isCallNotPermitted)).toEqual([true, true, true]);
    expect(beforeError.mock.calls.map(([error]) => isCallNotPermitted(error))).toEqual([
      true,
      true,
      true,
    ]);
    expect(errors).toMatchObject(
      Array(3).fill({ name: 'RequestError', code: 'ERR_CALL_NOT_PERMITTED' }),
    );
  });

  test('lets a fallback answer uploads of every kind, and what its cache has not', async () => {
    const api = refusing({ fallback: () => ({ body: 'stored' }) });
    async function* parts(): AsyncGenerator<string> {
      yield 'part';
    }
    const piped = api.stream.post(url);
    Readable.from([Buffer.alloc(500_000), Buffer.alloc(500_000)]).pipe(piped);

    expect(await api.post(url, { body: 'text' }).text()).toBe('stored');
    expect(await api.post(url, { body: Readable.from(parts()) }).text()).toBe('stored');
    expect(await api.post(url, { body: parts() }).text()).toBe('stored');
    expect(await text(piped)).toBe('stored');
    expect(await api(url, { cache: new Map() }).text()).toBe('stored');
  });

  test.for(['a promise', 'a stream'])('follows no redirect for %s that was left', async (what) => {
    await using server = await startServer(redirect('/next'));
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = got.extend(circuitBreaker(breaker));
    const controller = new AbortController();
    let resolve!: () => void;
    const hooked = new Promise<void>((resolved) => (resolve = resolved));
    const beforeRedirect = async (): Promise<void> => {
      controller.abort();
      await aRoundTrip();
      setImmediate(resolve);
    };
    const options = { signal: controller.signal, hooks: { beforeRedirect: [beforeRedirect] } };

    const call =
      what === 'a promise'
        ? api(server.url, options)
        : once(api.stream(server.url, options), 'end');
    expect(await errorOf(call)).toMatchObject({ code: 'ERR_ABORTED' });
    await hooked;
    await aRoundTrip();

    expect(server.requests).toEqual(['GET /']);
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('leaves a refused call as it is where its fallback gives or throws the refusal', async () => {
    const giving = refusing({ fallback: (refusal) => refusal as object });
    const throwing = refusing({
      fallback: (refusal) => {
        throw refusal;
      },
    });

    for (const api of [giving, throwing]) {
      expect(isCallNotPermitted(await errorOf(api(url)))).toBe(true);
      expect(isCallNotPermitted(await errorOf(api(url, { cache: new Map() })))).toBe(true);
    }
  });

  test('hands on what a fallback throws as the cause', async () => {
    const mine = new Error('mine');
    const api = refusing({
      fallback: () => {
        throw mine;
      },
    });

    expect(await errorOf(api(url))).toMatchObject({ name: 'RequestError', cause: mine });
  });

  test('counts what a request function leaves to got', async () => {
    await using server = await startServer(status(503));
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = got.extend(circuitBreaker(breaker), { retry: { limit: 0 } });

    await errorOf(api(server.url, { request: () => undefined }));

    expect(outcomes).toEqual(['failure 503']);
  });

  test('counts a stream nowhere whose reader or upload fails, whatever the code', async () => {
    await using server = await startServer(hang);
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = got.extend(circuitBreaker(breaker));
    const lost = Object.assign(new Error('not of the dependency'), { code: 'ECONNRESET' });
    async function* failing(): AsyncGenerator<string> {
      yield 'part';
      throw lost;
    }

    const stream = api.stream(server.url);
    const left = errorOf(once(stream, 'response'));
    await server.arrival();
    stream.destroy(lost);
    await left;
    await errorOf(api.post(server.url, { body: Readable.from(failing()) }));

    expect(outcomes).toEqual(['ignored cancel', 'ignored local']);
    expect(callsInFlight(breaker)).toEqual([0, 0]);
  });

  test.for(['json', 'buffer', 'text'] as const)('hands on the %s of a mirror', async (type) => {
    const zipped = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    await using mirror = await startServer((_, response) => {
      response.writeHead(200, zipped).end(gzipSync('{ "a":  1 }'));
    });
    const api = refusing({
      fallback: async () => (await got(mirror.url, { responseType: type })) as FallbackResponse,
    });

    expect(await api(url).json()).toEqual({ a: 1 });
  });

  test('lets the options of a call that is over be used again', async () => {
    await using server = await startServer();
    const api = got.extend(circuitBreaker(endpointBreaker()));
    const { options } = (await api(server.url)).request;

    await got(undefined, undefined, options);

    expect(server.requests).toHaveLength(2);
  });

  if (!isFloor) return;

  test('counts a promise that is cancelled nowhere', async () => {
    await using server = await startServer(hang);
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const call = got.extend(circuitBreaker(breaker))(server.url) as unknown as Promise<unknown> & {
      cancel(): void;
    };
    const error = errorOf(call);
    await server.arrival();

    call.cancel();

    expect(await error).toMatchObject({ name: 'CancelError' });
    await aTurn();
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});
