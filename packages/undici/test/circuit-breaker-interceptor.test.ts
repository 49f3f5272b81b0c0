import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { PassThrough, pipeline, Readable, Writable, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Agent, Client, fetch as undiciFetch, Pool, WebSocket, type Dispatcher } from 'undici';
import { Agent as Agent7, Client as Client7 } from 'undici-7';
import { describe, expect, test } from 'vitest';
import {
  circuitBreakerInterceptor,
  HttpCircuitBreaker,
  isCallNotPermitted,
  ManualClock,
  reportFailure,
} from '../src/index.ts';
import { callsInFlight, endpointBreaker } from '@recloser/test-support/outcomes';
import {
  HalfBody,
  hang,
  HeldAnswers,
  routes,
  startServer,
  status,
} from '@recloser/test-support/server';
import { agent, guard, requestTo, statusOf } from './clients.ts';

/** A server that also takes upgrades and CONNECT. */
async function startSocketServer() {
  const requests: string[] = [];
  const http = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('body');
  });
  http.on('upgrade', ({ method, url, headers }, socket: Duplex) => {
    requests.push(`${method} ${url}`);
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: ${headers.upgrade}\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
  });
  let connectStatus = 200;
  http.on('connect', ({ method, url }, socket: Duplex) => {
    requests.push(`${method} ${url}`);
    socket.on('error', () => {});
    socket.write(`HTTP/1.1 ${connectStatus} As Asked\r\n\r\n`);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    set connectStatus(code: number) {
      connectStatus = code;
    },
    async [Symbol.asyncDispose]() {
      http.close();
      http.closeAllConnections();
    },
  };
}

type Way = (dispatcher: Dispatcher, url: string) => Promise<unknown>;

const ways: Record<string, { way: Way; outcome: string; refusal?: 'in its cause' | 'not told' }> = {
  request: {
    outcome: 'success 200',
    way: async (dispatcher, url) =>
      expect(await (await dispatcher.request(requestTo(url))).body.text()).toBe('body'),
  },
  'request with a callback': {
    outcome: 'success 200',
    way: (dispatcher, url) =>
      new Promise((resolve, reject) => {
        dispatcher.request(requestTo(url), (error, data) =>
          error ? reject(error) : resolve(data.body.text()),
        );
      }),
  },
  stream: {
    outcome: 'success 200',
    way: async (dispatcher, url) => {
      const sink = new Sink();
      await dispatcher.stream(requestTo(url), () => sink);
      expect(sink.text).toBe('body');
    },
  },
  pipeline: {
    outcome: 'success 200',
    way: async (dispatcher, url) => {
      const duplex = dispatcher.pipeline(requestTo(url), ({ body }) => body);
      expect(await text(duplex.end())).toBe('body');
    },
  },
  upgrade: {
    outcome: 'success 101',
    way: async (dispatcher, url) => {
      const { socket } = await dispatcher.upgrade({
        ...requestTo(url),
        protocol: 'something',
      } as Dispatcher.UpgradeOptions);
      socket.destroy();
    },
  },
  connect: {
    outcome: 'success 200',
    way: async (dispatcher, url) => {
      const { socket } = await dispatcher.connect({ origin: url, path: 'elsewhere:80' });
      socket.destroy();
    },
  },
  fetch: {
    outcome: 'success 200',
    refusal: 'in its cause',
    way: async (dispatcher, url) =>
      expect(await (await undiciFetch(url, { dispatcher })).text()).toBe('body'),
  },
  WebSocket: {
    outcome: 'success 101',
    // It says nothing of what failed.
    refusal: 'not told',
    way: (dispatcher, url) =>
      new Promise<void>((resolve, reject) => {
        const socket = new WebSocket(url.replace('http', 'ws'), { dispatcher });
        socket.addEventListener('open', () => {
          socket.close();
          resolve();
        });
        socket.addEventListener('error', ({ error }) => reject(error));
      }),
  },
};

class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

