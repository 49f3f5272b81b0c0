import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
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
import ky, {
  HTTPError,
  isNetworkError,
  isTimeoutError,
  type BeforeErrorHook,
  type BeforeRequestHook,
  type Options,
} from 'ky';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { circuitBreaker } from '../src/index.ts';

function guarded(options: Options = {}) {
  const breaker = endpointBreaker();
  const api = ky.create({ retry: 0, ...options }).extend(circuitBreaker(breaker));
  return { api, breaker, outcomes: outcomesOf(breaker) };
}

/** Long enough never to end a test, short enough to be a timeout of its own. */
const SOON = 50;

describe('a response', () => {
  test.for([
    [200, 'success'],
    [204, 'success'],
    [404, 'success'],
    [429, 'failure'],
    [501, 'success'],
    [503, 'failure'],
  ] as const)('with status %d is a %s, as an error and as a response', async (each) => {
    const [code, outcome] = each;
    await using server = await startServer(status(code));
    const { api, outcomes } = guarded();

    const thrown = await api(server.url).then(
      ({ status: given }) => given,
      (error: HTTPError) => error.response.status,
    );
    const given = await api(server.url, { throwHttpErrors: false });

    expect([thrown, given.status]).toEqual([code, code]);
    expect(outcomes).toEqual([`${outcome} ${code}`, `${outcome} ${code}`]);
  });

  test('is the very one that fetch gave', async () => {
    await using server = await startServer(status(200, 'body'));
    let made: Response | undefined;
    const { api } = guarded({ fetch: async (...args) => (made = await fetch(...args)) });

    const response = await api(server.url);

    expect(response).toBe(made);
    expect(Object.getOwnPropertyNames(response)).toEqual([]);
    expect(await response.text()).toBe('body');
  });

  test('that follows a redirect counts once, with the final status', async () => {
    await using server = await startServer(
      routes({ '/old': redirect('/new'), '/new': status(503) }),
    );
    const { api, outcomes } = guarded();

    await expect(api(`${server.url}/old`)).rejects.toBeInstanceOf(HTTPError);

    expect(outcomes).toEqual(['failure 503']);
  });

  test('that nobody reads holds no permit', async () => {
    await using server = await startServer(new HalfBody().answer);
    const { api, breaker, outcomes } = guarded();

    await api(server.url);
    await api(server.url);

    expect(outcomes).toEqual(['success 200', 'success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('whose body is no JSON stays a success', async () => {
    await using server = await startServer(status(200, 'no JSON'));
    const { api, outcomes } = guarded();

    await expect(api(server.url).json()).rejects.toThrow(SyntaxError);

    expect(outcomes).toEqual(['success 200']);
  });
});

describe('an error of the network', () => {
  test.for([
    ['reset', closeBeforeHeaders],
    ['reset', resetBeforeHeaders],
    ['protocol', garbage],
  ] as const)('is a failure: %s', async ([kind, answer]) => {
    await using server = await startServer(answer);
    const { api, outcomes } = guarded();

    await expect(api(server.url)).rejects.toSatisfy(isNetworkError);

    expect(outcomes).toEqual([`failure ${kind}`]);
  });

  test('is a failure: refused', async () => {
    const { api, outcomes } = guarded();

    await expect(api(await refusingUrl())).rejects.toSatisfy(isNetworkError);

    expect(outcomes).toEqual(['failure refused']);
  });
});

/** The ways in which a call may be given a signal of the caller's, or none. */
const ways: Readonly<
  Record<string, (url: string, signal: AbortSignal) => [string | Request, Options]>
> = {
  'as an option': (url, signal) => [url, { signal }],
  'in a Request': (url, signal) => [new Request(url, { signal }), {}],
  'in a Request of a method that is not retried': (url, signal) => [
    new Request(url, { signal, method: 'POST' }),
    {},
  ],
  'in a Request, with retries': (url, signal) => [new Request(url, { signal }), { retry: 5 }],
  'in a Request, with all retried': (url, signal) => [
    new Request(url, { signal }),
    { retry: { limit: 5, shouldRetry: () => true } },
  ],
  'in a Request, and no timeout': (url, signal) => [
    new Request(url, { signal }),
    { timeout: false },
  ],
};

describe.for(Object.entries(ways))('a signal given %s', ([, call]) => {
  test('by which the caller leaves counts as nothing', async () => {
    await using server = await startServer(hang);
    const { api, breaker, outcomes } = guarded();
    const controller = new AbortController();

    const arrival = server.arrival();
    const left = api(...call(server.url, controller.signal));
    await arrival;
    controller.abort();

    await expect(left).rejects.toBe(controller.signal.reason);
    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test.for([['a reason'], [new Error('left')]])(
    'by which the caller leaves with %o counts as nothing',
    async ([reason]) => {
      await using server = await startServer(hang);
      const { api, outcomes } = guarded();
      const controller = new AbortController();

      const arrival = server.arrival();
      const left = api(...call(server.url, controller.signal));
      await arrival;
      controller.abort(reason);

      await expect(left).rejects.toBe(reason);
      expect(outcomes).toEqual(['ignored cancel']);
    },
  );

  test('that times out is a deadline', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded();

    const late = api(...call(server.url, AbortSignal.timeout(SOON)));

    await expect(late).rejects.toMatchObject({ name: 'TimeoutError', code: 23 });
    expect(outcomes).toEqual(['failure deadline']);
  });

  test('that is aborted already sends nothing and counts as nothing', async () => {
    await using server = await startServer();
    const { api, outcomes } = guarded();

    const aborted = AbortSignal.abort();

    await expect(api(...call(server.url, aborted))).rejects.toBe(aborted.reason);

    expect(outcomes).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe('an abort with a reason that looks like an AbortError counts as nothing', () => {
  const hostile = Object.defineProperty({}, 'name', {
    get() {
      throw new Error('hostile');
    },
  });
  const reasons = [{ name: 'AbortError' }, hostile, new DOMException('left', 'AbortError')];

  test.for(Object.entries(ways))('given %s', async ([, call]) => {
    await using server = await startServer(hang);
    for (const reason of reasons) {
      const { api, breaker, outcomes } = guarded();
      const controller = new AbortController();
      const arrival = server.arrival();
      const left = api(...call(server.url, controller.signal));
      await arrival;
      controller.abort(reason);

      // With retries ky falls over the hostile one itself.
      await expect(left).rejects.toBeDefined();
      // The breaker hears of it after the caller.
      await setImmediate();
      expect(outcomes).toEqual(['ignored cancel']);
      expect(callsInFlight(breaker)).toEqual([0]);
    }
  });
});

describe.for([
  ['without a signal', {}],
  ['with a signal', { signal: new AbortController().signal }],
] as const)('a signal that a hook adds, in a call %s,', ([, options]) => {
  const adding =
    (added: AbortSignal): BeforeRequestHook =>
    ({ request }) =>
      new Request(request, { signal: AbortSignal.any([request.signal, added]) });

  test('by which it leaves counts as nothing', async () => {
    await using server = await startServer(hang);
    for (const reason of [undefined, 'a reason']) {
      const { api, outcomes } = guarded();
      const controller = new AbortController();
      const hooks = { beforeRequest: [adding(controller.signal)] };
      const arrival = server.arrival();
      const left = api(server.url, { ...options, hooks });
      await arrival;
      controller.abort(reason);

      await expect(left).rejects.toBe(controller.signal.reason);
      expect(outcomes).toEqual(['ignored cancel']);
    }
  });

  test('that times out is a deadline', async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded();
    const hooks = { beforeRequest: [adding(AbortSignal.timeout(SOON))] };

    await expect(api(server.url, { ...options, hooks })).rejects.toMatchObject({ code: 23 });

    expect(outcomes).toEqual(['failure deadline']);
  });
});

test('a caller whose leaving ky tells to no hook of ours counts as nothing', async () => {
  await using server = await startServer(hang);
  const { api, outcomes } = guarded();
  const init = (options: Options): void => {
    options.hooks = {};
  };
  const controller = new AbortController();
  const request = new Request(server.url, { method: 'POST', signal: controller.signal });

  const arrival = server.arrival();
  const left = api.extend({ hooks: { init: [init] } })(request);
  await arrival;
  controller.abort();

  await expect(left).rejects.toBe(controller.signal.reason);
  await setImmediate();
  expect(outcomes).toEqual(['ignored cancel']);
});

const { signal } = new AbortController();

const slowly: BeforeErrorHook = async ({ error }) => {
  await setImmediate();
  return error;
};

describe("ky's own timeout is a failure", () => {
  test.for<[name: string, options: Options, request?: RequestInit]>([
    ['without a signal', { timeout: SOON }],
    ['with a signal', { timeout: SOON, signal }],
    ['with the signal of a Request', { timeout: SOON }, { signal }],
    ['of a method that is not retried', { timeout: SOON }, { method: 'POST' }],
    ['for the whole', { totalTimeout: SOON }],
    ['with a shouldRetry', { timeout: SOON, retry: { shouldRetry: async () => undefined } }],
    [
      'with a shouldRetry that takes its time',
      {
        timeout: SOON,
        retry: { limit: 1, shouldRetry: () => setImmediate(), delay: () => 0 },
      },
      { signal },
    ],
    [
      'with a hook for errors that takes its time',
      { timeout: SOON, hooks: { beforeError: [slowly] } },
      { signal, method: 'POST' },
    ],
    ['where a fetch follows no signal', { timeout: SOON, fetch: () => new Promise(() => {}) }],
    [
      'where a fetch tells of errors late',
      {
        timeout: SOON,
        async fetch(...args) {
          try {
            return await fetch(...args);
          } catch (error) {
            await setImmediate();
            throw error;
          }
        },
      },
      { signal },
    ],
    [
      'where a hook gives fetch a request without a signal',
      {
        timeout: SOON,
        hooks: { beforeRequest: [({ request }) => new Request(request.url)] },
      },
    ],
  ])('%s', async ([, options, request]) => {
    await using server = await startServer(hang);
    const { api, breaker, outcomes } = guarded();

    const late = api(new Request(server.url, request), options);

    await expect(late).rejects.toSatisfy(isTimeoutError);
    expect(outcomes).toEqual(['failure response-timeout']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test.for<[name: string, given: Options]>([
    ['retryOnTimeout', { retry: { limit: 2, retryOnTimeout: true, delay: () => 0 } }],
    ['shouldRetry', { retry: { limit: 2, shouldRetry: () => true, delay: () => 0 } }],
  ])('for each attempt that %s asks for', async ([, options]) => {
    await using server = await startServer(hang);
    const { api, outcomes } = guarded();

    await expect(api(server.url, { timeout: SOON, ...options })).rejects.toSatisfy(isTimeoutError);

    expect(outcomes).toEqual(Array(3).fill('failure response-timeout'));
  });

  test('after an attempt that was retried', async () => {
    const answers = [status(503), hang];
    await using server = await startServer((...args) => answers.shift()!(...args));
    const { api, outcomes } = guarded({ retry: { limit: 1, delay: () => 0 } });

    const late = api(new Request(server.url, { signal }), { timeout: SOON });

    await expect(late).rejects.toSatisfy(isTimeoutError);
    expect(outcomes).toEqual(['failure 503', 'failure response-timeout']);
  });

  test.for<[name: string, options: Options]>([
    ['', { fetch: () => new Promise(() => {}) }],
    [
      ', which a hook has taken away',
      { hooks: { beforeRequest: [({ request }) => new Request(request.url)] } },
    ],
  ])('that no fallback answers, though the fetch follows no signal%s', async ([, options]) => {
    await using server = await startServer(hang);
    const fallback = vi.fn<() => Response>();
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = ky
      .create({ retry: 0, timeout: SOON })
      .extend(circuitBreaker(breaker, { fallback, fallbackOn: 'failure' }));

    await expect(api(server.url, options)).rejects.toSatisfy(isTimeoutError);

    expect(outcomes).toEqual(['failure response-timeout']);
    expect(fallback).not.toHaveBeenCalled();
  });
});
