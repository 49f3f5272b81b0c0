import { once } from 'node:events';
import { interceptors, RetryAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { CallNotPermittedError, HttpCircuitBreaker, ManualClock } from '../src/index.ts';
import { callsInFlight, endpointBreaker } from '@recloser/test-support/outcomes';
import {
  closeBeforeHeaders,
  HalfBody,
  redirect,
  routes,
  startServer,
  status,
} from '@recloser/test-support/server';
import { agent, guard, requestTo, statusOf, type Interceptor } from './clients.ts';

const { cache, dns, dump, redirect: follow, responseError, retry } = interceptors;

/** Retries at once. */
const atOnce = (maxRetries: number, more: object = {}): Interceptor =>
  retry({ minTimeout: 1, maxTimeout: 1, maxRetries, ...more });

describe('retry around the breaker', () => {
  test('has each attempt counted', async () => {
    await using server = await startServer(status(503));
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor, atOnce(2));

    await expect(statusOf(dispatcher, server.url)).rejects.toMatchObject({ statusCode: 503 });

    expect(outcomes).toEqual(['failure 503', 'failure 503', 'failure 503']);
    expect(server.requests).toHaveLength(3);
  });

  test('has an attempt counted that ends without a response', async () => {
    await using server = await startServer(closeBeforeHeaders);
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor, atOnce(2));

    await expect(statusOf(dispatcher, server.url)).rejects.toMatchObject({
      code: 'UND_ERR_SOCKET',
    });

    expect(outcomes).toEqual(['failure reset', 'failure reset', 'failure reset']);
  });

  test('is stopped by a breaker that opens between attempts', async () => {
    await using server = await startServer(status(503));
    const { outcomes, interceptor } = guard(endpointBreaker({ consecutiveFailureThreshold: 2 }));
    await using made = agent();
    const dispatcher = made.compose(interceptor, atOnce(5));

    await expect(statusOf(dispatcher, server.url)).rejects.toBeInstanceOf(CallNotPermittedError);

    expect(server.requests).toHaveLength(2);
    expect(outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
  });

  test.for([
    ['by default', {}],
    ['though every error is to be', { errorCodes: ['ERR_CALL_NOT_PERMITTED'] }],
  ] as const)('never retries a refusal, %s', async ([, options]) => {
    const { breaker, outcomes, interceptor } = guard();
    breaker.control('*').forceOpen({ reason: 'test' });
    await using made = agent();
    const dispatcher = made.compose(interceptor, atOnce(5, options));

    const call = statusOf(dispatcher, 'http://127.0.0.1:1');

    await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
    expect(outcomes.filter((outcome) => outcome.startsWith('refused'))).toHaveLength(1);
  });

  test("asks no retry function of the user's about a refusal", async () => {
    const { breaker, outcomes, interceptor } = guard();
    breaker.control('*').forceOpen({ reason: 'test' });
    await using made = agent();
    const asked: unknown[] = [];
    const again = retry({
      retry(error, _context, callback) {
        asked.push(error);
        callback(null);
        return null;
      },
    });

    const call = statusOf(made.compose(interceptor, again), 'http://127.0.0.1:1');

    await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
    expect(asked).toEqual([]);
    expect(outcomes.filter((outcome) => outcome.startsWith('refused'))).toHaveLength(1);
  });

  test('is a RetryAgent too', async () => {
    await using server = await startServer(status(503));
    const { outcomes, interceptor } = guard(endpointBreaker({ consecutiveFailureThreshold: 2 }));
    await using made = agent();
    const dispatcher = new RetryAgent(made.compose(interceptor), { minTimeout: 1, maxTimeout: 1 });

    await expect(statusOf(dispatcher, server.url)).rejects.toBeInstanceOf(CallNotPermittedError);

    expect(outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
  });

  test('that resumes a body counts the part that broke off as failed, and the rest', async () => {
    const text = 'the whole of the body';
    const half = new HalfBody({ 'content-length': text.length, etag: '"1"' });
    await using server = await startServer((request, response) => {
      const { range } = request.headers;
      if (range === undefined) return half.answer(request, response);
      const start = Number(/\d+/.exec(range)![0]);
      response.writeHead(206, {
        'content-range': `bytes ${start}-${text.length - 1}/${text.length}`,
        etag: '"1"',
      });
      response.end(text.slice(start));
    });
    const { outcomes, interceptor } = guard();
    await using made = agent();

    const dispatcher = made.compose(interceptor, atOnce(2));
    const { body } = await dispatcher.request(requestTo(server.url));
    await once(body, 'readable');
    half.cut();

    expect(await body.text()).toHaveLength(text.length);
    expect(outcomes).toEqual(['success 200', 'amended reset', 'success 206']);
  });
});

describe('retry inside the breaker', () => {
  test('has the call counted once, by its end', async () => {
    await using server = await startServer(status(503));
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(atOnce(2), interceptor);

    await expect(statusOf(dispatcher, server.url)).rejects.toMatchObject({ statusCode: 503 });
    server.answer = closeBeforeHeaders;
    await expect(statusOf(dispatcher, server.url)).rejects.toThrow('other side closed');
    server.answer = status(200);
    await statusOf(dispatcher, server.url);

    expect(server.requests).toHaveLength(7);
    expect(outcomes).toEqual(['failure 503', 'failure reset', 'success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('that hands the last failing response on has it counted once', async () => {
    await using server = await startServer(status(503));
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(atOnce(2, { throwOnError: false }), interceptor);

    expect(await statusOf(dispatcher, server.url)).toBe(503);

    expect(server.requests).toHaveLength(3);
    expect(outcomes).toEqual(['failure 503']);
  });

  test.for([
    ['the server knows no ranges', status(200, 'all of it')],
    ['the server fails', status(503)],
  ] as const)('that can not resume a body makes its success a failure: %s', async ([, then]) => {
    const half = new HalfBody({ 'content-length': 1000, etag: '"1"' });
    await using server = await startServer((request, response) =>
      (request.headers.range === undefined ? half.answer : then)(request, response),
    );
    const { outcomes, interceptor } = guard();
    await using made = agent();

    const { body } = await made.compose(atOnce(1), interceptor).request(requestTo(server.url));
    await once(body, 'readable');
    half.cut();

    await expect(body.text()).rejects.toMatchObject({ code: 'UND_ERR_REQ_RETRY' });
    expect(outcomes).toEqual(['success 200', 'amended reset']);
  });

  test('is stopped by nothing but its own limit', async () => {
    await using server = await startServer(status(503));
    const { outcomes, interceptor } = guard(endpointBreaker({ consecutiveFailureThreshold: 1 }));
    await using made = agent();
    const dispatcher = made.compose(atOnce(2), interceptor);

    await expect(statusOf(dispatcher, server.url)).rejects.toMatchObject({ statusCode: 503 });
    await expect(statusOf(dispatcher, server.url)).rejects.toThrow('is open');

    expect(server.requests).toHaveLength(3);
    expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
  });
});

describe('the arithmetic of 10 calls, of 3 attempts each, half a second apart', () => {
  /** Every call fails, until the breaker refuses it. A backoff moves the clock. */
  async function outage(compose: (breaker: Interceptor, retry: Interceptor) => Interceptor[]) {
    const clock = new ManualClock();
    await using server = await startServer(status(503));
    const breaker = endpointBreaker(
      { slidingWindowSize: 10, minimumNumberOfCalls: 10, waitDurationInOpenState: 60_000 },
      { clock },
    );
    const { outcomes, interceptor } = guard(breaker);
    await using made = agent();
    const slow = retry({
      retry(error, { state }, callback) {
        if (state.counter > 2) callback(error);
        else {
          clock.advance(500);
          callback(null);
        }
        return null;
      },
    });
    const dispatcher = made.compose(compose(interceptor, slow));
    const elapsed: number[] = [];
    breaker.on('failure', (event) => elapsed.push(event.elapsed));
    for (let call = 0; call < 10; call++) {
      await statusOf(dispatcher, server.url).catch(() => undefined);
    }
    const count = (outcome: string) => outcomes.filter((each) => each.startsWith(outcome)).length;
    return {
      sent: server.requests.length,
      failures: count('failure'),
      refusals: count('refused'),
      elapsed: [...new Set(elapsed)],
      backoff: clock.now(),
    };
  }

  test('per attempt: 10 sent and counted, the breaker open in the middle of the fourth call', async () => {
    expect(await outage((breaker, slow) => [breaker, slow])).toEqual({
      sent: 10,
      failures: 10,
      // A retry of the fourth call, and the six after it.
      refusals: 7,
      elapsed: [0],
      // Two in each of three calls and one before the refused retry; none after a refusal.
      backoff: 3500,
    });
  });

  test('per call: 30 sent, 10 counted, each of them with its backoff', async () => {
    expect(await outage((breaker, slow) => [slow, breaker])).toEqual({
      sent: 30,
      failures: 10,
      refusals: 0,
      elapsed: [1000],
      backoff: 10_000,
    });
  });
});

describe('redirect', () => {
  const hops = routes({ '/old': redirect('/new'), '/new': status(503, 'down') });

  test('around the breaker has each hop counted', async () => {
    await using server = await startServer(hops);
    const { outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor, follow({ maxRedirections: 5 }));

    expect(await statusOf(dispatcher, `${server.url}/old`)).toBe(503);

    expect(outcomes).toEqual(['success 302', 'failure 503']);
  });

  test('inside the breaker has the last response counted', async () => {
    await using server = await startServer(hops);
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(follow({ maxRedirections: 5 }), interceptor);

    expect(await statusOf(dispatcher, `${server.url}/old`)).toBe(503);

    expect(outcomes).toEqual(['failure 503']);
    expect(breaker.find(`GET ${server.url}/old`)!.lastFailure).toMatchObject({ status: 503 });
  });

  test.for([
    ['around', false],
    ['inside', true],
  ] as const)('%s the breaker that goes in circles blames nobody', async ([, isInside]) => {
    await using server = await startServer(redirect('/'));
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const follows = follow({ maxRedirections: 5 });
    const order = isInside ? [follows, interceptor] : [interceptor, follows];

    await expect(statusOf(made.compose(order), server.url)).rejects.toThrow('Redirect loop');

    expect(outcomes.filter((outcome) => outcome.startsWith('failure'))).toEqual([]);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('dns', () => {
  test('inside the breaker leaves it the name of the host', async () => {
    await using server = await startServer();
    const { port } = new URL(server.url);
    const { breaker, interceptor } = guard();
    await using made = agent();

    await statusOf(made.compose(dns(), interceptor), `http://localhost:${port}/`);

    expect(breaker.find(`GET http://localhost:${port}/`)).toBeDefined();
  });

  test('around the breaker leaves it no more than the address', async () => {
    await using server = await startServer();
    const { port } = new URL(server.url);
    const { breaker, interceptor } = guard();
    await using made = agent();

    const dispatcher = made.compose(interceptor, dns({ affinity: 4 }));
    await statusOf(dispatcher, `http://localhost:${port}/`);

    expect(breaker.find(`GET http://127.0.0.1:${port}/`)).toBeDefined();
  });

  test('that finds no host is a failure where it is inside', async () => {
    const { outcomes, interceptor } = guard(new HttpCircuitBreaker());
    await using made = agent();
    const lookup = dns({
      lookup: (_origin, _options, callback) =>
        callback(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), []),
    });

    const call = statusOf(made.compose(lookup, interceptor), 'http://api.example.com/');

    await expect(call).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(outcomes).toEqual(['failure dns']);
  });
});

describe('cache', () => {
  const cacheable = status(200, 'body', { 'cache-control': 'max-age=60' });

  test('around the breaker asks it only about what is sent', async () => {
    await using server = await startServer(cacheable);
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor, cache());

    await statusOf(dispatcher, server.url);
    await statusOf(dispatcher, server.url);
    breaker.control('*').forceOpen({ reason: 'test' });

    // What is fresh needs no dependency.
    expect(await statusOf(dispatcher, server.url)).toBe(200);
    expect(server.requests).toHaveLength(1);
    expect(outcomes).toEqual(['success 200', 'closed to forced-open']);
  });

  test('around the breaker answers a refused call where stale-if-error allows it', async () => {
    await using server = await startServer(
      status(200, 'body', { 'cache-control': 'max-age=0, stale-if-error=600', etag: '"1"' }),
    );
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(interceptor, cache());
    await statusOf(dispatcher, server.url);
    breaker.control('*').forceOpen({ reason: 'test' });

    expect(await statusOf(dispatcher, server.url)).toBe(200);

    expect(outcomes.at(-1)).toBe('refused forced-open');
    expect(server.requests).toHaveLength(1);
  });

  test('inside the breaker has its hits counted as answers', async () => {
    await using server = await startServer(cacheable);
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(cache(), interceptor);

    await statusOf(dispatcher, server.url);
    await statusOf(dispatcher, server.url);
    breaker.control('*').forceOpen({ reason: 'test' });
    await expect(statusOf(dispatcher, server.url)).rejects.toThrow('forced-open');

    expect(server.requests).toHaveLength(1);
    expect(outcomes.slice(0, 2)).toEqual(['success 200', 'success 200']);
  });
});

describe('responseError', () => {
  test.for([
    ['around', false],
    ['inside', true],
  ] as const)('%s the breaker has the status counted, once', async ([, isInside]) => {
    await using server = await startServer(status(503, 'down', { 'content-type': 'text/plain' }));
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const order = isInside ? [responseError(), interceptor] : [interceptor, responseError()];
    const dispatcher = made.compose(order);

    await expect(statusOf(dispatcher, server.url)).rejects.toMatchObject({ statusCode: 503 });
    server.answer = status(404);
    await expect(statusOf(dispatcher, server.url)).rejects.toMatchObject({ statusCode: 404 });

    expect(outcomes).toEqual(['failure 503', 'success 404']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('around the breaker leaves the refusal as it is', async () => {
    const { breaker, interceptor } = guard();
    breaker.control('*').forceOpen({ reason: 'test' });
    await using made = agent();

    const call = statusOf(made.compose(interceptor, responseError()), 'http://127.0.0.1:1');

    await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
  });
});

describe('dump', () => {
  test('that is given too much blames nobody', async () => {
    await using server = await startServer(status(200, 'too much', { 'content-length': 8 }));
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    for (const order of [
      [dump({ maxSize: 2 }), interceptor],
      [interceptor, dump({ maxSize: 2 })],
    ]) {
      await expect(statusOf(made.compose(order), server.url)).rejects.toThrow('larger than');
    }

    expect(outcomes.filter((outcome) => outcome.startsWith('failure'))).toEqual([]);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('the recommended order', () => {
  test('counts each attempt by its last response, under the name of its host', async () => {
    await using server = await startServer(
      routes({ '/old': redirect('/new'), '/new': status(503) }),
    );
    const { port } = new URL(server.url);
    const { breaker, outcomes, interceptor } = guard();
    await using made = agent();
    const dispatcher = made.compose(
      dns(),
      follow({ maxRedirections: 5 }),
      interceptor,
      atOnce(1),
      cache(),
    );

    const call = statusOf(dispatcher, `http://localhost:${port}/old`);

    await expect(call).rejects.toMatchObject({ statusCode: 503 });
    expect(outcomes).toEqual(['failure 503', 'failure 503']);
    expect(breaker.snapshot().breakers.map(({ key }) => key)).toEqual([
      `GET http://localhost:${port}/old`,
    ]);
  });
});

test('one interceptor guards any number of dispatchers by one breaker', async () => {
  await using server = await startServer();
  const { outcomes, interceptor } = guard();
  await using one = agent();
  await using other = agent();

  await statusOf(one.compose(interceptor), server.url);
  await statusOf(other.compose(interceptor), server.url);

  expect(outcomes).toEqual(['success 200', 'success 200']);
});
