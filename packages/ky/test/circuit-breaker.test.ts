import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { hang, startServer, status } from '@recloser/test-support/server';
import ky, {
  replaceOption,
  type BeforeRequestHook,
  type Hooks,
  type KyInstance,
  type Options,
} from 'ky';
import { describe, expect, test, vi } from 'vitest';
import {
  circuitBreaker,
  CircuitBreaker,
  HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
  type KyBreakerOptions,
  type KyOriginal,
} from '../src/index.ts';

type Fetch = NonNullable<Options['fetch']>;

const URL_OF_NOTHING = 'http://api.example.com/users';

/** A fetch that sends nothing, and counts its calls. */
function standIn(code: number = 200) {
  return vi.fn<Fetch>(async () => new Response(null, { status: code }));
}

function recorded() {
  const breaker = endpointBreaker();
  return { breaker, outcomes: outcomesOf(breaker) };
}

describe('an extended ky', () => {
  test('guards whatever fetch its parent, a later extend or the call sets', async () => {
    const { breaker, outcomes } = recorded();
    const [ofParent, ofLater, ofCall] = [standIn(), standIn(), standIn()];
    const parent = ky.create({ fetch: ofParent });

    const api = parent.extend(circuitBreaker(breaker));
    await api(URL_OF_NOTHING);
    const later = api.extend({ fetch: ofLater });
    await later(URL_OF_NOTHING);
    await later(URL_OF_NOTHING, { fetch: ofCall });
    await parent(URL_OF_NOTHING);

    expect([ofParent, ofLater, ofCall].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1]);
    expect(outcomes).toEqual(['success 200', 'success 200', 'success 200']);
  });

  test('guards the global fetch as it is at the time of the call', async () => {
    const { breaker, outcomes } = recorded();
    const api = ky.extend(circuitBreaker(breaker));
    const fetch = standIn();
    vi.stubGlobal('fetch', fetch);
    try {
      await api(URL_OF_NOTHING);
      await api(URL_OF_NOTHING, { fetch: undefined as never });
    } finally {
      vi.unstubAllGlobals();
    }

    expect(fetch).toHaveBeenCalledTimes(2);
    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test('guards a fetch that a later extend wraps around the one before', async () => {
    const { breaker, outcomes } = recorded();
    const base = standIn();
    const withToken = ({ fetch }: Options): Options => ({
      fetch: async (...args) => {
        await Promise.resolve();
        return fetch!(...args);
      },
    });

    const api = ky.create({ fetch: base }).extend(circuitBreaker(breaker)).extend(withToken);
    await api(URL_OF_NOTHING);

    expect(base).toHaveBeenCalledOnce();
    expect(outcomes).toEqual(['success 200']);
  });

  test('guards a fetch that an init hook sets before', async () => {
    const { breaker, outcomes } = recorded();
    const fetch = standIn();
    const init = (options: Options): void => {
      options.fetch = fetch;
    };

    await ky.extend({ hooks: { init: [init] } }).extend(circuitBreaker(breaker))(URL_OF_NOTHING);

    expect(fetch).toHaveBeenCalledOnce();
    expect(outcomes).toEqual(['success 200']);
  });

  test('is not guarded with a fetch that a later init hook sets', async () => {
    const { breaker, outcomes } = recorded();
    const init = (options: Options): void => {
      options.fetch = standIn();
    };

    await ky.extend(circuitBreaker(breaker)).extend({ hooks: { init: [init] } })(URL_OF_NOTHING);

    expect(outcomes).toEqual([]);
  });

  test.for<[name: string, hooks: Hooks]>([
    ['all hooks', replaceOption({}) as unknown as Hooks],
    ['its init hooks', { init: undefined } as unknown as Hooks],
  ])('is not guarded where a later extend replaces %s', async ([, hooks]) => {
    const { breaker, outcomes } = recorded();
    const api = ky.extend({ fetch: standIn() }).extend(circuitBreaker(breaker));
    const replaced = api.extend({ hooks });

    await replaced(URL_OF_NOTHING);
    expect(outcomes).toEqual([]);
    await api(URL_OF_NOTHING);
    await replaced(URL_OF_NOTHING);

    expect(outcomes).toEqual(['success 200']);
  });

  test('takes no notice of options that change later', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const options = { fallback: () => new Response('stored') };
    const api = ky.extend(circuitBreaker(breaker, options));

    options.fallback = () => new Response('changed');

    expect(await api(URL_OF_NOTHING).text()).toBe('stored');
  });

  test('takes no notice of watchBody that is set later', async () => {
    const options = { watchBody: false };
    const api = ky.extend(circuitBreaker(endpointBreaker(), options)).extend({ fetch: standIn() });

    options.watchBody = true;

    expect(Object.getOwnPropertyNames(await api(URL_OF_NOTHING))).toEqual([]);
  });

  test('gives fetch what ky gives it', async () => {
    const fetch = standIn();
    const dispatcher = {};
    const api = ky.extend({ fetch }).extend(circuitBreaker());

    const options = { json: { id: 1 }, dispatcher };

    await api.post(URL_OF_NOTHING, options);

    const [request, init] = fetch.mock.calls[0]!;
    expect(request).toMatchObject({ method: 'POST', url: URL_OF_NOTHING });
    expect(init).toEqual({ dispatcher });
  });

  test('leaves the retries of its parent and of a call as they are', async () => {
    const count = async (parent: KyInstance, options?: Options): Promise<number> => {
      const fetch = standIn(503);
      const api = parent.extend(circuitBreaker());
      await api(URL_OF_NOTHING, { ...options, fetch }).catch(() => undefined);
      return fetch.mock.calls.length;
    };
    const delay = () => 0;

    expect(await count(ky.create({ retry: { delay } }))).toBe(3);
    expect(await count(ky.create({ retry: 0 }))).toBe(1);
    expect(await count(ky.create({ retry: { limit: 4, delay } }))).toBe(5);
    expect(await count(ky, { retry: { limit: 1, delay } })).toBe(2);
    expect(await count(ky.create({ retry: 0 }), { retry: { limit: 1, delay } })).toBe(2);
    expect(await count(ky.create({ retry: { limit: 4, delay } }), { retry: 0 })).toBe(1);
    expect(await count(ky.create({ retry: { delay, statusCodes: [500] } }))).toBe(1);
    expect(await count(ky.create({ retry: { delay, shouldRetry: () => false } }))).toBe(1);
  });
});

