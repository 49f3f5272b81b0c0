import type { ExtendOptions } from 'got';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { callsInFlight } from '@recloser/test-support/outcomes';
import {
  closeBeforeHeaders,
  HalfBody,
  hang,
  startServer,
  status,
} from '@recloser/test-support/server';
import { reportFailure } from '../src/index.ts';
import { errorOf, guarded, inTurn, oneRetry, type Guarded } from './guarded.ts';

const counting = (): Guarded => guarded({ options: { count: 'call' } });

describe('a call that is counted as one', () => {
  test('has one permit until it ends, and one outcome', async () => {
    await using server = await startServer(inTurn(closeBeforeHeaders, status(503), status(200)));
    const { api, breaker, outcomes } = counting();
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

    expect(out).toEqual([[1], [1]]);
    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test.for([
    ['a failing status', [closeBeforeHeaders, status(503)], 'failure 503'],
    ['an error', [status(503), closeBeforeHeaders], 'failure reset'],
    ['a status that is no failure', [closeBeforeHeaders, status(404)], 'success 404'],
  ] as const)('ends with its last attempt in %s', async ([, answers, outcome]) => {
    await using server = await startServer(inTurn(...answers));
    const { api, breaker, outcomes } = counting();

    await errorOf(api(server.url, { retry: oneRetry }));

    expect(outcomes).toEqual([outcome]);
    expect(callsInFlight(breaker)).toEqual([0]);
    expect(server.requests).toHaveLength(2);
  });

  test('fails where its last body breaks off', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = counting();

    const error = errorOf(api(server.url));
    void half.sent.then(() => half.cut());

    expect(await error).toMatchObject({ name: 'ReadError' });
    expect(outcomes).toEqual(['failure body']);
  });

  test('speaks by its status, not by a hook after it', async () => {
    await using server = await startServer(status(200, '<html>'));
    const { api, outcomes } = counting();
    const afterResponse = (): never => {
      throw Object.assign(new Error('mine'), { code: 'ECONNREFUSED' });
    };

    await errorOf(api(server.url, { hooks: { afterResponse: [afterResponse] } }));
    await errorOf(api(server.url, { responseType: 'json' }));

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test.for(['before the headers', 'during a wait'])('and left %s counts nowhere', async (when) => {
    await using server = await startServer(when === 'during a wait' ? status(503) : hang);
    const { api, breaker, outcomes } = counting();
    const controller = new AbortController();
    const calculateDelay = (): number => {
      setImmediate(() => controller.abort());
      return 10_000;
    };
    if (when === 'before the headers') void server.arrival().then(() => controller.abort());

    await errorOf(
      api(server.url, { signal: controller.signal, retry: { limit: 1, calculateDelay } }),
    );

    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('fails by a deadline that runs out during a wait', async () => {
    await using server = await startServer(status(503));
    const { api, outcomes } = counting();
    const signal = AbortSignal.timeout(200);

    await errorOf(api(server.url, { signal, retry: { limit: 1, calculateDelay: () => 10_000 } }));

    expect(outcomes).toEqual(['failure deadline']);
  });

  test('speaks by the status of the server, whatever a hook makes of it', async () => {
    await using server = await startServer(status(503));
    const { api, outcomes } = counting();
    const hooks: ExtendOptions['hooks'] = {
      afterResponse: [(response) => Object.assign(response, { statusCode: 200 })],
    };

    await api(server.url, { hooks });

    expect(outcomes).toEqual(['failure 503']);
  });

  test('can be reported as a failure after it, decoded or not', async () => {
    const zipped = { 'content-encoding': 'gzip' };
    await using server = await startServer(
      inTurn(status(200), (_, response) => response.writeHead(200, zipped).end(gzipSync('{}'))),
    );
    const { api, outcomes } = counting();

    expect(reportFailure(await api(server.url), 'errors')).toBe(true);
    expect(reportFailure(await api(server.url), 'errors')).toBe(true);

    const reported = ['success 200', 'amended reported'];
    expect(outcomes).toEqual([...reported, ...reported]);
  });

  test('and answered by the cache of got is not admitted', async () => {
    await using server = await startServer(status(200, '', { 'cache-control': 'max-age=60' }));
    const { api, outcomes } = counting();
    const cache = new Map();

    await api(server.url, { cache });
    await api(server.url, { cache });

    expect(outcomes).toEqual(['success 200']);
  });

  test('answers failures by one fallback, after its outcome', async () => {
    await using server = await startServer(status(503));
    const { api, outcomes } = guarded({
      options: { count: 'call', fallbackOn: 'failure', fallback: () => ({ body: 'stored' }) },
    });

    expect(await api(server.url, { retry: oneRetry }).text()).toBe('stored');

    expect(outcomes).toEqual(['failure 503']);
    expect(server.requests).toHaveLength(2);
  });
});

describe('a stream that is counted as one', () => {
  type Stream = ReturnType<Guarded['api']['stream']>;
  const retry = { limit: 2, backoffLimit: 1 };

  function withRetries(stream: Stream, watch: (stream: Stream) => void): void {
    watch(stream);
    stream.once('retry', (_count, _error, createRetryStream) =>
      withRetries(createRetryStream(), watch),
    );
  }

  test('ends with the headers that got hands over', async () => {
    await using server = await startServer(
      inTurn(closeBeforeHeaders, status(503), new HalfBody().answer),
    );
    const { api, breaker, outcomes } = counting();

    const unread = await new Promise<Stream>((resolve) => {
      withRetries(api.stream(server.url, { retry }), (stream) => {
        stream.once('response', () => resolve(stream));
      });
    });

    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
    unread.destroy();
  });

  test('stays what it was where its body breaks off and it is made again', async () => {
    const half = new HalfBody({ 'transfer-encoding': 'chunked' });
    await using server = await startServer(inTurn(half.answer, status(503)));
    const { api, breaker, outcomes } = counting();

    await new Promise((resolve) => {
      withRetries(api.stream(server.url, { retry: oneRetry }), (stream) => {
        stream.once('response', () => half.cut());
        stream.once('error', resolve);
        stream.resume();
      });
    });

    expect(server.requests).toHaveLength(2);
    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('fails where its body breaks off, and nobody makes it again', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = counting();
    const stream = api.stream(server.url).once('response', () => half.cut());

    expect(await errorOf(stream.toArray())).toMatchObject({ name: 'ReadError' });

    expect(outcomes).toEqual(['success 200', 'amended body']);
  });

  test('ends with the error that got hands over', async () => {
    await using server = await startServer(inTurn(status(503), closeBeforeHeaders));
    const { api, outcomes } = counting();

    await new Promise((resolve) => {
      withRetries(api.stream(server.url, { retry: oneRetry }), (stream) => {
        stream.once('error', resolve);
      });
    });

    expect(outcomes).toEqual(['failure reset']);
  });

  test('ends where the listener makes no other stream', async () => {
    await using server = await startServer(closeBeforeHeaders);
    const { api, breaker, outcomes } = counting();
    const stream = api.stream(server.url, { retry });
    stream.once('retry', () => {});

    await once(stream, 'close');

    expect(outcomes).toEqual(['failure reset']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('and destroyed counts nowhere', async () => {
    await using server = await startServer(hang);
    const { api, breaker, outcomes } = counting();
    const arrival = server.arrival();
    const stream = api.stream(server.url);
    await arrival;

    stream.destroy();
    await once(stream, 'close');

    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});
