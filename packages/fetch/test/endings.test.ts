import { describe, expect, test } from 'vitest';
import { HttpCircuitBreaker, wrapFetch } from '../src/index.ts';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { standIn } from './stand-in.ts';
import {
  closeBeforeHeaders,
  garbage,
  HalfBody,
  hang,
  redirect,
  refusingUrl,
  resetBeforeHeaders,
  routes,
  startServer,
  status,
} from '@recloser/test-support/server';

function guarded() {
  const breaker = endpointBreaker();
  return { api: wrapFetch(fetch, breaker), breaker, outcomes: outcomesOf(breaker) };
}

describe('a response', () => {
  test.for([
    [200, 'success'],
    [204, 'success'],
    [304, 'success'],
    [400, 'success'],
    [404, 'success'],
    [408, 'failure'],
    [429, 'failure'],
    [500, 'failure'],
    [501, 'success'],
    [503, 'failure'],
  ] as const)('with status %d is a %s', async ([code, outcome]) => {
    await using server = await startServer(status(code));
    const { api, outcomes } = guarded();

    const response = await api(server.url);

    expect(response.status).toBe(code);
    expect(outcomes).toEqual([`${outcome} ${code}`]);
  });

  test('to HEAD is judged by its status, under a key of its own', async () => {
    await using server = await startServer((request, response) => {
      response.writeHead(request.method === 'HEAD' ? 503 : 200).end();
    });
    const { api, outcomes } = guarded();

    await api(server.url, { method: 'HEAD' });
    await api(server.url);

    expect(outcomes).toEqual(['failure 503', 'success 200']);
  });

  test('that nobody reads holds no permit', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, breaker, outcomes } = guarded();

    const unread = await api(server.url);
    await api(server.url);

    expect(outcomes).toEqual(['success 200', 'success 200']);
    expect(unread.bodyUsed).toBe(false);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('whose body breaks off after the headers stays a success where bodies are not watched', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = guarded();

    const response = await api(server.url);
    half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(outcomes).toEqual(['success 200']);
  });

  test('that opaque modes hide, with status 0, is a success', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const opaque = Response.error();
    const api = wrapFetch(
      standIn(() => opaque),
      breaker,
    );

    expect(await api('https://cdn.example.com/')).toBe(opaque);
    expect(outcomes).toEqual(['success 0']);
  });

  test('that comes over one connection after another counts each', async () => {
    await using server = await startServer(status(200, 'kept alive'));
    const { api, outcomes } = guarded();

    for (let call = 0; call < 3; call++) await (await api(server.url)).text();

    expect(outcomes).toEqual(['success 200', 'success 200', 'success 200']);
  });
});

describe('a redirect', () => {
  test('that is followed counts once, with the final status', async () => {
    await using server = await startServer(
      routes({ '/old': redirect('/new'), '/new': status(503) }),
    );
    const { api, outcomes } = guarded();

    const response = await api(`${server.url}/old`);

    expect(response).toMatchObject({ redirected: true, url: `${server.url}/new` });
    expect(server.requests).toEqual(['GET /old', 'GET /new']);
    expect(outcomes).toEqual(['failure 503']);
  });

  test('that is not followed is a success', async () => {
    await using server = await startServer(redirect('/new'));
    const { api, outcomes } = guarded();

    await api(server.url, { redirect: 'manual' });

    expect(outcomes).toEqual(['success 302']);
  });

  test('that never ends counts nowhere', async () => {
    await using server = await startServer(redirect('/'));
    const { api, outcomes } = guarded();

    await expect(api(server.url)).rejects.toThrow('fetch failed');

    expect(outcomes).toEqual(['ignored redirect-loop']);
  });
});

describe('a call without a response', () => {
  test.for([
    ['closes before the headers', closeBeforeHeaders, 'reset'],
    ['resets the connection', resetBeforeHeaders, 'reset'],
    ['answers with what is no HTTP', garbage, 'protocol'],
  ] as const)('is a failure when the server %s', async ([, answer, kind]) => {
    await using server = await startServer(answer);
    const { api, outcomes } = guarded();

    await expect(api(server.url)).rejects.toThrow('fetch failed');

    expect(outcomes).toEqual([`failure ${kind}`]);
  });

  test('is a failure when nobody listens', async () => {
    const { api, outcomes } = guarded();

    await expect(api(await refusingUrl())).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'ECONNREFUSED' },
    });

    expect(outcomes).toEqual(['failure refused']);
  });

  test('is a failure when the name resolves to nothing', async () => {
    const { api, outcomes } = guarded();

    await expect(api('http://nonexistent.invalid/')).rejects.toThrow('fetch failed');

    expect(outcomes).toEqual(['failure dns']);
  });

  test('is a failure of the whole host when nobody listens', async () => {
    const breaker = new HttpCircuitBreaker({ hostBreaker: { consecutiveFailureThreshold: 2 } });
    const api = wrapFetch(fetch, breaker);
    const url = await refusingUrl();
    await expect(api(`${url}/one`)).rejects.toThrow('fetch failed');
    await expect(api(`${url}/two`)).rejects.toThrow('fetch failed');

    await expect(api(`${url}/three`)).rejects.toMatchObject({ breaker: url });
  });
});