describe('a retry option that ky refuses', () => {
  test.for([['3'], [null], [[1]], [true]])(
    'is refused as without a breaker: %j',
    async ([retry]) => {
      const given = { retry, fetch: standIn() } as unknown as Options;
      const message = async (api: KyInstance, options?: Options): Promise<string> => {
        try {
          return String((await api(URL_OF_NOTHING, options)).status);
        } catch (error) {
          return String(error);
        }
      };

      const bare = await message(ky.create(given));

      expect(bare).toMatch(/retry/);
      expect(await message(ky.create(given).extend(circuitBreaker()))).toBe(bare);
      expect(await message(ky.extend(circuitBreaker()), given)).toBe(bare);
    },
  );
});

describe('an instance that is extended twice', () => {
  test('by one breaker counts an attempt once', async () => {
    const { breaker, outcomes } = recorded();
    const api = ky.extend(circuitBreaker(breaker)).extend(circuitBreaker(breaker));

    await api(URL_OF_NOTHING, { fetch: standIn() });
    await expect(api(URL_OF_NOTHING, { fetch: standIn(503), retry: 0 })).rejects.toThrow('503');

    expect(outcomes).toEqual(['success 200', 'failure 503']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('by one breaker answers with the fallback of the later', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const saying = (text: string) =>
      circuitBreaker(breaker, { fallback: () => new Response(text) });

    const api = ky.extend(saying('earlier')).extend(saying('later'));

    expect(await api(URL_OF_NOTHING).text()).toBe('later');
  });

  test('by two breakers counts an attempt at both', async () => {
    const [one, other] = [recorded(), recorded()];
    const api = ky.extend(circuitBreaker(one.breaker)).extend(circuitBreaker(other.breaker));

    await api(URL_OF_NOTHING, { fetch: standIn() });

    expect(one.outcomes).toEqual(['success 200']);
    expect(other.outcomes).toEqual(['success 200']);
  });
});

describe('a call', () => {
  test('is left out by the option itself, too, which ky hands on to fetch', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const outcomes = outcomesOf(breaker);
    const fetch = standIn();
    const leftOut: Options & { readonly circuitBreaker: false } = { circuitBreaker: false };
    const api = ky.extend(circuitBreaker(breaker)).extend({ fetch });

    expect((await api(URL_OF_NOTHING, leftOut)).status).toBe(200);
    expect((await api.extend(leftOut)(URL_OF_NOTHING)).status).toBe(200);
    expect(outcomes).toEqual([]);
  });

  test('is left out by its context, though the breaker is open', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const outcomes = outcomesOf(breaker);
    const fetch = standIn();
    const api = ky.extend(circuitBreaker(breaker)).extend({ fetch });

    await api(URL_OF_NOTHING, { context: { circuitBreaker: false } });
    await api.extend({ context: { circuitBreaker: false } })(URL_OF_NOTHING);
    const health: BeforeRequestHook = ({ options }) => {
      options.context['circuitBreaker'] = false;
    };
    await api(URL_OF_NOTHING, { context: {}, hooks: { beforeRequest: [health] } });

    expect(fetch).toHaveBeenCalledTimes(3);
    expect(outcomes).toEqual([]);
  });

  test('is shown to a partition with the request and the options of ky', async () => {
    const breaker = new HttpCircuitBreaker({
      level: 'host',
      partition: ({ original }) => String((original as KyOriginal).options.context?.['tenant']),
    });
    const api = ky.extend(circuitBreaker(breaker)).extend({ fetch: standIn() });

    await api(URL_OF_NOTHING, { context: { tenant: 'blue' } });

    expect(breaker.snapshot().breakers.map(({ key }) => key)).toEqual([
      'http://api.example.com [blue]',
    ]);
  });

  test('that waits in fetch holds one permit', async () => {
    await using server = await startServer(hang);
    const { breaker } = recorded();
    const controller = new AbortController();
    const arrival = server.arrival();
    const call = ky.extend(circuitBreaker(breaker))(server.url, { signal: controller.signal });

    await arrival;
    expect(callsInFlight(breaker)).toEqual([1]);
    controller.abort();
    await expect(call).rejects.toBe(controller.signal.reason);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('a hook', () => {
  test('that answers before the request is not asked about', async () => {
    const { breaker, outcomes } = recorded();
    const api = ky.extend(circuitBreaker(breaker));
    const beforeRequest = [() => new Response('stored')];

    expect(await api(URL_OF_NOTHING, { hooks: { beforeRequest } }).text()).toBe('stored');

    expect(outcomes).toEqual([]);
    expect(callsInFlight(breaker)).toEqual([]);
  });

  test('that throws leaves each attempt counted by its status', async () => {
    const error = new Error('not today');
    const raise = (): never => {
      throw error;
    };
    const retry = { limit: 1, delay: () => 0 };
    const endings = [
      [200, { beforeRequest: [raise] }, []],
      [200, { afterResponse: [raise] }, ['success 200']],
      [503, { afterResponse: [raise] }, ['failure 503']],
      [503, { beforeRetry: [raise] }, ['failure 503']],
      [503, { beforeError: [raise] }, ['failure 503', 'failure 503']],
    ] as const;
    for (const [code, hooks, expected] of endings) {
      const { breaker, outcomes } = recorded();
      const api = ky.extend(circuitBreaker(breaker));
      const options = { fetch: standIn(code), retry, hooks } as unknown as Options;

      await expect(api(URL_OF_NOTHING, options)).rejects.toBe(error);

      expect(outcomes).toEqual(expected);
      expect(callsInFlight(breaker).every((calls) => calls === 0)).toBe(true);
    }
  });

  test('that asks for a retry of a good answer has both attempts counted', async () => {
    const { breaker, outcomes } = recorded();
    const api = ky.extend(circuitBreaker(breaker));
    const afterResponse = [
      ({ retryCount }: { retryCount: number }) =>
        retryCount === 0 ? ky.retry({ delay: 0 }) : undefined,
    ];

    await api(URL_OF_NOTHING, { fetch: standIn(), hooks: { afterResponse } });

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test('that stops the retries, or answers in their place, leaves no permit out', async () => {
    for (const answer of [ky.stop, new Response('stored')] as const) {
      const { breaker, outcomes } = recorded();
      const api = ky.extend(circuitBreaker(breaker));
      const retry = { delay: () => 0 };
      const hooks = { beforeRetry: [() => answer] };

      await api(URL_OF_NOTHING, { fetch: standIn(503), retry, hooks });

      expect(outcomes).toEqual(['failure 503']);
      expect(callsInFlight(breaker)).toEqual([0]);
    }
  });

  test('for errors gets the error that it gets without a breaker', async () => {
    await using server = await startServer(status(503));
    const seen: unknown[] = [];
    const beforeError = [
      ({ error, retryCount }: { error: Error; retryCount: number }) => {
        seen.push([error.name, retryCount]);
        return new Error('of ours', { cause: error });
      },
    ];
    const api = ky.extend(circuitBreaker()).extend({ hooks: { beforeError } });

    await expect(api(server.url, { retry: 0 })).rejects.toThrow('of ours');

    expect(seen).toEqual([['HTTPError', 0]]);
  });
});

describe('bad input', () => {
  test.for([
    [{ watchbody: true }, /circuitBreaker: 'watchbody' is not known.*'watchBody'/],
    [{ count: 'call' }, /circuitBreaker: 'count' is not known/],
    [{ watchBody: 'yes' }, /watchBody must be true or false, but is 'yes'/],
    [{ fallback: 'stored' }, /fallback must be a function, but is 'stored'/],
    [{ fallbackOn: 'failure' }, /fallbackOn has no effect without a fallback/],
    [null, /options must be an object, but is null/],
    [new HttpCircuitBreaker(), /options must .* hand it over in place of the options/],
  ] as const)('is a TypeError for the options %j', ([options, message]) => {
    const make = () => circuitBreaker(undefined, options as unknown as KyBreakerOptions);

    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  test.for([
    [{ watchBody: true }, /circuitBreaker: 'watchBody' belongs in the argument after/],
    [new CircuitBreaker('pricing'), /a CircuitBreaker knows no HTTP/],
    [{ breaker: new HttpCircuitBreaker() }, /^breaker must .* HttpCircuitBreaker: hand it over/],
    [new Headers(), /^options must be a plain object, but is a Headers$/],
    [ky, /./],
  ] as const)('is a TypeError for %o as the breaker', ([breaker, message]) => {
    const make = () => circuitBreaker(breaker as HttpCircuitBreakerOptions);

    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  test('is an error for options of the breaker', () => {
    expect(() => circuitBreaker({ breaker: { failureRateThreshold: 140 } })).toThrow(RangeError);
  });

  test('is a TypeError where what it gives is spread, or goes to create: nothing would be guarded', () => {
    expect(() => ky.extend({ ...(circuitBreaker() as object), retry: 0 })).toThrow(
      new TypeError(
        'circuitBreaker: what it returns belongs in an extend of its own, as in ' +
          'ky.extend(circuitBreaker()).extend(options)',
      ),
    );
    expect(() => ky.create(circuitBreaker() as unknown as Options)).toThrow(TypeError);
  });
});