describe.each(Object.entries(ways))('%s', (_name, { way, outcome, refusal }) => {
  test('counts once', async () => {
    await using server = await startSocketServer();
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();

    await way(made.compose(interceptor), server.url);

    expect(outcomes).toEqual([outcome]);
    expect(callsInFlight(breaker)).toEqual([0]);
    expect(server.requests).toHaveLength(1);
  });

  test('fails by the refusal where the breaker is open, and nothing is sent', async () => {
    await using server = await startSocketServer();
    const { breaker, outcomes, interceptor } = guard();
    breaker.control('*').forceOpen({ reason: 'test' });
    await using made = agent();

    const error: unknown = await way(made.compose(interceptor), server.url).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );

    expect(isCallNotPermitted(error)).toBe(refusal !== 'not told');
    const { name, code } = error as NodeJS.ErrnoException;
    expect([name, code]).toEqual(
      refusal === undefined
        ? ['CallNotPermittedError', 'ERR_CALL_NOT_PERMITTED']
        : ['TypeError', undefined],
    );
    expect(outcomes).toEqual(['closed to forced-open', 'refused forced-open']);
    expect(server.requests).toEqual([]);
  });
});

test('a refused pipeline can be piped into, as it can be where connecting fails', async () => {
  const { breaker, interceptor } = guard();
  breaker.control('*').forceOpen({ reason: 'test' });
  await using made = agent();
  const options = requestTo('http://api.example.invalid/', { method: 'PUT' });
  const duplex = made.compose(interceptor).pipeline(options, ({ body }) => body);

  const piped = promisify(pipeline)(Readable.from(['upload']), duplex, new PassThrough());

  expect(isCallNotPermitted(await piped.catch((error: unknown) => error))).toBe(true);
});