describe('a caller', () => {
  test("that leaves before the headers counts nowhere, and gets its signal's reason", async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded();
    for (const reason of [undefined, new Error('page closed'), 'a string', 0]) {
      const controller = new AbortController();
      const arrival = server.arrival();
      const call = api(server.url, { signal: controller.signal });
      await arrival;

      controller.abort(reason);

      expect(await call.catch((error: unknown) => error)).toBe(controller.signal.reason);
    }
    expect(outcomes).toEqual(Array(4).fill('ignored cancel'));
  });

  test('that leaves through the signal of its Request counts nowhere', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded();
    const controller = new AbortController();
    const arrival = server.arrival();
    const call = api(new Request(server.url, { signal: controller.signal }));
    await arrival;

    controller.abort('gone');

    await expect(call).rejects.toBe('gone');
    expect(outcomes).toEqual(['ignored cancel']);
  });

  test('that leaves after the headers amends nothing', async () => {
    await using server = await startServer(new HalfBody().answer);
    const { api, outcomes } = guarded();
    const controller = new AbortController();
    const response = await api(server.url, { signal: controller.signal });

    controller.abort('gone');

    await expect(response.text()).rejects.toBe('gone');
    expect(outcomes).toEqual(['success 200']);
  });

  test('that runs out of time counts as a failure', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded();

    const call = api(server.url, { signal: AbortSignal.timeout(20) });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    const request = new Request(server.url, { signal: AbortSignal.timeout(20) });
    await expect(api(request)).rejects.toMatchObject({ name: 'TimeoutError' });

    expect(outcomes).toEqual(['failure deadline', 'failure deadline']);
  });

  test('is told from its deadline where the two are one signal', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded();
    const controller = new AbortController();
    const arrival = server.arrival();
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)]);
    const left = api(server.url, { signal });
    await arrival;
    controller.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });

    const late = api(server.url, {
      signal: AbortSignal.any([new AbortController().signal, AbortSignal.timeout(20)]),
    });
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });

    expect(outcomes).toEqual(['ignored cancel', 'failure deadline']);
  });

  test('that left before it called is not admitted, and nothing is sent', async () => {
    await using server = await startServer(status(200));
    const { api, outcomes } = guarded();
    const signal = AbortSignal.abort('gone');

    await expect(api(server.url, { signal })).rejects.toBe('gone');
    await expect(api(new Request(server.url, { signal }))).rejects.toBe('gone');

    expect(outcomes).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('may take the signal of a Request away, or leave it', async () => {
    await using server = await startServer(status(200));
    const { api, outcomes } = guarded();
    const request = new Request(server.url, { signal: AbortSignal.abort('gone') });

    await api(request, { signal: null });
    // @ts-expect-error: undefined is no signal, but JavaScript passes it on.
    await expect(api(request, { signal: undefined })).rejects.toBe('gone');

    expect(outcomes).toEqual(['success 200']);
  });
});

describe('a request that can not be sent', () => {
  test.for([
    ['a URL that is none', 'http://'],
    ['a relative URL', '/users'],
    ['another scheme', 'ftp://127.0.0.1/'],
    ['a forbidden port', 'http://127.0.0.1:6000/'],
    ['nothing', undefined],
  ] as const)('fails by itself and is counted nowhere: %s', async ([, url]) => {
    const { api, outcomes } = guarded();

    // @ts-expect-error: one of them is no URL at all.
    const failure: unknown = await api(url).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(TypeError);
    expect(outcomes.filter((outcome) => outcome !== 'ignored local')).toEqual([]);
  });

  test('fails by itself and gives its permit back: a bad header, a used Request', async () => {
    await using server = await startServer(status(200));
    const { api, outcomes } = guarded();
    const used = new Request(server.url, { method: 'POST', body: 'once' });
    await used.text();

    await expect(api(server.url, { headers: { 'not a token': '' } })).rejects.toThrow(TypeError);
    await expect(api(used)).rejects.toThrow(TypeError);
    await api(server.url);

    expect(outcomes.filter((outcome) => !outcome.startsWith('ignored'))).toEqual(['success 200']);
  });

  test('does not concern a data: URL', async () => {
    const { api, outcomes } = guarded();

    expect(await (await api('data:text/plain,hello')).text()).toBe('hello');
    expect(outcomes).toEqual([]);
  });
});

test('every ending gives the permits of the endpoint and of the host back', async () => {
  await using server = await startServer(new HalfBody().answer);
  const breaker = new HttpCircuitBreaker();
  const api = wrapFetch(fetch, breaker);
  const controller = new AbortController();
  const out = api(server.url);
  expect(callsInFlight(breaker)).toEqual([1, 1]);
  await out;

  for (const answer of [status(503), closeBeforeHeaders, garbage, redirect('/')]) {
    server.answer = answer;
    await api(server.url).catch(() => undefined);
  }
  server.answer = hang;
  const arrival = server.arrival();
  const left = api(server.url, { signal: controller.signal }).catch(() => undefined);
  await arrival;
  controller.abort();
  await left;
  await api(await refusingUrl()).catch(() => undefined);
  await api(server.url, { headers: { 'not a token': '' } }).catch(() => undefined);

  expect(callsInFlight(breaker)).toEqual([0, 0, 0, 0]);
});
