import got from 'got';
import { once } from 'node:events';
import http from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { callsInFlight } from '@recloser/test-support/outcomes';
import {
  aRoundTrip,
  closeBeforeHeaders,
  HalfBody,
  hang,
  redirect,
  resetBeforeHeaders,
  routes,
  startServer,
  status,
  type Answer,
} from '@recloser/test-support/server';
import { reportFailure } from '../src/index.ts';
import { errorOf, guarded, inTurn, oneRetry } from './guarded.ts';

describe('an attempt', () => {
  test('gives its permit back before got waits for the next', async () => {
    await using server = await startServer(inTurn(closeBeforeHeaders, status(503), status(200)));
    const { api, breaker, outcomes } = guarded();
    const out: number[][] = [];

    await api(server.url, {
      retry: {
        limit: 2,
        calculateDelay: () => {
          out.push(callsInFlight(breaker));
          return 1;
        },
      },
    });

    expect(out).toEqual([[0], [0]]);
    expect(outcomes).toEqual(['failure reset', 'failure 503', 'success 200']);
  });

  test('that is the last gives its permit back before hooks make something of its error', async () => {
    await using server = await startServer(resetBeforeHeaders);
    const { api, breaker, outcomes } = guarded();
    const out: number[][] = [];
    const beforeError = async (error: Error): Promise<Error> => {
      out.push(callsInFlight(breaker));
      return error;
    };

    await errorOf(api(server.url, { hooks: { beforeError: [beforeError] } }));

    expect(out).toEqual([[0]]);
    expect(outcomes).toEqual(['failure reset']);
  });

  test('whose error a later handler swallows is counted all the same', async () => {
    await using server = await startServer(resetBeforeHeaders);
    const { api, outcomes } = guarded();
    const swallowing = api.extend({
      handlers: [
        (options, next) =>
          (async () => {
            try {
              return await next(options);
            } catch {
              return { statusCode: 200, body: 'swallowed' };
            }
          })() as never,
      ],
    });

    expect(await swallowing(server.url)).toMatchObject({ body: 'swallowed' });
    expect(outcomes).toEqual(['failure reset']);
  });

  test('that a hook of afterResponse repeats is two', async () => {
    await using server = await startServer((request, response) => {
      response.writeHead(request.headers['authorization'] ? 200 : 401).end();
    });
    const { api, outcomes } = guarded();

    await api(server.url, {
      hooks: {
        afterResponse: [
          (response, retry) =>
            response.statusCode === 401 ? retry({ headers: { authorization: 'new' } }) : response,
        ],
      },
    });

    expect(outcomes).toEqual(['success 401', 'success 200']);
  });

  test('speaks by its status, not by what a hook after it runs into', async () => {
    const half = new HalfBody();
    await using other = await startServer(half.answer);
    await using server = await startServer(status(200, 'whole'));
    const { api, breaker, outcomes } = guarded();
    const afterResponse = async (): Promise<never> => {
      void half.sent.then(() => half.cut());
      return got(other.url, { retry: { limit: 0 } }) as never;
    };

    const error = await errorOf(api(server.url, { hooks: { afterResponse: [afterResponse] } }));

    expect(error).toMatchObject({ name: 'ReadError' });
    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('speaks by its status where its JSON is none', async () => {
    await using server = await startServer(status(200, '<html>'));
    const { api, outcomes } = guarded();

    expect(await errorOf(api(server.url, { responseType: 'json' }))).toMatchObject({
      name: 'ParseError',
    });

    expect(outcomes).toEqual(['success 200']);
  });

  test('is not seen where a hook replaces the list of hooks', async () => {
    await using server = await startServer();
    const { api, outcomes } = guarded();
    const replacing = api.extend({
      handlers: [
        (options, next) => {
          options.hooks.beforeRequest = [];
          return next(options);
        },
      ],
    });

    await replacing(server.url);

    expect(outcomes).toEqual([]);
  });

  test('that is not sent, for a hook that throws or a URL that is none, is none', async () => {
    const { api, outcomes } = guarded();
    const beforeRequest = (): never => {
      throw new Error('mine');
    };

    const hooked = api('http://localhost:1/', { hooks: { beforeRequest: [beforeRequest] } });

    await expect(hooked).rejects.toThrow('mine');
    await expect(api('no url')).rejects.toThrow('Invalid URL');
    expect(outcomes).toEqual([]);
  });
});

test('a promise of got that nobody handles is handled', async () => {
  await using server = await startServer(resetBeforeHeaders);
  const { api, breaker } = guarded();
  const failure = new Promise((resolve) => breaker.on('failure', resolve));
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);

  void api(server.url);
  await failure;
  await aRoundTrip();

  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

describe('a redirect', () => {
  const moved = routes({ '/old': redirect('/new'), '/new': status(503) });

  test('that a function lets got follow is part of the attempt', async () => {
    await using server = await startServer(moved);
    const { api, outcomes } = guarded();

    await errorOf(api(`${server.url}/old`, { followRedirect: () => true }));

    expect(server.requests).toEqual(['GET /old', 'GET /new']);
    expect(outcomes).toEqual(['failure 503']);
  });

  test('that a function does not let got follow counts as soon as its headers are in', async () => {
    let finish!: () => void;
    await using server = await startServer((_, response) => {
      response.writeHead(302, { location: '/new' }).write('moved');
      finish = () => response.end();
    });
    const { api, breaker, outcomes } = guarded();
    const success = new Promise((resolve) => breaker.on('success', resolve));
    let asked = 0;

    const call = api(server.url, { followRedirect: () => asked++ < 0 });
    await success;
    finish();
    const response = await call;

    expect(response.statusCode).toBe(302);
    expect(outcomes).toEqual(['success 302']);
  });

  test('asks a function about each response as often as got does', async () => {
    await using server = await startServer(moved);
    const asked = async (api: typeof got): Promise<number> => {
      let times = 0;
      const followRedirect = (): boolean => times++ >= 0;
      await errorOf(api(`${server.url}/old`, { followRedirect, retry: { limit: 0 } }));
      return times;
    };

    expect(await asked(guarded().api)).toBe(await asked(got));
  });

  test('that a hook stops is counted nowhere, and holds no permit', async () => {
    await using server = await startServer(moved);
    const { api, breaker, outcomes } = guarded();
    const beforeRedirect = (): never => {
      throw new Error('mine');
    };

    const call = api(`${server.url}/old`, { hooks: { beforeRedirect: [beforeRedirect] } });

    await expect(call).rejects.toThrow('mine');
    expect(outcomes).toEqual(['ignored local']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('that is followed already may lose its connection', async () => {
    await using server = await startServer(
      routes({ '/old': redirect('/new'), '/new': (_, response) => resolveArrived(response) }),
    );
    let resolveArrived!: (response: http.ServerResponse) => void;
    const arrived = new Promise<http.ServerResponse>((resolve) => (resolveArrived = resolve));
    const { api, outcomes } = guarded();
    const sent: http.ClientRequest[] = [];
    const call = api(`${server.url}/old`);
    void call.on('request', (request) => sent.push(request));
    const response = await arrived;

    sent[0]!.emit('error', Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
    await aRoundTrip();
    response.end('new');

    expect((await call).body).toBe('new');
    expect(outcomes).toEqual(['success 200']);
  });

  test('is left out of the next attempt', async () => {
    await using server = await startServer(
      routes({ '/old': redirect('/new'), '/new': inTurn(closeBeforeHeaders, status(200)) }),
    );
    const { api, outcomes } = guarded();

    await api(`${server.url}/old`, { retry: oneRetry });

    expect(outcomes).toEqual(['failure reset', 'success 200']);
  });
});

describe('the cache of got', () => {
  const cached = status(200, 'stored', { 'cache-control': 'max-age=60' });

  test('answers without an attempt, by an open breaker too', async () => {
    await using server = await startServer(cached);
    const { api, breaker, outcomes } = guarded();
    const cache = new Map();
    await api(server.url, { cache });

    const hit = await api(server.url, { cache });
    breaker.control('*').forceOpen({ reason: 'a test' });
    const another = await api(server.url, { cache });

    expect([hit.isFromCache, another.isFromCache]).toEqual([true, true]);
    expect(outcomes).toEqual(['success 200', 'closed to forced-open']);
    expect(server.requests).toHaveLength(1);
  });

  test('asks the server again by an attempt', async () => {
    await using server = await startServer(
      inTurn(
        status(200, 'stored', { etag: '"1"', 'cache-control': 'no-cache' }),
        status(304, '', { etag: '"1"' }),
      ),
    );
    const { api, breaker, outcomes } = guarded();
    const cache = new Map();
    await api(server.url, { cache });

    const revalidated = await api(server.url, { cache });

    expect(revalidated).toMatchObject({ statusCode: 200, body: 'stored', isFromCache: true });
    expect(outcomes).toEqual(['success 200', 'success 304']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('loses no failure, and no permit', async () => {
    await using server = await startServer(inTurn(status(503), resetBeforeHeaders));
    const { api, breaker, outcomes } = guarded();
    const cache = new Map();

    await errorOf(api(server.url, { cache }));
    await errorOf(api(server.url, { cache }));

    expect(outcomes).toEqual(['failure 503', 'failure reset']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('pagination', () => {
  test.for(['new options', 'the options of the page before'])(
    'by %s counts each page once',
    async (by) => {
      await using server = await startServer((request, response) => {
        response.end(JSON.stringify([request.url]));
      });
      const { api, breaker, outcomes } = guarded();

      const pages = await api.paginate.all<string>(`${server.url}/1`, {
        responseType: 'json',
        followRedirect: () => true,
        pagination: {
          transform: (response) => response.body as string[],
          paginate: ({ response }) => {
            const page = Number(response.url.slice(-1)) + 1;
            if (page > 3) return false;
            const url = new URL(`/${page}`, server.url);
            if (by === 'new options') return { url };
            const { options } = response.request;
            options.url = url;
            return options;
          },
        },
      });

      expect(pages).toEqual(['/1', '/2', '/3']);
      expect(outcomes).toEqual(['success 200', 'success 200', 'success 200']);
      expect(callsInFlight(breaker)).toEqual([0]);
    },
  );
});

test('a page by the options of the page before can be reported as a failure by itself', async () => {
  await using server = await startServer(status(200, '[]'));
  const { api, outcomes } = guarded();
  const hooks: number[] = [];

  await api.paginate.all(server.url, {
    responseType: 'json',
    pagination: {
      requestLimit: 3,
      transform: (response) => {
        expect(reportFailure(response, 'empty')).toBe(true);
        hooks.push(response.request.options.hooks.beforeRequest.length);
        return [];
      },
      paginate: ({ response }) => response.request.options,
    },
  });

  expect(outcomes).toEqual(Array(3).fill(['success 200', 'amended reported']).flat());
  expect(new Set(hooks).size).toBe(1);
});

test('a page after one that was refused, and answered, is retried', async () => {
  await using server = await startServer(inTurn(status(503), status(200, '[2]')));
  const { api, breaker, outcomes } = guarded({ options: { fallback: () => ({ body: [1] }) } });
  breaker.control('*').forceOpen({ reason: 'a test' });

  const all = await api.paginate.all<number>(server.url, {
    responseType: 'json',
    retry: oneRetry,
    pagination: {
      transform: ({ body }) => body as number[],
      paginate: ({ response, currentItems }) => {
        breaker.control('*').handBack({ reason: 'a test' });
        return currentItems[0] === 1 && response.request.options;
      },
    },
  });

  expect(all).toEqual([1, 2]);
  expect(outcomes.slice(-2)).toEqual(['failure 503', 'success 200']);
});

describe("the user's own request function", () => {
  test.for([
    ['sends itself', http.request],
    [
      'sends itself later',
      async (...args: Parameters<typeof http.request>) => http.request(...args),
    ],
    ['leaves it to got', () => undefined],
    ['leaves it to got later', async () => undefined],
  ] as const)('that %s is behind the breaker', async ([, request]) => {
    await using server = await startServer(inTurn(status(200), closeBeforeHeaders));
    const { api, outcomes } = guarded();

    await api(server.url, { request: request as never });
    await errorOf(api(server.url, { request: request as never }));

    expect(outcomes).toEqual(['success 200', 'failure reset']);
  });

  test('may answer with a response, which counts by its status', async () => {
    const answer = Object.assign(Readable.from([Buffer.from('made up')]), {
      statusCode: 503,
      headers: {},
    });
    const { api, breaker, outcomes } = guarded();

    const call = api('http://localhost:1/', { request: () => answer as never });

    expect(await errorOf(call)).toMatchObject({ response: { body: 'made up' } });
    expect(outcomes).toEqual(['failure 503']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('may keep a failure from got, which then waits forever, and no permit', async () => {
    await using server = await startServer(hang);
    const controller = new AbortController();
    const { api, breaker, outcomes } = guarded();
    const failure = new Promise((resolve) => breaker.on('failure', resolve));
    const arrival = server.arrival();
    let sent!: http.ClientRequest;
    const request = (...args: unknown[]): http.ClientRequest => {
      sent = http.request(...(args as Parameters<typeof http.request>));
      return sent;
    };

    const error = errorOf(
      api(server.url, { request: request as never, signal: controller.signal }),
    );
    await arrival;
    sent
      .removeAllListeners('error')
      .removeAllListeners('close')
      .on('error', () => {});
    sent.destroy(Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
    await failure;

    expect(callsInFlight(breaker)).toEqual([0]);
    controller.abort();
    await error;
    expect(outcomes).toEqual(['failure reset']);
  });

  test('is the one that a hook after ours has set', async () => {
    await using server = await startServer();
    const { api, outcomes } = guarded();
    let called = 0;
    const later = api.extend({
      handlers: [
        (options, next) => {
          options.hooks.beforeRequest.push((hop) => {
            hop.request = (...args) => {
              called++;
              return http.request(...(args as Parameters<typeof http.request>));
            };
          });
          return next(options);
        },
      ],
    });

    await later(server.url);

    expect(called).toBe(1);
    expect(outcomes).toEqual(['success 200']);
  });
});

describe('a timeout of got', () => {
  test.for([
    ['response', 'failure response-timeout'],
    ['socket', 'failure response-timeout'],
    ['request', 'failure response-timeout'],
  ] as const)('for the %s is a %s', async ([phase, outcome]) => {
    await using server = await startServer(hang);
    const { api, breaker, outcomes } = guarded();

    expect(await errorOf(api(server.url, { timeout: { [phase]: 30 } }))).toMatchObject({
      code: 'ETIMEDOUT',
      event: phase,
    });

    expect(outcomes).toEqual([outcome]);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('for reading amends the success', async () => {
    await using server = await startServer(new HalfBody().answer);
    const { api, outcomes } = guarded();

    await errorOf(api(server.url, { timeout: { read: 30 } }));

    expect(outcomes).toEqual(['success 200', 'amended body-timeout']);
  });
});

describe('a stream', () => {
  test('that a retry listener makes again is watched, and so are its retries', async () => {
    const half = new HalfBody();
    await using server = await startServer(inTurn(status(503), resetBeforeHeaders, half.answer));
    const { api, breaker, outcomes } = guarded();

    const failed = await new Promise((resolve) => {
      const watch = (stream: ReturnType<typeof api.stream>): void => {
        stream.once('retry', (_count, _error, createRetryStream) => watch(createRetryStream()));
        stream.once('response', () => half.cut());
        stream.on('error', resolve);
        stream.resume();
      };
      watch(api.stream(server.url, { retry: { limit: 2, backoffLimit: 1 } }));
    });

    expect(failed).toMatchObject({ name: 'ReadError' });
    expect(outcomes).toEqual(['failure 503', 'failure reset', 'success 200', 'amended body']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('that is made again only later is watched too', async () => {
    await using server = await startServer(inTurn(status(503), status(200)));
    const { api, breaker, outcomes } = guarded();
    const first = api.stream(server.url, { retry: { limit: 1, backoffLimit: 1 } });
    const create = new Promise<() => typeof first>((resolve) => {
      first.once('retry', (_count, _error, createRetryStream) => resolve(createRetryStream));
    });
    await once(first, 'close');

    await (await create)().toArray();

    expect(outcomes).toEqual(['failure 503', 'success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test.for([0, 1])(
    'that is destroyed before its headers, after %d retries, counts nowhere',
    async (retries) => {
      await using server = await startServer(hang);
      const { api, breaker, outcomes } = guarded();
      const failing = inTurn(...Array<Answer>(retries).fill(status(503)), hang);
      server.answer = failing;
      let stream = api.stream(server.url, { retry: { limit: 1, backoffLimit: 1 } });
      stream.once('retry', (_count, _error, createRetryStream) => {
        stream = createRetryStream();
      });
      for (let arrived = 0; arrived <= retries; arrived++) await server.arrival();

      stream.destroy();
      await once(stream, 'close');

      expect(outcomes).toEqual([...Array<string>(retries).fill('failure 503'), 'ignored cancel']);
      expect(callsInFlight(breaker)).toEqual([0]);
    },
  );

  test('without an error listener is as fatal as it is without a breaker', async () => {
    await using server = await startServer(resetBeforeHeaders);
    const { api } = guarded();
    const stream = api.stream(server.url);

    expect(stream.listenerCount('error')).toBe(0);

    const error = new Promise((resolve) => stream.once('error', resolve));
    expect(await error).toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('an upgrade', () => {
  test('that the server accepts settles the attempt', async () => {
    await using server = await startServer(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    });
    const { api, breaker, outcomes } = guarded();
    const headers = { connection: 'upgrade', upgrade: 'x' };

    const stream = api.stream(server.url, { headers });
    const [, socket] = await once(stream, 'upgrade');

    expect(outcomes).toEqual(['success 101']);
    expect(callsInFlight(breaker)).toEqual([0]);
    socket.destroy();
    stream.destroy();
  });
});
