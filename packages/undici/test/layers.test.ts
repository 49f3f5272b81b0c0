import { wrapFetch } from '@recloser/fetch';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Agent, fetch as undiciFetch, H2CClient, interceptors } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import {
  circuitBreakerInterceptor,
  installDispatcher,
  type HttpCircuitBreaker,
} from '../src/index.ts';
import { callsInFlight, endpointBreaker } from '@recloser/test-support/outcomes';
import {
  HeldAnswers,
  redirect,
  routes,
  startServer,
  status,
  type Answer,
} from '@recloser/test-support/server';
import { agent, guard, requestTo, statusOf } from './clients.ts';

type Fetch = (url: string) => Promise<{ readonly status: number; text(): Promise<string> }>;

const atOnce = { minTimeout: 1, maxTimeout: 1 };

/** A failure for all requests but every so manieth. */
function failsBut(every: number): Answer {
  let requests = 0;
  return (...args) => status(++requests % every === 0 ? 200 : 503, 'body')(...args);
}

describe.each([
  ["undici's fetch", undiciFetch as Fetch],
  ["Node's own fetch", fetch as Fetch],
])('%s, guarded by the breaker of the global dispatcher', (_name, inner) => {
  /** Both layers ask one breaker. */
  function stacked(base: Fetch = inner) {
    const guarded = guard();
    const restore = installDispatcher(guarded.breaker);
    const api = wrapFetch(base, guarded.breaker);
    return { ...guarded, api, [Symbol.dispose]: restore };
  }

  test('is counted once', async () => {
    await using server = await startServer(status(200, 'body'));
    using layers = stacked();

    for (let call = 0; call < 3; call++) await (await layers.api(server.url)).text();
    server.answer = status(503);
    await layers.api(server.url);

    expect(layers.outcomes).toEqual(['success 200', 'success 200', 'success 200', 'failure 503']);
    expect(callsInFlight(layers.breaker)).toEqual([0]);
  });

  test('is counted once after the fetch between has awaited', async () => {
    await using server = await startServer(status(200, 'body'));
    using layers = stacked(async (url) => {
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      return inner(url);
    });

    await layers.api(server.url);

    expect(layers.outcomes).toEqual(['success 200']);
  });

  test('is refused once', async () => {
    await using server = await startServer();
    using layers = stacked();
    await layers.api(server.url);
    layers.breaker.control('*').forceOpen({ reason: 'test' });
    layers.outcomes.length = 0;

    await expect(layers.api(server.url)).rejects.toThrow('forced-open');

    expect(layers.outcomes).toEqual(['refused forced-open']);
    expect(server.requests).toHaveLength(1);
  });

  test('is counted once each in a crowd', async () => {
    const held = new HeldAnswers();
    await using server = await startServer(held.answer(status(200)));
    const guarded = guard(endpointBreaker({ maxConcurrentCalls: 50 }));
    const restore = installDispatcher(guarded.breaker);
    const api = wrapFetch(inner, guarded.breaker);

    const calls = Array.from({ length: 50 }, () => api(server.url));
    await held.arrived(50);
    expect(callsInFlight(guarded.breaker)).toEqual([50]);
    held.release();
    await Promise.all(calls);
    restore();

    expect(guarded.outcomes).toEqual(Array(50).fill('success 200'));
  });

  test('is counted once at each of the places that a redirect leads to', async () => {
    await using server = await startServer(
      routes({ '/old': redirect('/new'), '/new': status(503) }),
    );
    using layers = stacked();

    await layers.api(`${server.url}/old`);

    // The fetch by where it was sent to; the dispatcher by where that led.
    expect(layers.outcomes).toEqual(['failure 503', 'failure 503']);
    const lastStatus = (path: string) =>
      layers.breaker.find(`GET ${server.url}${path}`)?.lastFailure?.status;
    expect([lastStatus('/old'), lastStatus('/new')]).toEqual([503, 503]);
  });

  test('is told from others that its fetch makes, and from those that follow', async () => {
    await using server = await startServer(status(200, 'body'));
    using layers = stacked(async (url) => {
      await (await inner(`${url}/token`)).text();
      return inner(url);
    });

    await (await layers.api(server.url)).text();
    await (await inner(server.url)).text();

    expect(server.requests).toEqual(['GET /token', 'GET /', 'GET /']);
    expect(layers.outcomes).toEqual(['success 200', 'success 200', 'success 200']);
  });

  test('is counted by each of two breakers', async () => {
    await using server = await startServer();
    const [above, below] = [guard(), guard()];
    const restore = installDispatcher(below.breaker);

    await wrapFetch(inner, above.breaker)(server.url);
    restore();

    expect(above.outcomes).toEqual(['success 200']);
    expect(below.outcomes).toEqual(['success 200']);
  });
});

