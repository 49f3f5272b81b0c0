import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { refusingUrl, startServer, status } from '@recloser/test-support/server';
import ky2, { HTTPError, isNetworkError, type KyInstance, type RetryOptions } from 'ky';
import ky1 from 'ky-1';
import { describe, expect, test, vi } from 'vitest';
import {
  circuitBreaker,
  type CircuitBreakerOptions,
  type FallbackOn,
  type KyBreakerOptions,
} from '../src/index.ts';

type Fallback = NonNullable<KyBreakerOptions<FallbackOn>['fallback']>;

const URL_OF_NOTHING = 'http://api.example.com/users';

/** The types of ky 2 fit, but for the arguments of hooks. */
const versions: readonly [name: string, ky: KyInstance][] = [
  ['ky 2', ky2],
  ['ky 1', ky1 as unknown as KyInstance],
];

describe.for(versions)('what a fallback throws, with %s,', ([, ky]) => {
  function setUp(
    call: Fallback,
    breakerOptions: CircuitBreakerOptions,
    fallbackOn: 'refusal' | 'failure' = 'refusal',
    retry: RetryOptions = {},
  ) {
    const thrown: unknown[] = [];
    const fallback: Fallback = async (cause, request) => {
      try {
        return await call(cause as never, request);
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    };
    const breaker = endpointBreaker(breakerOptions);
    const delay = vi.fn<() => number>(() => 0);
    const parent = ky.create({ retry: { limit: 5, delay, ...retry } });
    const api = parent.extend(circuitBreaker(breaker, { fallback, fallbackOn }));
    return { api, delay, outcomes: outcomesOf(breaker), thrown };
  }

  const failures: readonly [name: string, fallback: () => Promise<Fallback>][] = [
    [
      'the error of another ky',
      async () => {
        const fetch = async (): Promise<Response> => new Response('down', { status: 503 });
        return () => ky(`${URL_OF_NOTHING}/backup`, { fetch, retry: 0 });
      },
    ],
    [
      'the error of the network',
      async () => {
        const url = await refusingUrl();
        return () => fetch(url);
      },
    ],
    [
      'any error',
      async () => () => {
        throw new Error('the store is empty');
      },
    ],
  ];

  test.for(failures)('is what the caller gets, and not retried: %s', async ([, make]) => {
    for (const retry of [{}, { methods: [] }, { shouldRetry: () => true }]) {
      const it = setUp(await make(), { initialState: 'open' }, 'refusal', retry);
      const { api, delay, outcomes, thrown } = it;

      const error: unknown = await api(URL_OF_NOTHING).catch((each: unknown) => each);

      expect(thrown).toEqual([error]);
      expect(thrown[0]).toBe(error);
      expect(delay).not.toHaveBeenCalled();
      expect(outcomes).toEqual(['refused open']);
    }
  });

  test.for(failures)('is not retried where a failure was to be answered: %s', async ([, make]) => {
    await using server = await startServer(status(503));
    const { api, outcomes, thrown } = setUp(await make(), {}, 'failure');

    const error: unknown = await api(server.url).catch((each: unknown) => each);

    expect(thrown).toHaveLength(1);
    expect(thrown[0]).toBe(error);
    expect(outcomes).toEqual(['failure 503']);
    expect(server.requests).toHaveLength(1);
  });

  test('is retried as without a fallback where it is the error of the attempt', async () => {
    const url = await refusingUrl();
    const raise: Fallback = (cause) => {
      throw cause;
    };
    const { api, outcomes, thrown } = setUp(raise, {}, 'failure');

    const error: unknown = await api(url).catch((each: unknown) => each);
    const bare: unknown = await ky(url, { retry: 0 }).catch((each: unknown) => each);

    expect(thrown).toHaveLength(6);
    expect(outcomes).toEqual(Array(6).fill('failure refused'));
    expect((error as Error).name).toBe((bare as Error).name);
  });
});

describe('what a fallback throws', () => {
  const guarded = (fallback: Fallback, parent: KyInstance = ky2): KyInstance =>
    parent.extend(circuitBreaker(endpointBreaker({ initialState: 'open' }), { fallback }));

  test('is what a hook for errors gets, and may be replaced by it', async () => {
    const url = await refusingUrl();
    const seen: unknown[] = [];
    const beforeError = [
      ({ error }: { error: Error }) => {
        seen.push(error);
        return new Error('of ours');
      },
    ];
    const api = guarded(() => fetch(url), ky2.create({ hooks: { beforeError } }));

    await expect(api(URL_OF_NOTHING)).rejects.toThrow('of ours');

    expect(seen).toMatchObject([{ name: 'TypeError', message: 'fetch failed' }]);
  });

  test('may be anything: the caller gets it', async () => {
    for (const thrown of ['empty', undefined, null, 0, Object.freeze(new Error('frozen'))]) {
      const error: unknown = await guarded(() => Promise.reject(thrown))(URL_OF_NOTHING).then(
        () => 'no error',
        (each: unknown) => each,
      );
      expect(error).toBe(thrown);
    }
  });

  test('says nothing of the errors of calls that it is not asked about', async () => {
    const url = await refusingUrl();
    const other = endpointBreaker();
    const outcomes = outcomesOf(other);
    const backup = ky2.create({ retry: { delay: () => 0 } }).extend(circuitBreaker(other));

    const error: unknown = await guarded(() => backup(url))(URL_OF_NOTHING).catch(
      (e: unknown) => e,
    );

    expect(isNetworkError(error)).toBe(true);
    expect(error).not.toBeInstanceOf(HTTPError);
    expect(outcomes).toEqual(Array(3).fill('failure refused'));
  });
});
