import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import {
  Agent,
  BalancedPool,
  EnvHttpProxyAgent,
  fetch as undiciFetch,
  MockAgent,
  ProxyAgent,
} from 'undici';
import { Agent as Agent7, fetch as fetch7 } from 'undici-7';
import { describe, expect, test } from 'vitest';
import {
  circuitBreakerInterceptor,
  isCallNotPermitted,
  isDegraded,
  reportFailure,
} from '../src/index.ts';
import { callsInFlight, endpointBreaker } from '@recloser/test-support/outcomes';
import { HalfBody, refusingUrl, startServer, status } from '@recloser/test-support/server';
import { guard, requestTo, statusOf } from './clients.ts';

/** A proxy that tunnels, unless it is to refuse that. */
async function startProxy() {
  const tunnels: string[] = [];
  let refusal: number | undefined;
  const sockets = new Set<Duplex>();
  const http = createServer();
  http.on('connect', ({ url }, client: Duplex) => {
    tunnels.push(url!);
    sockets.add(client.on('error', () => {}));
    if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const [host, port] = url!.split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    sockets.add(target.on('error', () => client.destroy()));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    tunnels,
    refuse(code: number) {
      refusal = code;
    },
    async [Symbol.asyncDispose]() {
      http.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('behind a ProxyAgent', () => {
  test('a request is known by where it goes, and the proxy has no key', async () => {
    await using server = await startServer(status(503));
    await using proxy = await startProxy();
    const { breaker, outcomes, interceptor } = guard();
    const made = new ProxyAgent({ uri: proxy.url, proxyTunnel: true });

    expect(await statusOf(made.compose(interceptor), server.url)).toBe(503);
    await made.close();

    expect(proxy.tunnels).toEqual([new URL(server.url).host]);
    expect(outcomes).toEqual(['failure 503']);
    expect(breaker.snapshot().breakers.map(({ key }) => key)).toEqual([`GET ${server.url}/`]);
  });

  test('a proxy that makes no tunnel is a failure of the host', async () => {
    await using server = await startServer();
    await using proxy = await startProxy();
    proxy.refuse(502);
    const { breaker, outcomes, interceptor } = guard(endpointBreaker({}, { level: 'both' }));
    const made = new EnvHttpProxyAgent({ httpProxy: proxy.url, proxyTunnel: true, noProxy: '' });

    const call = statusOf(made.compose(interceptor), server.url);

    await expect(call).rejects.toThrow('502');
    await made.close();
    expect(outcomes).toEqual(['failure unreachable']);
    expect(callsInFlight(breaker)).toEqual([0, 0]);
  });

  test('a proxy that is not there is no failure of the endpoint, but of the host', async () => {
    const { breaker, outcomes, interceptor } = guard(endpointBreaker({}, { level: 'both' }));
    const made = new ProxyAgent({ uri: await refusingUrl(), proxyTunnel: true });

    const call = statusOf(made.compose(interceptor), 'http://api.example.com/');

    await expect(call).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await made.close();
    expect(outcomes).toEqual(['failure refused']);
    expect(breaker.find('http://api.example.com')!.lastFailure).toMatchObject({ kind: 'refused' });
  });
});

describe('a MockAgent with the breaker composed over it', () => {
  test('replies, fails and matches nothing as without it', async () => {
    const mocks = new MockAgent();
    mocks.disableNetConnect();
    const pool = mocks.get('http://api.example.com');
    pool.intercept({ path: '/' }).reply(200, 'mocked');
    pool.intercept({ path: '/' }).reply(503, 'mocked');
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    pool.intercept({ path: '/' }).replyWithError(reset);
    const { breaker, outcomes, interceptor } = guard();
    const dispatcher = mocks.compose(interceptor);
    const url = 'http://api.example.com/';

    const { body } = await dispatcher.request(requestTo(url));
    expect(await body.text()).toBe('mocked');
    expect((await undiciFetch(url, { dispatcher })).status).toBe(503);
    await expect(statusOf(dispatcher, url)).rejects.toBe(reset);
    await expect(statusOf(dispatcher, url)).rejects.toMatchObject({
      code: 'UND_MOCK_ERR_MOCK_NOT_MATCHED',
    });

    expect(outcomes).toEqual(['success 200', 'failure 503', 'failure reset', 'ignored local']);
    expect(callsInFlight(breaker)).toEqual([0]);
    await mocks.close();
  });

  test('shows that nothing is sent while the breaker is open', async () => {
    const mocks = new MockAgent({ enableCallHistory: true });
    mocks.disableNetConnect();
    const { breaker, interceptor } = guard();
    breaker.control('*').forceOpen({ reason: 'test' });

    const call = statusOf(mocks.compose(interceptor), 'http://api.example.com/');

    await expect(call).rejects.toThrow('forced-open');
    expect(mocks.getCallHistory()!.calls()).toEqual([]);
    await mocks.close();
  });

  test('counts a delayed reply that the caller does not wait for as nothing', async () => {
    const mocks = new MockAgent();
    mocks.get('http://api.example.com').intercept({ path: '/' }).reply(200).delay(60_000);
    const { breaker, outcomes, interceptor } = guard();
    const controller = new AbortController();

    const call = statusOf(mocks.compose(interceptor), 'http://api.example.com/', {
      signal: controller.signal,
    });
    controller.abort();

    await expect(call).rejects.toThrow('aborted');
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
    await mocks.close();
  });
});

describe('a BalancedPool with the breaker composed over it', () => {
  test('is guarded as one where the request names an origin', async () => {
    await using one = await startServer(status(503));
    await using other = await startServer(status(503));
    const { breaker, outcomes, interceptor } = guard();
    const pool = new BalancedPool([one.url, other.url]);
    const dispatcher = pool.compose(interceptor);

    for (let call = 0; call < 4; call++) {
      await statusOf(dispatcher, 'http://api.example.com/users');
    }
    await pool.close();

    expect(outcomes).toEqual(Array(4).fill('failure 503'));
    expect(breaker.snapshot().breakers).toHaveLength(1);
  });
});

describe('undici 7.1', () => {
  test('is guarded in its request and its fetch', async () => {
    const half = new HalfBody();
    await using server = await startServer(status(200, 'body'));
    const { breaker, outcomes } = guard();
    const made = new Agent7();
    const dispatcher = made.compose(circuitBreakerInterceptor(breaker));
    const { origin } = new URL(server.url);
    const { body } = await dispatcher.request({ origin, path: '/', method: 'GET' });
    expect(await body.text()).toBe('body');
    server.answer = half.answer;

    const response = await fetch7(server.url, { dispatcher });
    half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    breaker.control('*').forceOpen({ reason: 'test' });
    const refused: unknown = await fetch7(server.url, { dispatcher }).catch(
      (error: unknown) => error,
    );
    expect(isCallNotPermitted(refused)).toBe(true);
    expect(outcomes.slice(0, 3)).toEqual(['success 200', 'success 200', 'amended reset']);
    await made.close();
  });

  test('makes its headers anew, so that nothing tells its response from another', async () => {
    await using server = await startServer();
    const { breaker } = guard();
    const made = new Agent7();
    const fallback = () => ({ headers: { 'x-from': 'fallback' }, body: 'from the fallback' });
    const dispatcher = made.compose(circuitBreakerInterceptor(breaker, { fallback }));
    const { origin } = new URL(server.url);

    const real = await dispatcher.request({ origin, path: '/', method: 'GET' });
    await real.body.dump();
    expect(reportFailure(real, 'a failure')).toBe(false);
    breaker.control('*').forceOpen({ reason: 'test' });
    const degraded = await dispatcher.request({ origin, path: '/', method: 'GET' });

    expect(degraded.headers).toMatchObject({ 'x-from': 'fallback' });
    expect(await degraded.body.text()).toBe('from the fallback');
    expect(isDegraded(degraded)).toBe(false);
    await made.close();
  });
});

test("a refusal is told even where Node's own fetch can not use the dispatcher of undici 8", async () => {
  const { breaker, interceptor } = guard();
  breaker.control('*').forceOpen({ reason: 'test' });
  const dispatcher = new Agent().compose(interceptor);

  const call = fetch('http://api.example.com/', { dispatcher } as object);

  expect(isCallNotPermitted(await call.catch((error: unknown) => error))).toBe(true);
});
