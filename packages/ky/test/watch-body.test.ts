import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { HalfBody, startServer, status } from '@recloser/test-support/server';
import ky, { isTimeoutError, type AfterResponseHook, type Options } from 'ky';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { circuitBreaker } from '../src/index.ts';

async function setUp(options: Options = {}, watchBody: boolean = true) {
  const half = new HalfBody();
  const server = await startServer(half.answer);
  const breaker = endpointBreaker();
  const api = ky.create({ retry: 0, ...options }).extend(circuitBreaker(breaker, { watchBody }));
  return {
    api,
    breaker,
    half,
    outcomes: outcomesOf(breaker),
    server,
    url: server.url,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe('a body that breaks off', () => {
  test('is a failure', async () => {
    await using it = await setUp();

    const response = await it.api(it.url);
    it.half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(it.outcomes).toEqual(['success 200', 'amended body']);
    expect(callsInFlight(it.breaker)).toEqual([0]);
  });

  test('is not seen unless it is asked for', async () => {
    await using it = await setUp({}, false);

    const response = await it.api(it.url);
    it.half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(it.outcomes).toEqual(['success 200']);
  });

  test('is a failure for a caller who reads by ky', async () => {
    await using it = await setUp();
    const afterResponse: AfterResponseHook[] = [() => it.half.cut()];

    const json = it.api(it.url, { hooks: { afterResponse } }).json();

    await expect(json).rejects.toThrow('terminated');
    expect(it.outcomes).toEqual(['success 200', 'amended body']);
  });

  test.for<[name: string, hook: AfterResponseHook]>([
    ['reads it', async ({ response }) => void (await response.text())],
    ['answers with its clone', ({ response }) => response],
  ])('is a failure though a hook %s', async ([, hook]) => {
    await using it = await setUp();
    const afterResponse = [() => it.half.cut(), hook];

    const call = it.api(it.url, { hooks: { afterResponse } });

    await expect(call.then((response) => response.text())).rejects.toThrow('terminated');
    expect(it.outcomes).toEqual(['success 200', 'amended body']);
  });

  test('is a failure where ky counts its progress', async () => {
    await using it = await setUp();

    const response = await it.api(it.url, { onDownloadProgress: () => {} });
    it.half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(it.outcomes).toEqual(['success 200', 'amended body']);
  });

  test('is a failure once, with two guards by one breaker', async () => {
    await using it = await setUp();
    const twice = it.api.extend(circuitBreaker(it.breaker, { watchBody: true }));

    const response = await twice(it.url);
    it.half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(it.outcomes).toEqual(['success 200', 'amended body']);
  });
});

describe("ky's own timeout of a body", () => {
  const { signal } = new AbortController();

  test.for<[name: string, options: Options, request?: RequestInit]>([
    ['without a signal', { timeout: 50 }],
    ['with a signal', { timeout: 50, signal }],
    ['with the signal of a Request', { timeout: 50 }, { signal }],
    ['for the whole', { totalTimeout: 50 }],
  ])('is a failure %s', async ([, options, request]) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using it = await setUp();
    const headers = new Promise((resolve) => it.breaker.on('success', resolve));

    const text = it.api(new Request(it.url, request), options).text();
    const ended = text.then(
      () => true,
      () => true,
    );
    await headers;
    // ky sets the timer of the body some turns after the headers.
    while (!(await Promise.race([ended, setImmediate(false)]))) vi.advanceTimersByTime(50);

    await expect(text).rejects.toSatisfy(isTimeoutError);
    expect(it.outcomes).toEqual(['success 200', 'amended body-timeout']);
  });
});

describe('a body that the caller leaves stays a success', () => {
  test.for<[name: string, call: (url: string, signal: AbortSignal) => [Request | string, Options]]>(
    [
      ['by a signal', (url, signal) => [url, { signal }]],
      ['by the signal of a Request', (url, signal) => [new Request(url, { signal }), {}]],
    ],
  )('%s', async ([, call]) => {
    await using it = await setUp();
    const controller = new AbortController();

    const response = await it.api(...call(it.url, controller.signal));
    const text = response.text();
    controller.abort();

    await expect(text).rejects.toBe(controller.signal.reason);
    await it.half.left();
    expect(it.outcomes).toEqual(['success 200']);
  });

  test('by the signal of a Request, with a reason that throws', async () => {
    await using it = await setUp();
    const controller = new AbortController();
    const reason = Object.defineProperty({}, 'name', {
      get() {
        throw new Error('hostile');
      },
    });

    const response = await it.api(new Request(it.url, { signal: controller.signal }));
    const chunks = response.body!.getReader();
    await chunks.read();
    const rest = chunks.read();
    controller.abort(reason);

    expect(await rest.catch((error: unknown) => error)).toBe(reason);
    expect(it.outcomes).toEqual(['success 200']);
  });

  test('by cancelling it', async () => {
    await using it = await setUp();

    const response = await it.api(it.url);
    await response.body!.cancel();

    await it.half.left();
    expect(it.outcomes).toEqual(['success 200']);
  });
});

describe('a body that is watched', () => {
  test('can be read in all of ky’s ways', async () => {
    await using it = await setUp();
    it.server.answer = status(200, '{"id":1}');
    const parseJson = (text: string): unknown => [JSON.parse(text)];
    const afterResponse: AfterResponseHook[] = [({ response }) => response];

    expect(await it.api(it.url).json()).toEqual({ id: 1 });
    expect(await it.api(it.url, { parseJson }).json()).toEqual([{ id: 1 }]);
    expect(await (await it.api(it.url, { parseJson })).json()).toEqual([{ id: 1 }]);
    expect(await it.api(it.url, { hooks: { afterResponse } }).text()).toBe('{"id":1}');
    expect((await it.api(it.url).arrayBuffer()).byteLength).toBe(8);
    expect(await it.api(it.url, { onDownloadProgress: () => {} }).text()).toBe('{"id":1}');
    it.server.answer = status(500, '{"id":1}', { 'content-type': 'application/json' });
    await expect(it.api(it.url)).rejects.toMatchObject({ data: { id: 1 } });

    expect(it.outcomes).toEqual([...Array(6).fill('success 200'), 'failure 500']);
  });

  test('that is no JSON stays a success', async () => {
    await using it = await setUp();
    it.server.answer = status(200, 'no JSON');

    await expect(it.api(it.url).json()).rejects.toThrow(SyntaxError);

    expect(it.outcomes).toEqual(['success 200']);
  });
});
