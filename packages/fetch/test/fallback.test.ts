import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { HalfBody, hang, startServer, status } from '@recloser/test-support/server';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import {
  CallNotPermittedError,
  getDegradation,
  isDegraded,
  wrapFetch,
  wrapGlobalFetch,
  type CircuitBreakerOptions,
  type HttpCircuitBreakerOptions,
  type FallbackOn,
  type WrapFetchOptions,
} from '../src/index.ts';
import { standIn } from './stand-in.ts';

type Fallback = NonNullable<WrapFetchOptions<Response, FallbackOn>['fallback']>;
type Base = (url: string, init?: RequestInit) => Promise<Response>;

const URL_OF_NOTHING = 'http://api.example.com/users';

const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

const FOREIGN_ERROR = "Object.assign(new Error('reset'), { code: 'ECONNRESET' })";

/** Whose fallback answers failures, too. */
function setUp(
  base: Base,
  fallback: Fallback,
  options: CircuitBreakerOptions = {},
  others: HttpCircuitBreakerOptions & Pick<WrapFetchOptions, 'watchBody'> = {},
) {
  const { watchBody, ...rest } = others;
  const breaker = endpointBreaker(options, rest);
  const api = wrapFetch(base, breaker, { fallback, fallbackOn: 'failure', watchBody });
  return { api, outcomes: outcomesOf(breaker) };
}

const fetchStandIn =
  (answer: Response): typeof fetch =>
  async () =>
    answer;

const stored: Fallback = () => new Response('stored');

describe('a fallback', () => {
  test('that is not asked leaves a call alone whose method only becomes a string', async () => {
    const answer = new Response();
    const api = wrapFetch(fetchStandIn(answer), endpointBreaker(), { fallback: stored });
    const method = { toString: () => 'get' } as unknown as string;

    expect(await api(URL_OF_NOTHING, { method })).toBe(answer);
  });

  test('is told such a method as the string that it becomes', async () => {
    const fallback = vi.fn<Fallback>(stored);
    const breaker = endpointBreaker({ initialState: 'open' });
    const api = wrapFetch(fetchStandIn(new Response()), breaker, { fallback });

    await api(URL_OF_NOTHING, { method: { toString: () => 'get' } as unknown as string });

    expect(fallback.mock.calls[0]![1].method).toBe('GET');
    expect(breaker.snapshot().breakers[0]!.key).toBe(`GET ${URL_OF_NOTHING}`);
  });
});

test.for([
  [undefined, 'undefined'],
  [null, 'null'],
  ['stored', "'stored'"],
  [{ data: 1 }, 'an object without a status'],
  [{ status: '200' }, 'an object without a status'],
  [['stored'], 'a list without a status'],
  [new Map(), 'a Map without a status'],
] as const)('a fallback that gives %s is told what it must give', async ([given, shown]) => {
  const { api } = setUp(
    () => Promise.reject(error),
    () => given as unknown as Response,
  );

  await expect(api(URL_OF_NOTHING)).rejects.toThrow(
    new TypeError(`fallback must give a Response, but gave ${shown}`),
  );
});

test('a fallback may give the response of another fetch', async () => {
  class OtherResponse {
    get status(): number {
      return 203;
    }
  }
  const other = new OtherResponse() as unknown as Response;
  const { api } = setUp(
    () => Promise.reject(error),
    () => other,
  );

  expect(await api(URL_OF_NOTHING)).toBe(other);
  expect(isDegraded(other)).toBe(true);
});