describe('a response', () => {
  test('is the very one of undici, with its headers', async () => {
    await using server = await startServer(status(200, 'body', { 'x-one': ['1', '2'] }));
    await using made = agent();

    const bare = await made.request(requestTo(server.url));
    const guarded = await made
      .compose(circuitBreakerInterceptor())
      .request(requestTo(server.url, { responseHeaders: 'raw' }));
    const parsed = await made.compose(circuitBreakerInterceptor()).request(requestTo(server.url));

    expect(await guarded.body.text()).toBe('body');
    expect(guarded.headers).toBeInstanceOf(Array);
    expect(reportFailure(guarded, 'its headers were made anew')).toBe(false);
    const { date: _, ...headers } = bare.headers;
    expect(parsed.headers).toMatchObject(headers);
    await Promise.all([bare.body.dump(), parsed.body.dump()]);
  });

  test('is told by its headers to reportFailure', async () => {
    await using server = await startServer(status(200, '{"errors":["none"]}'));
    const { outcomes, interceptor } = guard();
    await using made = agent();

    const response = await made.compose(interceptor).request(requestTo(server.url));

    expect(await response.body.json()).toHaveProperty('errors');
    expect(reportFailure(response, 'errors')).toBe(true);
    expect(reportFailure(response, 'errors')).toBe(false);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });

  test('to CONNECT counts by its status', async () => {
    await using server = await startSocketServer();
    server.connectStatus = 503;
    const { outcomes, interceptor } = guard();
    await using made = agent();

    const { statusCode, socket } = await made
      .compose(interceptor)
      .connect({ origin: server.url, path: 'elsewhere:80' });
    socket.destroy();

    expect(statusCode).toBe(503);
    expect(outcomes).toEqual(['failure 503']);
  });

  test('that is no upgrade counts by its status', async () => {
    await using server = await startServer(status(503));
    const { outcomes, interceptor } = guard();
    await using made = agent();

    const upgrade = made.compose(interceptor).upgrade(requestTo(server.url));

    await expect(upgrade).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(outcomes).toEqual(['failure 503']);
  });

  test('comes as slowly as its handler takes it', async () => {
    const size = 8 * 1024 * 1024;
    await using server = await startServer(
      routes({ '/': status(200), '/large': status(200, 'x'.repeat(size)) }),
    );
    await using made = agent();
    const dispatcher = made.compose(circuitBreakerInterceptor());
    let length = 0;

    const ended = new Promise<void>((resolve, reject) => {
      dispatcher.dispatch(requestTo(`${server.url}/large`), {
        onRequestStart() {},
        onResponseData(controller, chunk) {
          length += chunk.length;
          controller.pause();
          const paused = length;
          // Long enough for more to come.
          statusOf(dispatcher, server.url).then(() => {
            if (length === paused) controller.resume();
            else reject(new Error('more came'));
          }, reject);
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      });
    });

    await ended;
    expect(length).toBe(size);
  });
});

describe('a consumer', () => {
  test('that destroys the body of a success amends nothing', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { outcomes, interceptor } = guard();
    await using made = agent();

    const { body } = await made.compose(interceptor).request(requestTo(server.url));
    body.on('error', () => {}).destroy(new Error('enough'));
    await half.left();

    expect(outcomes).toEqual(['success 200']);
  });

  test('whose own stream fails amends nothing', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const sink = new Writable({ write: (_chunk, _encoding, done) => done(full) });

    const stream = made.compose(interceptor).stream(requestTo(server.url), () => sink);

    await expect(stream).rejects.toBe(full);
    await half.left();
    expect(outcomes).toEqual(['success 200']);
  });

  test('whose own code throws amends nothing', async () => {
    await using server = await startServer(status(200, 'body'));
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const bug = Object.assign(new Error('a bug'), { code: 'ECONNRESET' });

    const stream = made.compose(interceptor).stream(requestTo(server.url), () => {
      throw bug;
    });

    await expect(stream).rejects.toBe(bug);
    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('of fetch that aborts with an error of its own counts as nothing', async () => {
    await using server = await startServer(hang);
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor);
    const controller = new AbortController();
    const mine = Object.assign(new Error('mine'), { code: 'ECONNRESET' });

    const call = undiciFetch(server.url, { dispatcher, signal: controller.signal });
    await server.arrival();
    controller.abort(mine);

    await expect(call).rejects.toBe(mine);
    expect(outcomes).toEqual(['ignored cancel']);
  });

  test.for([
    ['before there is a connection', 0],
    ['while it is sent', 1],
  ] as const)('whose upload fails %s counts as nothing', async ([, chunks]) => {
    await using server = await startServer(hang);
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const reset = Object.assign(new Error('of another dependency'), { code: 'ECONNRESET' });
    const body = new PassThrough();
    if (chunks > 0) body.write('a part');

    const call = statusOf(made.compose(interceptor), server.url, { method: 'PUT', body });
    if (chunks > 0) await server.arrival();
    body.destroy(reset);

    await expect(call).rejects.toBe(reset);
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('may abort by an EventEmitter', async () => {
    await using server = await startServer(hang);
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const signal = new EventEmitter();

    const call = made.compose(interceptor).request(requestTo(server.url, { signal }));
    await server.arrival();
    signal.emit('abort');

    await expect(call).rejects.toMatchObject({ code: 'UND_ERR_ABORTED' });
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('that has aborted already is not asked about', async () => {
    await using server = await startServer();
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor);
    const signal = AbortSignal.abort();

    await expect(statusOf(dispatcher, server.url, { signal })).rejects.toBe(signal.reason);
    await expect(undiciFetch(server.url, { dispatcher, signal })).rejects.toBe(signal.reason);

    expect(outcomes).toEqual([]);
  });

  test('that is still in the queue when it leaves gives its permit back', async () => {
    await using server = await startServer(hang);
    const { breaker, outcomes, interceptor } = guard(endpointBreaker({ maxConcurrentCalls: 2 }));
    await using made = agent({ connections: 1 });
    const dispatcher = made.compose(interceptor);
    const arrival = server.arrival();
    const first = statusOf(dispatcher, server.url).catch(() => undefined);
    await arrival;
    const controller = new AbortController();

    const queued = statusOf(dispatcher, server.url, { signal: controller.signal });
    controller.abort();

    await expect(queued).rejects.toThrow('aborted');
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([1]);
    await made.destroy();
    await first;
  });

  test.for([
    [
      "undici's fetch",
      8,
      (url: string, dispatcher: Dispatcher, signal: AbortSignal) =>
        undiciFetch(url, { dispatcher, signal }),
    ],
    [
      'request of undici 7',
      7,
      (url: string, dispatcher: Dispatcher, signal: AbortSignal) =>
        dispatcher.request(requestTo(url, { signal })),
    ],
  ] as const)(
    'of %s that leaves the queue is gone when its turn comes',
    async ([, version, call]) => {
      const held = new HeldAnswers();
      await using server = await startServer(held.answer(status(200)));
      const { breaker, outcomes } = guard(endpointBreaker({ maxConcurrentCalls: 2 }));
      const made = version === 7 ? new Agent7({ connections: 1 }) : new Agent({ connections: 1 });
      const dispatcher = (made as Agent).compose(circuitBreakerInterceptor(breaker));
      const first = statusOf(dispatcher, server.url);
      await held.arrived(1);
      const controller = new AbortController();

      const queued = call(server.url, dispatcher, controller.signal);
      controller.abort();
      const before = await Promise.race([
        queued.catch(() => callsInFlight(breaker)),
        new Promise((resolve) => setImmediate(() => resolve(callsInFlight(breaker)))),
      ]);
      held.release();
      await first;
      await queued.catch(() => undefined);
      await statusOf(dispatcher, server.url);
      await made.destroy();

      expect(before).toEqual([2]);
      expect(outcomes.toSorted()).toEqual(['ignored cancel', 'success 200', 'success 200']);
      expect(callsInFlight(breaker)).toEqual([0]);
    },
  );
});

describe('a request', () => {
  test('of options that no client takes fails by itself, and the permit goes back', async () => {
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor);
    const wrong = [
      { headers: 'none' },
      { body: 42 },
      { headersTimeout: -1 },
      { method: 'NO METHOD' },
      { path: 'relative' },
    ];

    for (const options of wrong) {
      const call = statusOf(dispatcher, 'http://127.0.0.1:1/', options as object);
      await expect(call).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
    }

    expect(new Set(outcomes)).toEqual(new Set(['ignored local']));
    expect(callsInFlight(breaker).filter((calls) => calls !== 0)).toEqual([]);
    expect(() => dispatcher.dispatch(undefined as never, undefined as never)).toThrow('handler');
    await expect(dispatcher.request(undefined as never)).rejects.toThrow('opts');
  });

  test('that a dispatcher throws out ends, and the caller gets what it threw', async () => {
    const { breaker, outcomes } = guard();
    const throwing: Dispatcher['dispatch'] = () => {
      throw new RangeError('no more');
    };
    const broken = circuitBreakerInterceptor(breaker)(throwing);

    expect(() => broken(requestTo('http://api.example.com'), {})).toThrow(RangeError);

    expect(outcomes).toEqual(['ignored unknown']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('over a dispatcher that is closed counts as nothing', async () => {
    const { breaker, outcomes, interceptor } = guard();
    const made = agent();
    await made.close();

    const call = statusOf(made.compose(interceptor), 'http://127.0.0.1:1');

    await expect(call).rejects.toThrow('destroyed');

    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('is known by its origin, however that is given, and by its path without the query', async () => {
    await using server = await startServer();
    const { breaker, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor);

    await statusOf(dispatcher, `${server.url}/users/42?page=1`);
    await statusOf(dispatcher, server.url, {
      origin: new URL(server.url),
      path: '/users/43',
      query: { page: 2 },
    });
    await statusOf(dispatcher, server.url, { origin: `${server.url}/`, path: '/users/44' });

    expect(breaker.snapshot().breakers).toMatchObject([
      { key: `GET ${server.url}/users/:id`, numberOfBufferedCalls: 3 },
    ]);
  });

  test('of a Client or a Pool is known by the origin of that', async () => {
    await using server = await startServer();
    const { breaker, interceptor } = guard();

    for (const made of [new Client(server.url), new Pool(server.url)]) {
      const { body } = await made.compose(interceptor).request({ path: '/', method: 'GET' });
      await body.dump();
      await made.close();
    }

    expect(breaker.snapshot()).toMatchObject({ unguarded: 0 });
    expect(breaker.find(`GET ${server.url}/`)!.metrics().numberOfSuccessfulCalls).toBe(2);
  });

  test('of a Client of undici 7 is guarded where it says its origin', async () => {
    await using server = await startServer();
    const { breaker } = guard();
    const made = new Client7(server.url);
    const dispatcher = made.compose(circuitBreakerInterceptor(breaker));

    for (const origin of [undefined, server.url]) {
      const { body } = await dispatcher.request({
        ...(origin && { origin }),
        path: '/',
        method: 'GET',
      });
      await body.dump();
    }
    await made.close();

    expect(breaker.snapshot()).toMatchObject({ unguarded: 1 });
    expect(breaker.find(`GET ${server.url}/`)!.metrics().numberOfSuccessfulCalls).toBe(1);
  });

  test('shows its options to a partition function', async () => {
    await using server = await startServer();
    const breaker = new HttpCircuitBreaker({
      level: 'endpoint',
      partition: ({ original }) => (original as Dispatcher.RequestOptions<string>).opaque,
    });
    await using made = agent();

    const opaque = 'tenant' as unknown as null;
    await statusOf(made.compose(circuitBreakerInterceptor(breaker)), server.url, { opaque });

    expect(breaker.snapshot().breakers.map(({ key }) => key)).toEqual([
      expect.stringContaining('tenant'),
    ]);
  });

  test('takes until its headers, with the time that it waits for a connection', async () => {
    const clock = new ManualClock();
    await using server = await startServer((_, response) => {
      clock.advance(1000);
      response.end('body');
    });
    const breaker = endpointBreaker({ maxConcurrentCalls: 2 }, { clock });
    const elapsed: number[] = [];
    breaker.on('success', (event) => elapsed.push(event.elapsed));
    await using made = agent({ connections: 1 });
    const dispatcher = made.compose(circuitBreakerInterceptor(breaker));

    await Promise.all([statusOf(dispatcher, server.url), statusOf(dispatcher, server.url)]);

    expect(elapsed).toEqual([1000, 2000]);
  });

  test('with circuitBreaker: false is neither counted nor refused', async () => {
    await using server = await startSocketServer();
    const { breaker, outcomes, interceptor } = guard();
    breaker.control('*').forceOpen({ reason: 'test' });
    await using made = agent();
    const dispatcher = made.compose(interceptor);
    const leftOut = { ...requestTo(server.url), circuitBreaker: false } as const;

    await (await dispatcher.request(leftOut)).body.dump();
    (
      await dispatcher.connect({ origin: server.url, path: 'x:1', circuitBreaker: false })
    ).socket.destroy();
    (await dispatcher.upgrade(leftOut)).socket.destroy();

    expect(outcomes).toEqual([]);
    expect(server.requests).toEqual(['GET /', 'CONNECT x:1', 'GET /']);
  });

  test('that is refused has its body destroyed, as one that fails', async () => {
    const { breaker, interceptor } = guard();
    breaker.control('*').forceOpen({ reason: 'test' });
    await using made = agent();
    const body = Readable.from(['never read']);

    const call = statusOf(made.compose(interceptor), 'http://127.0.0.1:1', { method: 'PUT', body });

    await expect(call).rejects.toThrow('forced-open');
    expect(body.destroyed).toBe(true);
  });

  test('of options that the caller goes on using leaves them as they are', async () => {
    await using server = await startServer();
    await using made = agent();
    const options = Object.freeze(requestTo(server.url));

    const dispatcher = made.compose(circuitBreakerInterceptor());
    await (await dispatcher.request(options)).body.dump();

    expect(options).toEqual(requestTo(server.url));
  });
});

describe('half-open', () => {
  test('lets exactly the trial calls through, of however many', async () => {
    const clock = new ManualClock();
    await using server = await startServer(status(503));
    const breaker = endpointBreaker(
      {
        maxConcurrentCalls: 1000,
        consecutiveFailureThreshold: 1,
        waitDurationInOpenState: 1000,
        permittedNumberOfCallsInHalfOpenState: 3,
      },
      { clock },
    );
    const { outcomes, interceptor } = guard(breaker);
    await using made = agent();
    const dispatcher = made.compose(interceptor);
    await statusOf(dispatcher, server.url);
    server.answer = status(200);
    clock.advance(1001);

    await Promise.allSettled(Array.from({ length: 1000 }, () => statusOf(dispatcher, server.url)));

    expect(server.requests).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'success 200')).toHaveLength(3);
    expect(outcomes.at(-1)).toBe('half-open to closed');
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('what is wrong', () => {
  test('with the options is said at once', () => {
    const make = (...args: unknown[]): unknown =>
      (circuitBreakerInterceptor as (...all: unknown[]) => unknown)(...args);

    expect(() => make({ breaker: { failureRateThreshold: 0 } })).toThrow(RangeError);
    expect(() => make({ failureRateThreshold: 40 })).toThrow(/belongs under/);
    expect(() => make({ fallback: () => ({}) })).toThrow(/argument after/);
    expect(() => make({}, { fallback: 'text' })).toThrow(/fallback/);
    expect(() => make({}, endpointBreaker())).toThrow(/hand it over in place of the options/);
    expect(() => make({ hostBreaker: endpointBreaker() })).toThrow(/hand it over in place of/);
    expect(() => make(agent())).toThrow(/must be a plain object, but is an? \w*Agent/);
    expect(() => make({}, { fallbackon: 'failure' })).toThrow(/did you mean 'fallbackOn'/);
    expect(() => make({}, { fallbackOn: 'failure' })).toThrow(/without a fallback/);
  });

  test('with an interceptor that was not called is said by compose', () => {
    const uncalled =
      circuitBreakerInterceptor as unknown as Dispatcher.DispatcherComposeInterceptor;
    expect(() => agent().compose(uncalled)).toThrow(/must be called/);
  });
});
