import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import {
  hang,
  refusingUrl,
  resetBeforeHeaders,
  startServer,
  status,
} from '@recloser/test-support/server';
import type { AfterResponseHook, KyInstance, Options } from 'ky';
import ky1 from 'ky-1';
import { describe, expect, test, vi } from 'vitest';
import {
  CallNotPermittedError,
  circuitBreaker,
  isDegraded,
  type CircuitBreakerOptions,
} from '../src/index.ts';

// The types of ky 2 fit, but for the arguments of hooks.
const ky = ky1 as unknown as KyInstance;

const retry = { delay: () => 0 };

function setUp(options: CircuitBreakerOptions = {}) {
  const breaker = endpointBreaker(options);
  const api = ky.create({ retry }).extend(circuitBreaker(breaker));
  return { api, breaker, outcomes: outcomesOf(breaker) };
}

describe('ky 1, extended', () => {
  test('counts each attempt once', async () => {
    const answers = [status(503), resetBeforeHeaders, status(200)];
    await using server = await startServer((...args) => answers.shift()!(...args));
    const { api, breaker, outcomes } = setUp();

    expect((await api(server.url)).status).toBe(200);

    expect(outcomes).toEqual(['failure 503', 'failure reset', 'success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('counts each attempt once though it is extended twice', async () => {
    await using server = await startServer(status(503));
    const { api, breaker, outcomes } = setUp();
    const twice = api.extend(circuitBreaker(breaker));

    await expect(twice(server.url, { retry: 0 })).rejects.toThrow('503');

    expect(outcomes).toEqual(['failure 503']);
  });

  test('guards the fetch of its parent', async () => {
    const { breaker, outcomes } = setUp();
    const fetch = vi.fn<() => Promise<Response>>(async () => new Response());

    await ky.create({ fetch }).extend(circuitBreaker(breaker))('http://api.example.com/');

    expect(fetch).toHaveBeenCalledOnce();
    expect(outcomes).toEqual(['success 200']);
  });

  test('is no longer guarded with a fetch that is set later', async () => {
    const { api, outcomes } = setUp();
    const fetch = async (): Promise<Response> => new Response();

    await api('http://api.example.com/', { fetch });

    expect(outcomes).toEqual([]);
  });

  test('gives a refusal itself, once, where the limit of retries is set in an object', async () => {
    for (const given of [
      { limit: 5, ...retry },
      { shouldRetry: () => true, ...retry },
    ]) {
      const { breaker, outcomes } = setUp({ initialState: 'open' });
      const api = ky.create({ retry: given }).extend(circuitBreaker(breaker));

      const call = api('http://api.example.com/', { retry: { limit: 4 } });

      await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
      expect(outcomes).toEqual(['refused open']);
    }
  });

  test('keeps the number of retries of its parent', async () => {
    await using server = await startServer(status(503));
    const api = ky.create({ retry: 1 }).extend(circuitBreaker());

    await expect(api(server.url, { retry })).rejects.toThrow('503');

    expect(server.requests).toHaveLength(2);
  });

  test('repeats a refusal where the call sets a number of retries, or a shouldRetry', async () => {
    for (const given of [1, { limit: 1, shouldRetry: () => true }]) {
      const { api, outcomes } = setUp({ initialState: 'open' });

      const call = api('http://api.example.com/', { retry: given });

      await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
      expect(outcomes).toEqual(['refused open', 'refused open']);
    }
  });

  test('leaves an attempt out whose fetch does not follow its timeout', async () => {
    const { breaker, outcomes } = setUp();
    const fetch = (): Promise<Response> => new Promise(() => {});
    const api = ky.create({ fetch, retry: 0, timeout: 50 }).extend(circuitBreaker(breaker));

    await expect(api('http://api.example.com/')).rejects.toThrow('timed out');

    expect(outcomes).toEqual([]);
    expect(callsInFlight(breaker)).toEqual([1]);
  });

  test('gives each response a clone of its own', async () => {
    const fetch = async (): Promise<Response> => new Response();
    const api = ky.create({ fetch }).extend(circuitBreaker());

    const response = await api('http://api.example.com/');

    expect(Object.getOwnPropertyNames(response)).toEqual(['clone']);
  });

  test('ends in a failure by its own timeout, and by an error of the network', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = setUp();

    await expect(api(server.url, { timeout: 50 })).rejects.toThrow('timed out');
    await expect(api(await refusingUrl(), { retry: 0 })).rejects.toThrow('fetch failed');

    expect(outcomes).toEqual(['failure response-timeout', 'failure refused']);
  });

  test('counts as nothing that the caller left with a reason, as a timeout without one', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = setUp();
    for (const reason of [new Error('left'), undefined]) {
      const controller = new AbortController();
      const arrival = server.arrival();
      const left = api(server.url, { signal: controller.signal, retry: 0 });
      await arrival;
      controller.abort(reason);
      await expect(left).rejects.toBe(controller.signal.reason);
    }

    expect(outcomes).toEqual(['ignored cancel', 'failure response-timeout']);
  });

  test('answers with the fallback', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const fallback = () => new Response('stored');
    const api = ky.extend(circuitBreaker(breaker, { fallback }));

    const response = await api('http://api.example.com/');

    expect(await response.text()).toBe('stored');
    expect(isDegraded(response)).toBe(true);
  });

  test('leaves out a call by the option itself, which ky hands on to fetch', async () => {
    const { api, outcomes } = setUp({ initialState: 'open' });
    const leftOut: Options & { readonly circuitBreaker: false } = { circuitBreaker: false };
    await using server = await startServer(status(200));

    expect((await api(server.url, leftOut)).status).toBe(200);
    expect(outcomes).toEqual([]);
  });

  test('leaves out an instance by its context, and no call', async () => {
    const { breaker, outcomes } = setUp({ initialState: 'open' });
    const context = { circuitBreaker: false };
    const fetch = async (): Promise<Response> => new Response();
    const parent = ky.create({ fetch, retry: 0 });

    await parent.extend({ context }).extend(circuitBreaker(breaker))('http://api.example.com/');
    const call = parent.extend(circuitBreaker(breaker))('http://api.example.com/', { context });

    await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
    expect(outcomes).toEqual(['refused open']);
  });

  test('counts as nothing that the caller left by a signal of the instance', async () => {
    await using server = await startServer(hang);
    const { breaker, outcomes } = setUp();
    const controller = new AbortController();
    const parent = ky.create({ signal: controller.signal, retry: 0 });

    const arrival = server.arrival();
    const left = parent.extend(circuitBreaker(breaker))(server.url);
    await arrival;
    controller.abort();

    await expect(left).rejects.toBe(controller.signal.reason);
    expect(outcomes).toEqual(['ignored cancel']);
  });

  test('answers with the fallback neither its own timeout nor a caller that leaves', async () => {
    await using server = await startServer(hang);
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const fallback = vi.fn<() => Response>(() => new Response('stored'));
    const guard = circuitBreaker(breaker, { fallback, fallbackOn: 'failure' });
    const api = ky.create({ retry: 0 }).extend(guard);
    const controller = new AbortController();

    await expect(api(server.url, { timeout: 50 })).rejects.toThrow('timed out');
    const arrival = server.arrival();
    const left = api(server.url, { signal: controller.signal });
    await arrival;
    controller.abort();

    await expect(left).rejects.toBe(controller.signal.reason);
    expect(fallback).not.toHaveBeenCalled();
    expect(outcomes).toEqual(['failure response-timeout', 'failure response-timeout']);
  });

  test('marks the answer of a fallback for hooks of a later extend, and repeats it not', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const outcomes = outcomesOf(breaker);
    const fallback = () => new Response('stored', { status: 503 });
    const seen: boolean[] = [];
    const hook = (_request: unknown, _options: unknown, response: Response): Response => {
      seen.push(isDegraded(response));
      return response;
    };
    const hooks = { afterResponse: [hook as unknown as AfterResponseHook] };
    const api = ky.create({ retry }).extend(circuitBreaker(breaker, { fallback }));

    await expect(api.extend({ hooks })('http://api.example.com/')).rejects.toThrow('503');

    expect(seen).toEqual([true]);
    expect(outcomes).toEqual(['refused open']);
  });
});
