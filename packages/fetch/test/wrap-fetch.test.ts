import { describe, expect, test, vi } from 'vitest';
import {
  CallNotPermittedError,
  CircuitBreaker,
  HttpCircuitBreaker,
  isDegraded,
  wrapFetch,
  type HttpCircuitBreakerOptions,
  type FallbackOn,
  type WrapFetchOptions,
} from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { standIn } from './stand-in.ts';
import { startServer, status } from '@recloser/test-support/server';

type Fallback = NonNullable<WrapFetchOptions<Response, FallbackOn>['fallback']>;

const URL_OF_NOTHING = 'http://api.example.com/users';

/** A breaker that refuses every call but the first. */
async function openBreaker(url: string = URL_OF_NOTHING): Promise<HttpCircuitBreaker> {
  const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 });
  await wrapFetch(
    standIn(() => new Response(null, { status: 500 })),
    breaker,
  )(url);
  return breaker;
}

describe('what the given fetch gets', () => {
  test('are the very arguments of the caller', async () => {
    const base = vi.fn<(...args: unknown[]) => Promise<Response>>(async () => new Response());
    const api = wrapFetch(base as typeof fetch, endpointBreaker());
    const url = new URL(URL_OF_NOTHING);
    const request = new Request(url, { method: 'POST', body: 'text' });
    const init = { method: 'PUT', dispatcher: {}, signal: new AbortController().signal };

    await api(url);
    await api(request, init);
    await (api as typeof base)(URL_OF_NOTHING, undefined, 'a third');

    expect(base.mock.calls.map((args) => args.length)).toEqual([1, 2, 3]);
    expect(base.mock.calls[0]![0]).toBe(url);
    expect(base.mock.calls[1]![0]).toBe(request);
    expect(base.mock.calls[1]![1]).toBe(init);
    expect(request.bodyUsed).toBe(false);
  });

  test('is a request that a server sees as it was meant', async () => {
    await using server = await startServer((request, response) => request.pipe(response));
    const api = wrapFetch(fetch);

    const response = await api(new Request(server.url, { method: 'POST', body: 'echo' }));

    expect(await response.text()).toBe('echo');
  });
});

describe('what the caller gets', () => {
  test('is the very Response', async () => {
    await using server = await startServer(status(200, 'body'));
    let made: Response | undefined;
    const api = wrapFetch(async (url: string) => (made = await fetch(url)), endpointBreaker());

    const response = await api(server.url);

    expect(response).toBe(made);
    expect(Object.getOwnPropertyNames(response)).toEqual([]);
    expect(await response.text()).toBe('body');
  });

  test('is the very error', async () => {
    const error = new TypeError('fetch failed');
    const api = wrapFetch(
      standIn(() => Promise.reject(error)),
      endpointBreaker(),
    );

    await expect(api(URL_OF_NOTHING)).rejects.toBe(error);
  });

  test('is a rejection where the given fetch throws at once, and the call is counted', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const throws: typeof fetch = () => {
      throw error;
    };
    const api = wrapFetch(throws, breaker);

    await expect(api(URL_OF_NOTHING)).rejects.toBe(error);
    expect(outcomes).toEqual(['failure reset']);
  });

  test('is a promise where the given fetch answers at once, and the call is counted', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const response = new Response(null, { status: 503 });
    const api = wrapFetch((() => response) as unknown as typeof fetch, breaker);

    const call = api(URL_OF_NOTHING);

    expect(call).toBeInstanceOf(Promise);
    expect(await call).toBe(response);
    expect(outcomes).toEqual(['failure 503']);
  });

  test('is whatever a stand-in of fetch answers, and the permit goes back', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const hostile = {
      get status(): number {
        throw new Error('no status');
      },
    };
    for (const answer of [undefined, null, 'text', {}, { status: '200' }, hostile]) {
      for (const watchBody of [false, true]) {
        const api = wrapFetch(
          standIn(() => answer),
          breaker,
          {
            watchBody,
          },
        );
        expect(await api(URL_OF_NOTHING)).toBe(answer);
      }
    }
    expect(outcomes).toEqual([]);
  });
});

