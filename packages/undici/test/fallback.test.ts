import { once } from 'node:events';
import { pipeline, Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { fetch as undiciFetch, interceptors, type Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import {
  CallNotPermittedError,
  circuitBreakerInterceptor,
  getDegradation,
  isCallNotPermitted,
  isDegraded,
  type FallbackAnswer,
  type GuardedRequest,
  type FallbackOn,
  type UndiciOptions,
} from '../src/index.ts';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import {
  closeBeforeHeaders,
  HalfBody,
  hang,
  refusingUrl,
  routes,
  startServer,
  status,
} from '@recloser/test-support/server';
import { agent, requestTo, statusOf } from './clients.ts';

/** A dispatcher whose breaker refuses everything, unless it is to let everything through. */
function guarded(made: Dispatcher, options: UndiciOptions<FallbackOn>, isOpen = true) {
  const breaker = endpointBreaker({ maxConcurrentCalls: 100 });
  if (isOpen) breaker.control('*').forceOpen({ reason: 'test' });
  const outcomes = outcomesOf(breaker);
  const dispatcher = made.compose(circuitBreakerInterceptor(breaker, options));
  return { breaker, outcomes, dispatcher };
}

const URL_OF_NOTHING = 'http://api.example.invalid/users?page=1';

describe('a refused call', () => {
  const answer: FallbackAnswer = {
    statusCode: 203,
    headers: { 'Content-Type': 'application/json', 'set-cookie': ['a=1', 'b=2'] },
    body: '{"users":[]}',
  };

  test('is answered by the fallback', async () => {
    await using made = agent();
    const asked: (readonly [unknown, GuardedRequest])[] = [];
    const { dispatcher, outcomes } = guarded(made, {
      fallback(cause, request) {
        asked.push([cause, request]);
        return answer;
      },
    });

    const response = await dispatcher.request(requestTo(URL_OF_NOTHING, { opaque: null }));

    expect(response.statusCode).toBe(203);
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'set-cookie': ['a=1', 'b=2'],
      'cache-control': 'no-store',
    });
    expect(await response.body.json()).toEqual({ users: [] });
    const [[cause, request]] = asked as [(typeof asked)[0]];
    expect(cause).toBeInstanceOf(CallNotPermittedError);
    expect(request).toMatchObject({
      method: 'GET',
      url: URL_OF_NOTHING,
      options: { opaque: null },
    });
    expect(outcomes).toEqual(['closed to forced-open', 'refused forced-open']);
    expect(isDegraded(response)).toBe(true);
    expect(isDegraded(response.headers)).toBe(true);
    expect(getDegradation(response)).toEqual({ cause });
  });

  test.for([
    ['/users?page=1', undefined, '/users?page=1'],
    ['//elsewhere.example/users', undefined, '//elsewhere.example/users'],
    ['//', undefined, '//'],
    ['//:80x/[', undefined, '//:80x/['],
    ['/users', { page: 1, sort: ['a', 'b'] }, '/users?page=1&sort=a&sort=b'],
  ] as const)('is told to the fallback by where it goes: %s', async ([path, query, told]) => {
    await using made = agent();
    const urls: string[] = [];
    const { dispatcher } = guarded(made, {
      fallback(_cause, { url }) {
        urls.push(url);
        return { statusCode: 200 };
      },
    });
    const origin = 'http://api.example.invalid:8080';

    const { body } = await dispatcher.request({
      origin,
      path,
      method: 'GET',
      query: query as object,
    });
    await body.dump();

    expect(urls).toEqual([origin + told]);
  });

  test('is answered later, too, and by nothing more than a status', async () => {
    await using made = agent();
    const { dispatcher } = guarded(made, {
      fallback: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { statusCode: 200 };
      },
    });

    const { statusCode, headers, body } = await dispatcher.request(requestTo(URL_OF_NOTHING));

    expect([statusCode, await body.text()]).toEqual([200, '']);
    expect(headers).toEqual({ 'cache-control': 'no-store' });
  });

  test('is answered whatever way it was made', async () => {
    await using made = agent();
    const bytes = new TextEncoder().encode('from the fallback');
    const { dispatcher } = guarded(made, { fallback: () => ({ ...answer, body: bytes }) });
    const chunks: unknown[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(String(chunk));
        done();
      },
    });

    await dispatcher.stream(requestTo(URL_OF_NOTHING), ({ headers }) => {
      chunks.push(isDegraded(headers));
      return sink;
    });
    const piped = dispatcher.pipeline(requestTo(URL_OF_NOTHING), ({ body }) => body).end();
    const fetched = await undiciFetch(URL_OF_NOTHING, { dispatcher });

    expect(chunks).toEqual([true, 'from the fallback']);
    expect(String(Buffer.concat(await piped.toArray()))).toBe('from the fallback');
    expect(await fetched.text()).toBe('from the fallback');
    expect(fetched.status).toBe(203);
    expect(fetched.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    // Fetch makes its Response and the headers of it anew.
    expect(isDegraded(fetched)).toBe(false);
  });

  test('shares nothing of an answer that is given to many', async () => {
    await using made = agent();
    const { dispatcher } = guarded(made, { fallback: () => answer });

    const [one, other] = await Promise.all([
      dispatcher.request(requestTo(URL_OF_NOTHING)),
      dispatcher.request(requestTo(URL_OF_NOTHING)),
    ]);
    one.headers['content-type'] = 'changed';

    expect(other.headers['content-type']).toBe('application/json');
    expect(await other.body.text()).toBe(answer.body);
    await one.body.dump();
    expect(answer.headers).toHaveProperty('Content-Type');
  });

  test('fails by what the fallback throws, and nobody tries it again', async () => {
    await using made = agent();
    const error = Object.assign(new Error('no cache'), { code: 'ECONNREFUSED' });
    const { dispatcher } = guarded(made, {
      fallback() {
        throw error;
      },
    });
    const retried = dispatcher.compose(interceptors.retry({ maxRetries: 3, minTimeout: 1 }));

    await expect(statusOf(retried, URL_OF_NOTHING)).rejects.toBe(error);
  });

  test.for([
    ['gives the refusal back', (refusal: unknown) => refusal as FallbackAnswer],
    [
      'throws it',
      (refusal: unknown) => {
        throw refusal;
      },
    ],
  ] as const)('stays refused where the fallback %s', async ([, fallback]) => {
    await using made = agent();
    const { dispatcher } = guarded(made, { fallback });

    await expect(statusOf(dispatcher, URL_OF_NOTHING)).rejects.toBeInstanceOf(
      CallNotPermittedError,
    );
    const fetched = undiciFetch(URL_OF_NOTHING, { dispatcher });
    expect(isCallNotPermitted(await fetched.catch((error: unknown) => error))).toBe(true);
  });

  test.for([undefined, null, 'text', 42])(
    'fails by a TypeError where the fallback gives %s',
    async (given) => {
      await using made = agent();
      const { dispatcher } = guarded(made, { fallback: () => given as FallbackAnswer });

      await expect(statusOf(dispatcher, URL_OF_NOTHING)).rejects.toThrow(/fallback must give/);
    },
  );

  test('fails by a TypeError where the body is none that can be given at once', async () => {
    await using made = agent();
    const body = Readable.from(['text']) as unknown as string;
    const { dispatcher } = guarded(made, { fallback: () => ({ body }) });

    await expect(statusOf(dispatcher, URL_OF_NOTHING)).rejects.toBeInstanceOf(TypeError);
  });

  test('that asks for a socket is refused: no fallback has one', async () => {
    await using made = agent();
    const { dispatcher } = guarded(made, { fallback: () => answer });

    await expect(dispatcher.upgrade(requestTo(URL_OF_NOTHING))).rejects.toThrow('forced-open');
    const connect = dispatcher.connect({
      origin: 'http://api.example.invalid',
      path: 'elsewhere:80',
    });
    await expect(connect).rejects.toThrow('forced-open');
  });

  test('may be aborted while the fallback thinks', async () => {
    await using made = agent();
    const { dispatcher } = guarded(made, { fallback: () => new Promise<never>(() => {}) });
    const controller = new AbortController();
    const { signal } = controller;
    const enough = new Error('enough');

    const call = statusOf(dispatcher, URL_OF_NOTHING, { signal });
    const fetched = undiciFetch(URL_OF_NOTHING, { dispatcher, signal });
    controller.abort(enough);

    await expect(call).rejects.toBe(enough);
    await expect(fetched).rejects.toBe(enough);
  });

  test('hands its answer out as slowly as it is taken', async () => {
    await using made = agent();
    const { dispatcher } = guarded(made, { fallback: () => answer });
    const heard: string[] = [];
    let resume = (): void => {};

    const ended = new Promise<void>((resolve) => {
      dispatcher.dispatch(requestTo(URL_OF_NOTHING), {
        onRequestStart: () => void heard.push('start'),
        onResponseStart(controller) {
          heard.push('headers');
          controller.pause();
          resume = () => controller.resume();
        },
        onResponseData: (controller) => {
          heard.push('data');
          controller.pause();
          controller.resume();
        },
        onResponseEnd: () => resolve(),
      });
    });
    await new Promise((resolve) => setImmediate(resolve));

    expect(heard).toEqual(['start', 'headers']);
    resume();
    await ended;
    expect(heard).toEqual(['start', 'headers', 'data']);
  });
});