describe("with fallbackOn: 'failure'", () => {
  test('a response whose status is a failure is answered, after it was recorded', async () => {
    const failing = new Response(null, { status: 503 });
    const seen: unknown[] = [];
    const { api, outcomes } = setUp(
      standIn(() => failing),
      (cause, { method, url }) => {
        seen.push(cause, method, url, ...outcomes);
        return new Response('stored');
      },
    );

    const response = await api(URL_OF_NOTHING);

    expect(await response.text()).toBe('stored');
    expect(getDegradation(response)?.cause).toBe(failing);
    expect(seen).toEqual([failing, 'GET', URL_OF_NOTHING, 'failure 503']);
    expect(outcomes).toEqual(['failure 503']);
  });

  test('an error is answered, after it was recorded', async () => {
    const seen: unknown[] = [];
    const { api, outcomes } = setUp(
      standIn(() => Promise.reject(error)),
      async (cause) => {
        seen.push(cause, ...outcomes);
        return new Response('stored');
      },
    );

    const response = await api(URL_OF_NOTHING);

    expect(await response.text()).toBe('stored');
    expect(getDegradation(response)?.cause).toBe(error);
    expect(seen).toEqual([error, 'failure reset']);
    expect(outcomes).toEqual(['failure reset']);
  });

  test('a refusal is answered as ever', async () => {
    const { api, outcomes } = setUp(fetch, stored, { initialState: 'open' });

    const response = await api(URL_OF_NOTHING);

    expect(getDegradation(response)?.cause).toBeInstanceOf(CallNotPermittedError);
    expect(outcomes).toEqual(['refused open']);
  });

  test.for([['trip'], ['hold']] as const)('a %s is answered', async ([outcome]) => {
    const row = { status: 429, outcome, ...(outcome === 'hold' && { holdFor: 1000 }) } as const;
    const base = standIn(() => new Response(null, { status: 429 }));
    const { api, outcomes } = setUp(base, stored, {}, { rules: [row] });

    expect(await (await api(URL_OF_NOTHING)).text()).toBe('stored');
    expect(outcomes).toContain('closed to open');
  });

  test("the caller's own deadline is answered", async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = setUp(fetch, stored);

    const response = await api(server.url, { signal: AbortSignal.timeout(50) });

    expect(await response.text()).toBe('stored');
    expect(outcomes).toEqual(['failure deadline']);
  });

  test.for<[string, Fallback]>([
    ['gives back', (cause) => cause as Response],
    ['throws', (cause) => Promise.reject(cause)],
  ])('a call is left as it is by a fallback that %s what it was given', async ([, asItIs]) => {
    const failing = new Response('no', { status: 503 });
    const plain = { code: 'ECONNRESET' };

    const response = await setUp(
      standIn(() => failing),
      asItIs,
    ).api(URL_OF_NOTHING);

    expect(response).toBe(failing);
    expect(isDegraded(response)).toBe(false);
    expect(await response.text()).toBe('no');
    for (const thrown of [error, plain, runInContext(FOREIGN_ERROR, createContext())]) {
      const { api, outcomes } = setUp(
        standIn(() => Promise.reject(thrown)),
        asItIs,
      );
      await expect(api(URL_OF_NOTHING)).rejects.toBe(thrown);
      expect(outcomes).toEqual(['failure reset']);
    }
    const refused = setUp(fetch, asItIs, { initialState: 'open' }).api(URL_OF_NOTHING);
    await expect(refused).rejects.toBeInstanceOf(CallNotPermittedError);
  });

  test('a caller who leaves is not answered', async () => {
    await using server = await startServer(hang);
    const fallback = vi.fn<Fallback>();
    const { api, outcomes } = setUp(fetch, fallback);
    const controller = new AbortController();

    const arrival = server.arrival();
    const left = api(server.url, { signal: controller.signal });
    await arrival;
    controller.abort();

    await expect(left).rejects.toBe(controller.signal.reason);
    expect(fallback).not.toHaveBeenCalled();
    expect(outcomes).toEqual(['ignored cancel']);
  });

  test('what the rules count as no failure is not answered', async () => {
    const fallback = vi.fn<Fallback>();
    const unavailable = standIn(() => new Response(null, { status: 503 }));
    const others: HttpCircuitBreakerOptions[] = [
      { rules: [{ status: 503, outcome: 'success' }] },
      { rules: [{ status: 503, outcome: 'ignore' }] },
      { overrides: [{ path: '/users', breaker: false }] },
    ];
    for (const each of others) {
      const { api } = setUp(unavailable, fallback, {}, each);
      expect((await api(URL_OF_NOTHING)).status).toBe(503);
    }

    expect(fallback).not.toHaveBeenCalled();
  });

  test('a body that breaks off later is none of its business', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const fallback = vi.fn<Fallback>();
    const { api, outcomes } = setUp(fetch, fallback, {}, { watchBody: true });

    const response = await api(server.url);
    half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(outcomes).toEqual(['success 200', 'amended body']);
    expect(fallback).not.toHaveBeenCalled();
  });

  test('its answer is not watched', async () => {
    const answer = new Response('stored');
    const base = standIn(() => new Response(null, { status: 503 }));
    const { api } = setUp(base, () => answer, {}, { watchBody: true });

    expect(await api(URL_OF_NOTHING)).toBe(answer);
    expect(Object.getOwnPropertyNames(answer)).toEqual([]);
  });

  test('two guards by one breaker ask the outer fallback alone', async () => {
    const breaker = endpointBreaker();
    const inner = vi.fn<Fallback>(stored);
    const failing = standIn(() => new Response(null, { status: 503 }));
    const fallbackOn = 'failure';

    const once = wrapFetch(failing, breaker, { fallback: inner, fallbackOn });
    const twice = wrapFetch(once, breaker, { fallback: () => new Response('outer'), fallbackOn });

    expect(await (await twice(URL_OF_NOTHING)).text()).toBe('outer');
    expect(inner).not.toHaveBeenCalled();
  });

  test('the global fetch is answered, too', async () => {
    await using server = await startServer(status(503));
    const restore = wrapGlobalFetch(endpointBreaker(), { fallback: stored, fallbackOn: 'failure' });
    try {
      expect(await (await fetch(server.url)).text()).toBe('stored');
    } finally {
      restore();
    }
  });

  test('there has to be a fallback', () => {
    expect(() => wrapFetch(fetch, undefined, { fallbackOn: 'failure' })).toThrow(
      new TypeError('wrapFetch: fallbackOn has no effect without a fallback'),
    );
    expect(() =>
      wrapFetch(fetch, undefined, { fallback: stored, fallbackOn: 'error' as 'failure' }),
    ).toThrow(/fallbackOn must be .*'refusal'.*'failure'.*'error'/);
  });
});