describe('the wrapped fetch', () => {
  test('has the name, the length and the statics of the given one', () => {
    const preconnect = vi.fn<() => void>();
    const base = Object.assign(async function fetch(_input: string, _init?: object) {}, {
      preconnect,
      [Symbol.for('static')]: 1,
    });

    const api = wrapFetch(base);

    expect(api.name).toBe('fetch');
    expect(api.length).toBe(2);
    expect(api.preconnect).toBe(preconnect);
    expect(api[Symbol.for('static') as never]).toBe(1);
    expect(Object.assign({}, api)).toEqual({ preconnect, [Symbol.for('static')]: 1 });
    expect(wrapFetch(fetch).name).toBe('fetch');
  });

  test('needs no this', async () => {
    await using server = await startServer();
    const client = { fetch: wrapFetch(fetch) };

    expect((await client.fetch(server.url)).status).toBe(200);
  });

  test('resolves a relative URL as the page does, for the key', async () => {
    const breaker = endpointBreaker();
    const keys: string[] = [];
    breaker.on('success', (event) => keys.push(event.breaker));
    const api = wrapFetch(
      standIn(() => new Response()),
      breaker,
    );
    vi.stubGlobal('location', { href: 'https://app.example.com/shop/cart' });
    try {
      await api('/users/42?full');
      await api('items');
      await api('//other.example.com/');
      await api('HTTPS://other.example.com/');
      vi.stubGlobal('document', { baseURI: 'https://cdn.example.com/' });
      await api('items');
    } finally {
      vi.unstubAllGlobals();
    }
    await api('items');

    expect(keys).toEqual([
      'GET https://app.example.com/users/:id',
      'GET https://app.example.com/shop/items',
      'GET https://other.example.com/',
      'GET https://other.example.com/',
      'GET https://cdn.example.com/items',
    ]);
  });
});

describe('a refusal', () => {
  test('is a rejection with the error itself, never a throw', async () => {
    const base = vi.fn<(url: string) => Promise<Response>>();
    const api = wrapFetch(base, await openBreaker());

    const call = api(URL_OF_NOTHING);

    expect(call).toBeInstanceOf(Promise);
    await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
    expect(base).not.toHaveBeenCalled();
  });

  test('is answered by the fallback, with a response that is marked', async () => {
    const breaker = await openBreaker();
    const outcomes = outcomesOf(breaker);
    const stored = Response.json({ from: 'store' });
    const fallback = vi.fn<Fallback>().mockReturnValue(stored);
    const api = wrapFetch(fetch, breaker, { fallback });
    const init = { method: 'get' };

    const response = await api(URL_OF_NOTHING, init);

    expect(response).toBe(stored);
    expect(isDegraded(response)).toBe(true);
    expect(isDegraded(new Response())).toBe(false);
    const [refusal, request] = fallback.mock.calls[0]!;
    expect(refusal).toBeInstanceOf(CallNotPermittedError);
    expect(request).toEqual({ method: 'GET', url: URL_OF_NOTHING, input: URL_OF_NOTHING, init });
    expect(request.init).toBe(init);
    expect(outcomes).toEqual(['refused open']);
  });

  test('is answered by a fallback that takes its time', async () => {
    const api = wrapFetch(fetch, await openBreaker(), {
      fallback: async (_, { url }) => new Response(url),
    });

    expect(await (await api(new URL(URL_OF_NOTHING))).text()).toBe(URL_OF_NOTHING);
  });

  test('whose fallback fails gives the caller its error', async () => {
    const breaker = await openBreaker();
    const error = new Error('the store is empty');
    const throws = wrapFetch(fetch, breaker, {
      fallback: () => {
        throw error;
      },
    });
    const rejects = wrapFetch(fetch, breaker, { fallback: () => Promise.reject(error) });

    await expect(throws(URL_OF_NOTHING)).rejects.toBe(error);
    await expect(rejects(URL_OF_NOTHING)).rejects.toBe(error);
  });

  test('alone is answered by the fallback: a call that failed is not', async () => {
    const fallback = vi.fn<() => Response>();
    const error = new TypeError('fetch failed');
    const api = wrapFetch(
      standIn((): Promise<Response> => Promise.reject(error)),
      undefined,
      {
        fallback,
      },
    );

    await expect(api(URL_OF_NOTHING)).rejects.toBe(error);
    expect(fallback).not.toHaveBeenCalled();
  });
});