describe('one layer', () => {
  const uses: Record<string, (breaker: HttpCircuitBreaker) => void> = {
    'composed once': (breaker) => void new Agent().compose(circuitBreakerInterceptor(breaker)),
    'installed over the dispatchers of two versions': (breaker) => installDispatcher(breaker)(),
  };

  test.for(Object.entries(uses))('%s follows no request across awaits', ([, use]) => {
    const breaker = endpointBreaker();
    use(breaker);
    const storage = vi.spyOn(AsyncLocalStorage.prototype, 'run');

    const admission = breaker.admit({ method: 'GET', url: 'http://x/', original: {} });
    admission.send(() => {});
    admission.released();

    expect(storage).not.toHaveBeenCalled();
    storage.mockRestore();
  });
});

describe('an interceptor', () => {
  test('composed twice counts once', async () => {
    await using server = await startServer();
    const { outcomes, interceptor } = guard();
    await using made = agent();

    await statusOf(made.compose(interceptor, interceptor), server.url);
    await statusOf(made.compose(interceptor).compose(interceptor), server.url);

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test('beside that of another breaker counts for itself', async () => {
    await using server = await startServer(status(503));
    const [one, other] = [guard(), guard()];
    await using made = agent();

    await statusOf(made.compose(one.interceptor, other.interceptor), server.url);

    expect(one.outcomes).toEqual(['failure 503']);
    expect(other.outcomes).toEqual(['failure 503']);
  });

  test('under a guarded fetch counts none of the retries between, whoever opened the connection', async () => {
    await using server = await startServer(failsBut(3));
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor, interceptors.retry(atOnce));
    const api = wrapFetch((url: string) => undiciFetch(url, { dispatcher }), breaker);

    for (let call = 0; call < 3; call++) await (await api(server.url)).text();

    expect(outcomes).toEqual(['success 200', 'success 200', 'success 200']);
    expect(server.requests).toHaveLength(9);
  });

  test('on both sides of a retry counts calls', async () => {
    await using server = await startServer(failsBut(3));
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor, interceptors.retry(atOnce), interceptor);

    for (let call = 0; call < 3; call++) await statusOf(dispatcher, server.url);

    expect(outcomes).toEqual(['success 200', 'success 200', 'success 200']);
    expect(server.requests).toHaveLength(9);
  });

  test('counts a retry although the request that opened the connection is still out', async () => {
    const streams: ServerHttp2Stream[] = [];
    const http2 = createServer().listen(0, '127.0.0.1');
    await once(http2, 'listening');
    const url = `http://127.0.0.1:${(http2.address() as AddressInfo).port}`;
    http2.on('stream', (stream) => {
      streams.push(stream);
      if (streams.length === 1) return;
      stream.respond({ ':status': streams.length < 4 ? 503 : 200 });
      stream.end();
    });
    const { outcomes, interceptor } = guard(endpointBreaker({ maxConcurrentCalls: 2 }));
    const client = new H2CClient(url, { pipelining: 100 });
    const dispatcher = client.compose(interceptor, interceptors.retry(atOnce));
    const hanging = dispatcher.request(requestTo(url));
    await once(http2, 'stream');

    expect(await statusOf(dispatcher, url)).toBe(200);
    streams[0]!.respond({ ':status': 200 });
    streams[0]!.end();
    await (await hanging).body.dump();
    await client.destroy();
    http2.close();

    expect(outcomes).toEqual(['failure 503', 'failure 503', 'success 200', 'success 200']);
  });

  test('counts a request to the same place that a response leads to', async () => {
    await using server = await startServer(status(200, 'body'));
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor);

    await new Promise<void>((resolve, reject) => {
      dispatcher.dispatch(requestTo(server.url), {
        onRequestStart() {},
        onResponseStart() {
          statusOf(dispatcher, server.url).then(() => resolve(), reject);
        },
        onResponseData() {},
        onResponseEnd() {},
        onResponseError: (_controller, error) => reject(error),
      });
    });

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });
});