describe('a failed call', () => {
  const fallbackOn = 'failure';

  test('is answered where it ended without a response', async () => {
    await using server = await startServer(closeBeforeHeaders);
    await using made = agent();
    const causes: unknown[] = [];
    const { dispatcher, outcomes } = guarded(
      made,
      {
        fallbackOn,
        fallback(cause) {
          causes.push(cause);
          return { body: outcomes.join() };
        },
      },
      false,
    );

    const response = await dispatcher.request(requestTo(server.url));

    // It was recorded before.
    expect(await response.body.text()).toBe('failure reset');
    expect(isDegraded(response)).toBe(true);
    expect(causes).toMatchObject([{ code: 'UND_ERR_SOCKET' }]);
  });

  test('is answered where its status is a failure, and its own body is dropped', async () => {
    const half = new HalfBody();
    await using server = await startServer((request, response) => {
      response.writeHead = response.writeHead.bind(response, 503) as never;
      half.answer(request, response);
    });
    await using made = agent();
    const causes: unknown[] = [];
    const { dispatcher, outcomes, breaker } = guarded(
      made,
      {
        fallbackOn,
        fallback(cause) {
          causes.push(cause);
          return { body: 'from the fallback' };
        },
      },
      false,
    );

    const response = await dispatcher.request(requestTo(server.url));

    expect(response.statusCode).toBe(200);
    expect(await response.body.text()).toBe('from the fallback');
    await half.left();
    expect(causes).toMatchObject([{ statusCode: 503, headers: { 'content-length': '1000' } }]);
    expect(outcomes).toEqual(['failure 503']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  const givesBack = async (cause: unknown): Promise<FallbackAnswer> => {
    await new Promise((resolve) => setImmediate(resolve));
    return cause as FallbackAnswer;
  };
  const throwsIt = (cause: unknown): never => {
    throw cause;
  };

  test.for([
    ['gives a status back', givesBack, status(503, 'the real body'), 'the real body'],
    ['throws a status', throwsIt, status(503, 'the real body'), 'the real body'],
    ['gives an error back', givesBack, closeBeforeHeaders, 'other side closed'],
    ['throws an error', throwsIt, closeBeforeHeaders, 'other side closed'],
  ] as const)('stays as it is where the fallback %s', async ([, fallback, ending, told]) => {
    await using server = await startServer(ending);
    await using made = agent();
    const { dispatcher } = guarded(made, { fallbackOn, fallback }, false);
    const textOf = async (): Promise<string> => {
      const response = await dispatcher.request(requestTo(server.url));
      expect(response.statusCode).toBe(503);
      expect(isDegraded(response)).toBe(false);
      return response.body.text();
    };
    const fetched = async (): Promise<string> =>
      (await undiciFetch(server.url, { dispatcher })).text();

    expect(await textOf().catch((error: Error) => error.message)).toBe(told);
    const messageOf = (error: Error): string => (error.cause as Error).message;
    expect(await fetched().catch(messageOf)).toBe(told);
  });

  test('may be aborted while the fallback thinks, and the connection with it', async () => {
    const half = new HalfBody();
    await using server = await startServer((request, response) => {
      response.writeHead = response.writeHead.bind(response, 503) as never;
      half.answer(request, response);
    });
    await using made = agent();
    const controller = new AbortController();
    const { dispatcher } = guarded(
      made,
      {
        fallbackOn,
        fallback() {
          setImmediate(() => controller.abort());
          return new Promise<never>(() => {});
        },
      },
      false,
    );

    const call = statusOf(dispatcher, server.url, { signal: controller.signal });

    await expect(call).rejects.toThrow('aborted');
    await half.left();
  });

  test.for(['//', '///', '//[', '//:80x/'])(
    'leaves an error as it is, whatever the path: %s',
    async (path) => {
      await using made = agent();
      const { dispatcher } = guarded(made, { fallback: () => ({ body: 'text' }) }, false);
      const origin = await refusingUrl();

      const call = dispatcher.request({ origin, path, method: 'GET' });

      await expect(call).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    },
  );

  test('whose body is dropped leaves its connection to the next, though dump is beneath', async () => {
    await using server = await startServer(
      routes({ '/': status(200), '/failing': status(503, 'down') }),
    );
    await using made = agent({ connections: 1 });
    const dumping = made.compose(interceptors.dump());
    const { dispatcher } = guarded(
      dumping,
      { fallbackOn, fallback: () => ({ body: 'ours' }) },
      false,
    );

    for (let call = 0; call < 3; call++) {
      const failed = await dispatcher.request(requestTo(`${server.url}/failing`));
      expect(await failed.body.text()).toBe('ours');
      expect(await statusOf(dispatcher, `${server.url}/`)).toBe(200);
    }
  });

  test.for(['request', 'stream', 'pipeline', 'fetch'] as const)(
    'that was left as it is can be aborted still: %s',
    async (way) => {
      const half = new HalfBody();
      await using server = await startServer((request, response) => {
        response.writeHead = response.writeHead.bind(response, 503) as never;
        half.answer(request, response);
      });
      await using made = agent();
      const { dispatcher } = guarded(made, { fallbackOn, fallback: givesBack }, false);
      const controller = new AbortController();
      const { signal } = controller;
      const options = requestTo(server.url, { signal });
      const abortsAtFirst = (): Writable => {
        return new Writable({
          write(_chunk, _encoding, done) {
            controller.abort();
            done();
          },
        });
      };
      const ways = {
        request: async () => {
          const { body } = await dispatcher.request(options);
          return promisify(pipeline)(body, abortsAtFirst());
        },
        stream: () => dispatcher.stream(options, abortsAtFirst),
        pipeline: () =>
          promisify(pipeline)(
            dispatcher.pipeline(options, ({ body }) => body).end(),
            abortsAtFirst(),
          ),
        fetch: async () => {
          const { body } = await undiciFetch(server.url, { dispatcher, signal });
          await body!.pipeTo(Writable.toWeb(abortsAtFirst()) as never);
        },
      };

      await expect(ways[way]()).rejects.toThrow('aborted');
      await half.left();
    },
  );

  test.for([
    ['a success', status(200), 200],
    ['not found', status(404), 404],
  ] as const)('is not: %s', async ([, ending, code]) => {
    await using server = await startServer(ending);
    await using made = agent();
    const { dispatcher } = guarded(
      made,
      { fallbackOn, fallback: () => ({ statusCode: 299 }) },
      false,
    );

    expect(await statusOf(dispatcher, server.url)).toBe(code);
  });

  test('is not one that the caller left', async () => {
    await using server = await startServer(hang);
    await using made = agent();
    const { dispatcher } = guarded(made, { fallbackOn, fallback: () => ({ body: 'text' }) }, false);
    const controller = new AbortController();

    const call = statusOf(dispatcher, server.url, { signal: controller.signal });
    await server.arrival();
    controller.abort();

    await expect(call).rejects.toThrow('aborted');
  });

  test('is not one whose body breaks off: the caller has its response already', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    await using made = agent();
    const { dispatcher, outcomes } = guarded(
      made,
      { fallbackOn, fallback: () => ({ body: 'text' }) },
      false,
    );

    const { body } = await dispatcher.request(requestTo(server.url));
    await once(body, 'readable');
    half.cut();

    await expect(body.text()).rejects.toThrow('closed');
    expect(outcomes).toEqual(['success 200', 'amended reset']);
  });

  test('is each attempt where a retry is around the breaker', async () => {
    await using server = await startServer(status(503));
    await using made = agent();
    const { dispatcher } = guarded(made, { fallbackOn, fallback: () => ({ body: 'ours' }) }, false);
    const retried = dispatcher.compose(interceptors.retry({ minTimeout: 1, maxTimeout: 1 }));

    const { body } = await retried.request(requestTo(server.url));

    expect(await body.text()).toBe('ours');
    expect(server.requests).toHaveLength(1);
  });

  test('is the call where the retry is inside', async () => {
    await using server = await startServer(status(503));
    await using made = agent();
    const retried = made.compose(
      interceptors.retry({ minTimeout: 1, maxTimeout: 1, maxRetries: 2 }),
    );
    const { dispatcher, outcomes } = guarded(
      retried,
      { fallbackOn, fallback: () => ({ body: 'ours' }) },
      false,
    );

    const response = await dispatcher.request(requestTo(server.url));

    expect(await response.body.text()).toBe('ours');
    expect(server.requests).toHaveLength(3);
    expect(outcomes).toEqual(['failure 503']);
  });

  test.for([
    ['gives it back', givesBack, status(503)],
    ['throws it', throwsIt, status(503)],
    ['throws an error', throwsIt, closeBeforeHeaders],
  ] as const)(
    'is left to a retry around it where the fallback %s',
    async ([, fallback, ending]) => {
      let requests = 0;
      await using server = await startServer((...args) =>
        (++requests < 3 ? ending : status(200, 'at last'))(...args),
      );
      await using made = agent();
      const { dispatcher } = guarded(made, { fallbackOn, fallback }, false);
      const retried = dispatcher.compose(interceptors.retry({ minTimeout: 1, maxTimeout: 1 }));

      const { body } = await retried.request(requestTo(server.url));

      expect(await body.text()).toBe('at last');
      expect(server.requests).toHaveLength(3);
    },
  );
});