describe('a second guard by the same breaker', () => {
  test('counts a request once', async () => {
    await using server = await startServer();
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);

    const api = wrapFetch(wrapFetch(wrapFetch(fetch, breaker), breaker), breaker);
    await api(server.url);

    expect(outcomes).toEqual(['success 200']);
  });

  test('counts a request once with the guard of another breaker between them', async () => {
    await using server = await startServer();
    const [breaker, other] = [endpointBreaker(), endpointBreaker()];
    const [outcomes, otherOutcomes] = [outcomesOf(breaker), outcomesOf(other)];

    const api = wrapFetch(wrapFetch(wrapFetch(fetch, breaker), other), breaker);
    await api(server.url);

    expect(outcomes).toEqual(['success 200']);
    expect(otherOutcomes).toEqual(['success 200']);
  });

  test('answers with its own fallback', async () => {
    const breaker = await openBreaker();
    const inner = wrapFetch(fetch, breaker, { fallback: () => new Response('inner') });
    const outer = wrapFetch(inner, breaker, { fallback: () => new Response('outer') });

    expect(await (await outer(URL_OF_NOTHING)).text()).toBe('outer');
    expect(await (await inner(URL_OF_NOTHING)).text()).toBe('inner');
  });

  test('counts a request once with a foreign wrapper between them', async () => {
    await using server = await startServer();
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const inner = wrapFetch(fetch, breaker);
    const foreign: typeof fetch = (...args) => inner(...args);

    await wrapFetch(foreign, breaker)(server.url);

    expect(outcomes).toEqual(['success 200']);
  });

  test('counts another request that the wrapper between them makes', async () => {
    await using server = await startServer();
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const inner = wrapFetch(fetch, breaker);
    const withToken: typeof fetch = async (...args) => {
      await inner(`${server.url}/token`);
      return fetch(...args);
    };

    await wrapFetch(withToken, breaker)(server.url);

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test('is none where the options are the same, but the breakers are two', async () => {
    await using server = await startServer();
    const [breaker, other] = [endpointBreaker(), endpointBreaker()];
    const [outcomes, otherOutcomes] = [outcomesOf(breaker), outcomesOf(other)];

    await wrapFetch(wrapFetch(fetch, breaker), other)(server.url);

    expect(outcomes).toEqual(['success 200']);
    expect(otherOutcomes).toEqual(['success 200']);
  });
});

describe('bad input', () => {
  test.for([
    ['fetch', undefined, 'undefined'],
    ['fetch', null, 'null'],
    ['fetch', { breaker: {} }, 'an object'],
    ['fetch', 'https://api.example.com', "'https://api.example.com'"],
  ] as const)('is a TypeError for %s: %j', ([, value, shown]) => {
    expect(() => wrapFetch(value as never)).toThrow(
      new TypeError(`wrapFetch: fetch must be a function, but is ${shown}`),
    );
  });

  test.for([
    [{ watchbody: true }, /'watchbody' is not known.*'watchBody'/],
    [{ fallBack: () => new Response() }, /'fallBack' is not known.*'fallback'/],
    [{ failureRateThreshold: 40 }, /'failureRateThreshold' is not known.*in the argument before/],
    [{ watchBody: 'yes' }, /watchBody must be true or false, but is 'yes'/],
    [{ fallback: new Response() }, /fallback must be a function, but is a Response/],
    [null, /options must be an object, but is null/],
    ['watchBody', /options must be an object, but is 'watchBody'/],
    [[], /options must be an object, but is an empty list/],
    [new HttpCircuitBreaker(), /options must be .* HttpCircuitBreaker: hand it over in place of/],
    [new Map(), /options must be a plain object, but is a Map/],
  ] as const)('is a TypeError for the options %j', ([options, message]) => {
    const wrap = () => wrapFetch(fetch, undefined, options as unknown as WrapFetchOptions);

    expect(wrap).toThrow(TypeError);
    expect(wrap).toThrow(message);
  });

  test.for([
    [{ fallback: () => new Response() }, /wrapFetch: 'fallback' belongs in the argument after/],
    [{ watchBody: true }, /wrapFetch: 'watchBody' belongs in the argument after/],
    [new CircuitBreaker('pricing'), /a CircuitBreaker knows no HTTP/],
    [
      { breaker: new HttpCircuitBreaker() },
      /^breaker must .* hand it over in place of the options/,
    ],
    [{ hostBreaker: new HttpCircuitBreaker() }, /^hostBreaker must .* HttpCircuitBreaker/],
    [new Map(), /^options must be a plain object, but is a Map/],
  ] as const)('is a TypeError for %o as the breaker', ([breaker, message]) => {
    expect(() => wrapFetch(fetch, breaker as HttpCircuitBreakerOptions)).toThrow(message);
    expect(() => wrapFetch(fetch, breaker as HttpCircuitBreakerOptions)).toThrow(TypeError);
  });

  test('is an error of the breaker for its options', () => {
    expect(() => wrapFetch(fetch, { breaker: { failureRateThreshold: 140 } })).toThrow(RangeError);
    expect(() => wrapFetch(fetch, { breaker: { failureRateTreshold: 40 } as object })).toThrow(
      /failureRateThreshold/,
    );
    expect(() => wrapFetch(fetch, 'breaker' as never)).toThrow(TypeError);
    expect(() => wrapFetch(fetch, null as never)).toThrow(TypeError);
  });

  test('is not an option that is undefined', () => {
    expect(() => wrapFetch(fetch, undefined, { watchBody: undefined })).not.toThrow();
    expect(() => wrapFetch(fetch, {}, undefined)).not.toThrow();
  });
});
