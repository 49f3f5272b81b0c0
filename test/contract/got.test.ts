import { circuitBreaker, isCallNotPermitted, type GotBreakerOptions } from '@recloser/got';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { aRoundTrip, hang, redirect, startServer } from '@recloser/test-support/server';
import got, { type RequestError } from 'got';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { gotDrivers } from './drivers/got.ts';
import { aTurn, errorOf } from './suite.ts';
import { testAdapter } from './test-adapter.ts';

for (const driver of gotDrivers) testAdapter(driver);

const isFloor = process.env['CLIENTS'] === 'floor';

describe('got, of either version', () => {
  const url = 'http://localhost:1/';

  function refusing(options?: GotBreakerOptions): typeof got {
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
