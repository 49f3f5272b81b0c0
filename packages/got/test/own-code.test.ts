import got, { type ExtendOptions, type Response, type RetryOptions } from 'got';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { HalfBody, redirect, routes, startServer, status } from '@recloser/test-support/server';
import { isCallNotPermitted, reportFailure } from '../src/index.ts';
import { errorOf, guarded, oneRetry } from './guarded.ts';

const refusedByRedis = (): never => {
  throw Object.assign(new Error('no Redis'), { code: 'ECONNREFUSED' });
};

describe("an error with a code, of the user's own code", () => {
  const moved = routes({ '/': redirect('/new'), '/new': status(200) });
  function onSecond(): ExtendOptions {
    let hops = 0;
    return { hooks: { beforeRequest: [() => void (hops++ > 0 && refusedByRedis())] } };
  }

  describe.for([
    ['a hook of beforeRedirect', { hooks: { beforeRedirect: [refusedByRedis] } }],
    ['a hook of beforeRequest on the next hop', onSecond],
    ['a followRedirect function', { followRedirect: refusedByRedis }],
  ] as const)('thrown in a redirect by %s', ([, given]) => {
    const settings = (): ExtendOptions => (typeof given === 'function' ? given() : given) as never;

    test('is no failure of the dependency', async () => {
      await using server = await startServer(moved);
      const { api, breaker, outcomes } = guarded();

      const error = await errorOf(api(server.url, settings() as never));

      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
      expect(outcomes).toEqual(['ignored local']);
      expect(callsInFlight(breaker)).toEqual([0]);
    });

    test('is none in a stream', async () => {
      await using server = await startServer(moved);
      const { api, outcomes } = guarded();

      const stream = api.stream(server.url, settings() as never);

      expect(await errorOf(once(stream, 'end'))).toMatchObject({ code: 'ECONNREFUSED' });
      expect(outcomes).toEqual(['ignored local']);
    });
  });

  test('thrown by a hook of the cache is none: the response counts by its status', async () => {
    await using server = await startServer(
      status(200, 'a body', { 'cache-control': 'max-age=60', 'content-length': 6 }),
    );
    const { api, breaker, outcomes } = guarded();
    const hooks = { beforeCache: [refusedByRedis] };

    const error = await errorOf(api(server.url, { cache: new Map(), hooks }));

    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('a calculateDelay', () => {
  const eager = { enforceRetryRules: false, calculateDelay: () => 1 } as Partial<RetryOptions>;

  test.for([
    [
      'of a later handler',
      {
        handlers: [
          (options, next) => {
            options.retry = { ...options.retry, ...eager };
            return next(options);
          },
        ],
      },
    ],
    [
      'of a hook of beforeRequest',
      { hooks: { beforeRequest: [(options) => void (options.retry = eager)] } },
    ],
  ] satisfies [string, ExtendOptions][])('%s retries no refusal', async ([, settings]) => {
    const { api, breaker, outcomes } = guarded();
    breaker.control('*').forceOpen({ reason: 'a test' });

    const error = await errorOf(api.extend(settings)('http://localhost:1/'));

    expect(isCallNotPermitted(error)).toBe(true);
    expect(outcomes).toEqual(['closed to forced-open', 'refused forced-open']);
  });

  test('of what a hook of afterResponse repeats retries no refusal', async () => {
    await using server = await startServer(status(401));
    const { api, breaker, outcomes } = guarded();
    const repeated = api(server.url, {
      hooks: {
        afterResponse: [
          (_, again) => {
            breaker.control('*').forceOpen({ reason: 'a test' });
            return again({ retry: eager });
          },
        ],
      },
    });

    expect(isCallNotPermitted(await errorOf(repeated))).toBe(true);
    expect(outcomes).toEqual(['success 401', 'closed to forced-open', 'refused forced-open']);
  });

  test('of a stream that is made again retries no refusal', async () => {
    await using server = await startServer(status(503));
    const { api, breaker, outcomes } = guarded();
    const error = await new Promise((resolve) => {
      const stream = api.stream(server.url, { retry: oneRetry });
      stream.once('retry', (_count, _error, createRetryStream) => {
        breaker.control('*').forceOpen({ reason: 'a test' });
        const next = createRetryStream({ retry: eager });
        next.once('retry', () => resolve('a retry'));
        next.once('error', resolve);
      });
    });

    expect(isCallNotPermitted(error)).toBe(true);
    expect(outcomes).toEqual(['failure 503', 'closed to forced-open', 'refused forced-open']);
  });

  test('is called as a method, as got calls it', async () => {
    await using server = await startServer(status(503));
    const { api } = guarded();
    const seen: unknown[] = [];
    function calculateDelay(this: RetryOptions): number {
      seen.push(this.limit);
      return 0;
    }

    await errorOf(api(server.url, { retry: { limit: 1, calculateDelay } }));

    expect(seen).toEqual([1]);
  });
});

describe('the options of a call that is over', () => {
  test.for(['a response', 'an error'])('may be those of %s, for a bare got', async (of) => {
    await using server = await startServer(status(of === 'an error' ? 503 : 200));
    const { api, outcomes } = guarded();
    const options =
      of === 'an error'
        ? ((await errorOf(api(server.url))) as { options: never }).options
        : (await api(server.url)).request.options;
    server.answer = status(200, 'again');

    const again = (await got(undefined, undefined, options)) as Response;

    expect(again.body).toBe('again');
    expect(outcomes).toHaveLength(1);
    expect(reportFailure(again, 'not its own')).toBe(false);
  });

  test('retry as they did before, where the call was refused', async () => {
    const { api, breaker } = guarded();
    breaker.control('*').forceOpen({ reason: 'a test' });
    await using server = await startServer(status(503));
    const error = await errorOf(api(server.url, { retry: oneRetry }));
    const { options } = error as { options: never };

    await errorOf(got(undefined, undefined, options));

    expect(server.requests).toHaveLength(2);
  });

  test('may leave the next call out, and have nothing of the guard', async () => {
    await using server = await startServer(status(200, 'again'));
    const { api, outcomes } = guarded();
    const followRedirect = (): boolean => true;
    const { options } = (await api(server.url, { followRedirect })).request;
    options.context = { circuitBreaker: false };

    const again = (await api(undefined, undefined, options)) as Response;

    expect(again.body).toBe('again');
    expect(outcomes).toEqual(['success 200']);
    const { hooks, followRedirect: asGiven } = again.request.options;
    expect([...hooks.beforeRequest, ...hooks.afterResponse, ...hooks.beforeError]).toEqual([]);
    expect(asGiven).toBe(followRedirect);
  });

  test('count the next call of the guarded instance by itself', async () => {
    await using server = await startServer();
    const { api, outcomes } = guarded();
    const { options } = (await api(server.url)).request;

    const again = (await api(undefined, undefined, options)) as Response;

    expect(reportFailure(again, 'errors')).toBe(true);
    expect(outcomes).toEqual(['success 200', 'success 200', 'amended reported']);
  });
});

describe('a call that ends well, for all its last attempt failed,', () => {
  const stored = { fallbackOn: 'failure', fallback: () => ({ body: 'stored' }) } as const;
  const message = (body: string): unknown =>
    Object.assign(Readable.from([Buffer.from(body)]), { statusCode: 200, headers: {} });

  test('by a hook that answers the retry, stays as it is', async () => {
    await using server = await startServer(status(503));
    const { api, outcomes } = guarded({ options: stored });
    let tries = 0;
    const beforeRequest = (): undefined =>
      (tries++ === 0 ? undefined : message('local')) as undefined;

    const call = api(server.url, { retry: oneRetry, hooks: { beforeRequest: [beforeRequest] } });

    expect(await call.text()).toBe('local');
    expect(outcomes).toEqual(['failure 503']);
  });

  test('by a hook that answers the retry of a body that broke off, stays as it is', async () => {
    const half = new HalfBody({ 'transfer-encoding': 'chunked' });
    await using server = await startServer(half.answer);
    const { api, outcomes } = guarded({ options: stored });
    let tries = 0;
    const beforeRequest = (): undefined =>
      (tries++ === 0 ? undefined : message('local')) as undefined;
    void half.sent.then(() => half.cut());

    const call = api(server.url, { retry: oneRetry, hooks: { beforeRequest: [beforeRequest] } });

    expect(await call.text()).toBe('local');
    expect(outcomes).toEqual(['success 200', 'amended body']);
  });

  test('by the cache, stays as it is', async () => {
    await using server = await startServer(status(503));
    const { api, outcomes } = guarded({ options: stored });
    const cache = new Map();
    const calculateDelay = async ({ attemptCount }: { attemptCount: number }): Promise<number> => {
      if (attemptCount > 1) return 0;
      server.answer = status(200, 'good', { 'cache-control': 'max-age=60' });
      await got(server.url, { cache });
      return 1;
    };

    expect(await api(server.url, { cache, retry: { limit: 1, calculateDelay } }).text()).toBe(
      'good',
    );
    expect(outcomes).toEqual(['failure 503']);
  });

  test('by a hook of afterResponse, stays as it is', async () => {
    await using server = await startServer(status(503));
    const { api, outcomes } = guarded({ options: stored });
    const hooks: ExtendOptions['hooks'] = {
      afterResponse: [
        (response) => Object.assign(response, { statusCode: 200, body: 'repaired', ok: true }),
      ],
    };

    expect(await api(server.url, { hooks, resolveBodyOnly: true })).toBe('repaired');
    expect(await api(server.url, { hooks })).toMatchObject({ body: 'repaired' });
    expect(outcomes).toEqual(['failure 503', 'failure 503']);
  });

  test('by a later handler with a value of its own, stays as it is', async () => {
    await using server = await startServer(status(503));
    const { api } = guarded({ options: stored });
    const recovering = api.extend({
      handlers: [
        (options, next) => (next(options) as unknown as Promise<never>).catch(() => 'own') as never,
      ],
    });

    expect(await recovering(server.url)).toBe('own');
  });
});
