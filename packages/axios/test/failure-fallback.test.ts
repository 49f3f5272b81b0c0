import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { hang, startServer, status } from '@recloser/test-support/server';
import axios, {
  AxiosError,
  type AxiosAdapter,
  type AxiosInstance,
  type AxiosResponse,
} from 'axios';
import axiosRetry from 'axios-retry';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import {
  addCircuitBreaker,
  getDegradation,
  isDegraded,
  type FallbackOn,
  type AddCircuitBreakerOptions,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

type Fallback = NonNullable<AddCircuitBreakerOptions<FallbackOn>['fallback']>;

const URL_OF_NOTHING = 'http://api.example.com/users';

/** Whose fallback answers failures, too. */
function setUp({
  statuses,
  fallback = () => ({ data: 'stored' }),
  before = () => {},
  after = () => {},
}: {
  readonly statuses: readonly number[];
  readonly fallback?: Fallback;
  readonly before?: (api: AxiosInstance) => unknown;
  readonly after?: (api: AxiosInstance) => unknown;
}) {
  const asked = vi.fn<Fallback>(fallback);
  const breaker = endpointBreaker();
  const api = axios.create({ adapter: answering(...statuses) });
  before(api);
  addCircuitBreaker(api, breaker, { fallback: asked, fallbackOn: 'failure' });
  after(api);
  return { api, asked, outcomes: outcomesOf(breaker) };
}

const retries = (api: AxiosInstance): unknown =>
  axiosRetry(api, { retries: 2, retryDelay: () => 0 });

describe('a fallback for failures', () => {
  test('answers an error, which it is given', async () => {
    const { api, asked, outcomes } = setUp({ statuses: [503] });

    const response = await api.get(URL_OF_NOTHING);

    expect(response).toMatchObject({ data: 'stored', config: { url: URL_OF_NOTHING } });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(asked.mock.calls[0]![0]).toBeInstanceOf(AxiosError);
    expect(getDegradation(response)?.cause).toBe(asked.mock.calls[0]![0]);
    expect(outcomes).toEqual(['failure 503']);
  });

  test.for<[string, Fallback]>([
    ['gives back', (cause) => cause as AxiosResponse],
    ['throws', (cause) => Promise.reject(cause)],
  ])('answers a response that validateStatus takes, unless it %s that', async ([, leave]) => {
    const { api, asked } = setUp({
      statuses: [503],
      fallback: (cause, request) =>
        request.method === 'GET' ? { data: 'stored' } : leave(cause, request),
    });

    const answered = await api.get(URL_OF_NOTHING, { validateStatus: null });
    const left = await api.post(URL_OF_NOTHING, {}, { validateStatus: null });

    expect(asked.mock.calls[0]![0]).toMatchObject({ status: 503 });
    expect([answered.status, isDegraded(answered)]).toEqual([200, true]);
    expect([left.status, isDegraded(left)]).toEqual([503, false]);
    expect(left).toBe(asked.mock.calls[1]![0]);
  });

  test.for<[string, Fallback]>([
    ['gives back', (cause) => cause as AxiosResponse],
    ['throws', (cause) => Promise.reject(cause)],
  ])('leaves an error as it is that it %s', async ([, fallback]) => {
    const { api, asked, outcomes } = setUp({ statuses: [503], fallback });

    const error = await errorOf(api.get(URL_OF_NOTHING));

    expect(error).toBe(asked.mock.calls[0]![0]);
    expect(error).toMatchObject({ name: 'AxiosError', status: 503 });
    expect(outcomes).toEqual(['failure 503']);
  });

  test('names an answer of the wrong shape in an error, and is not asked again', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      fallback: () => ({ price: 1 }) as never,
      before: retries,
    });

    expect(String(await errorOf(api.get(URL_OF_NOTHING)))).toContain(
      'as { data } is one, but gave',
    );
    expect(asked).toHaveBeenCalledOnce();
  });

  test('leaves successes, what the rules ignore and callers that leave alone', async () => {
    await using server = await startServer(status(200, 'longer than allowed'));
    const { api, asked, outcomes } = setUp({ statuses: [200, 404] });
    const controller = new AbortController();
    const byHttp = { adapter: 'http', signal: controller.signal };

    await api.get(URL_OF_NOTHING);
    await errorOf(api.get(URL_OF_NOTHING));
    await errorOf(api.get(server.url, { ...byHttp, maxContentLength: 5 }));
    server.answer = hang;
    const left = errorOf(api.get(server.url, byHttp));
    await server.arrival();
    controller.abort();
    await left;

    expect(outcomes).toEqual(['success 200', 'success 404', 'ignored local', 'ignored cancel']);
    expect(asked).not.toHaveBeenCalled();
  });

  test('answers after the last retry, with axios-retry installed before', async () => {
    const { api, asked, outcomes } = setUp({ statuses: [503, 502, 500], before: retries });

    const { data } = await api.get(URL_OF_NOTHING);

    expect(data).toBe('stored');
    expect(asked.mock.calls.map(([cause]) => (cause as AxiosError).status)).toEqual([500]);
    expect(outcomes).toEqual(['failure 503', 'failure 502', 'failure 500']);
  });

  test('is not asked where a retry succeeds', async () => {
    const { api, asked } = setUp({ statuses: [503, 503, 200], before: retries });

    expect((await api.get(URL_OF_NOTHING)).data).toBe('body of 200');
    expect(asked).not.toHaveBeenCalled();
  });

  test('answers the first failure with axios-retry installed after', async () => {
    const { api, outcomes } = setUp({ statuses: [503], after: retries });

    expect((await api.get(URL_OF_NOTHING)).data).toBe('stored');
    expect(outcomes).toEqual(['failure 503']);
  });

  test('that throws what it was given is asked once, retries or not', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      before: retries,
      fallback: (cause) => {
        throw cause;
      },
    });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('that throws what it was given leaves it to axios-retry, installed after', async () => {
    const { api, asked, outcomes } = setUp({
      statuses: [503, 200],
      after: retries,
      fallback: (cause) => {
        throw cause;
      },
    });

    expect((await api.get(URL_OF_NOTHING)).data).toBe('body of 200');
    expect(asked).toHaveBeenCalledTimes(1);
    expect(outcomes).toEqual(['failure 503', 'success 200']);
  });

  test('that wraps what it was given is asked once, retries or not', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      before: retries,
      fallback: (cause) => {
        throw new Error('nothing stored', { cause });
      },
    });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ cause: { status: 503 } });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('that gives the error back leaves the call as it is, and is asked once', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      before: retries,
      fallback: (cause) => cause as never,
    });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('that gives a response back is asked once, also where an interceptor sends it again', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      before: (instance) =>
        instance.interceptors.response.use((response) =>
          response.config.method === 'get'
            ? instance.request({ ...response.config, method: 'put' })
            : response,
        ),
      fallback: (cause) => cause as AxiosResponse,
    });

    expect((await api.get(URL_OF_NOTHING, { validateStatus: null })).status).toBe(503);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('is asked again about an error that it has left before', async () => {
    const shared = Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    const answers = [() => Promise.reject(shared), () => ({ data: 'stored' })];
    const { api } = setUp({ statuses: [503], fallback: () => answers.shift()!() });
    const adapter = () => Promise.reject(shared);

    expect(await errorOf(api.get(URL_OF_NOTHING, { adapter }))).toBe(shared);
    expect((await api.get(URL_OF_NOTHING, { adapter })).data).toBe('stored');
  });

  test('that throws gives the caller its error', async () => {
    const noStore = new Error('nothing stored');
    const { api } = setUp({ statuses: [503], fallback: () => Promise.reject(noStore) });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toBe(noStore);
  });

  test('answers an error that another interceptor wrapped, and the refusal inside', async () => {
    const wraps = (api: AxiosInstance): unknown =>
      api.interceptors.response.use(null, (cause) => {
        throw new Error('users are not available', { cause });
      });
    const { api, asked } = setUp({ statuses: [503], before: wraps });

    expect((await api.get(URL_OF_NOTHING)).data).toBe('stored');
    expect(asked.mock.calls[0]![0]).toMatchObject({ message: 'users are not available' });
  });

  test.for([
    ['', {}],
    [', with a status that is taken', { validateStatus: null }],
  ] as const)(
    'answers a failure whose data is no JSON, where that is an error%s',
    async ([, taken]) => {
      const { api, asked, outcomes } = setUp({ statuses: [503, 200] });
      const strict = {
        responseType: 'json',
        transitional: { silentJSONParsing: false },
        ...taken,
      } as const;

      expect((await api.get(URL_OF_NOTHING, strict)).data).toBe('stored');
      await expect(api.get(URL_OF_NOTHING, strict)).rejects.toThrow('JSON');

      expect(asked).toHaveBeenCalledTimes(1);
      expect(outcomes).toEqual(['failure 503', 'success 200']);
    },
  );

  test('leaves a caller alone who left when the failure was there', async () => {
    const controller = new AbortController();
    const base = answering(503);
    const { api, asked, outcomes } = setUp({ statuses: [503] });
    const adapter: AxiosAdapter = async (config) => {
      const response = base(config);
      await errorOf(response);
      controller.abort();
      return response;
    };

    const error = await errorOf(api.get(URL_OF_NOTHING, { adapter, signal: controller.signal }));

    expect(error).toMatchObject({ code: 'ERR_CANCELED' });
    expect(asked).not.toHaveBeenCalled();
    expect(outcomes).toEqual(['failure 503']);
  });

  test('answers each of many calls that fail by one and the same error', async () => {
    const shared = Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    const { api, asked } = setUp({ statuses: [503] });
    const adapter = async (): Promise<never> => {
      throw shared;
    };

    const calls = [1, 2, 3].map(() => api.get(URL_OF_NOTHING, { adapter }));

    for (const { data } of await Promise.all(calls)) expect(data).toBe('stored');
    expect(asked).toHaveBeenCalledTimes(3);
  });

  describe.for(['http', 'fetch'] as const)(
    'lets the stream go that nobody will get (%s)',
    (adapter) => {
      /** How many connections are open after a call, and what it ended in. */
      const stream = async (fallback: Fallback, validateStatus: null | undefined) => {
        let closed = Promise.resolve<unknown>(undefined);
        const server = await startServer((request, response) => {
          closed = once(request.socket, 'close');
          response.writeHead(503).write('half');
        });
        const { api } = setUp({ statuses: [503], fallback });
        const ending = await api
          .get(server.url, {
            adapter,
            responseType: 'stream',
            ...(validateStatus === null && { validateStatus }),
          })
          .catch((error: unknown) => error);
        return {
          ending,
          closed: () => closed,
          [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
        };
      };

      test('of an error', async () => {
        await using it = await stream(() => ({ data: 'stored' }), undefined);

        expect(it.ending).toMatchObject({ data: 'stored' });
        await it.closed();
      });

      test('of a response', async () => {
        await using it = await stream(() => ({ data: 'stored' }), null);

        expect(it.ending).toMatchObject({ data: 'stored' });
        await it.closed();
      });

      test('where it throws an error of its own', async () => {
        await using it = await stream(() => Promise.reject(new Error('nothing stored')), null);

        expect(it.ending).toMatchObject({ message: 'nothing stored' });
        await it.closed();
      });
    },
  );

  test.for<[name: string, fallback: Fallback]>([
    ['gives in its answer', (cause) => ({ data: (cause as AxiosResponse).data })],
    [
      'throws with the response',
      (cause) => {
        throw new AxiosError('x', undefined, undefined, undefined, cause as AxiosResponse);
      },
    ],
    [
      'throws as the cause',
      (cause) => {
        throw new Error('x', { cause });
      },
    ],
    [
      'has begun to read',
      (cause) => {
        (cause as AxiosResponse<Readable>).data.resume();
        return { data: 'stored' };
      },
    ],
    [
      'has read of',
      (cause) => {
        (cause as AxiosResponse<Readable>).data.read();
        return { data: 'stored' };
      },
    ],
    ['gives back', (cause) => cause as AxiosResponse],
  ])('keeps the stream that it %s', async ([, fallback]) => {
    const data = new Readable({ read() {} });
    data.push('half');
    const { api } = setUp({ statuses: [503], fallback });
    const adapter: AxiosAdapter = async (config) => ({
      status: 503,
      statusText: '',
      headers: {},
      data,
      config,
    });

    await errorOf(api.get(URL_OF_NOTHING, { adapter, transformResponse: [] }));

    expect(data.destroyed).toBe(false);
  });

  test('keeps the stream of an error that an interceptor wrapped, and that it throws', async () => {
    const data = new Readable({ read() {} });
    const { api } = setUp({
      statuses: [503],
      before: (instance) =>
        instance.interceptors.response.use((response) => {
          throw new Error('users are not available', { cause: response });
        }),
      fallback: (cause) => {
        throw cause;
      },
    });
    const adapter: AxiosAdapter = async (config) => {
      return { status: 503, statusText: '', headers: {}, data, config };
    };

    await errorOf(api.get(URL_OF_NOTHING, { adapter, transformResponse: [] }));

    expect(data.destroyed).toBe(false);
  });

  test.for(['can not be cancelled', 'is read by somebody'])(
    'answers in the place of a web stream that %s',
    async (name) => {
      const data = new ReadableStream({
        cancel() {
          throw new Error('not now');
        },
      });
      if (name === 'is read by somebody') data.getReader();
      const { api } = setUp({ statuses: [503] });
      const adapter: AxiosAdapter = async (config) => {
        return { status: 503, statusText: '', headers: {}, data, config };
      };

      const response = await api.get(URL_OF_NOTHING, { adapter, transformResponse: [] });

      expect(response.data).toBe('stored');
    },
  );

  test('is seen by the interceptors that were installed after', async () => {
    const unwraps = (api: AxiosInstance): unknown =>
      api.interceptors.response.use(({ data }) => data);
    const { api } = setUp({ statuses: [503], after: unwraps });

    expect(await api.get(URL_OF_NOTHING)).toBe('stored');
  });

  test('is asked by each call for itself, of many at once', async () => {
    const { api, asked } = setUp({
      statuses: [503],
      fallback: (_, { url }) => ({ data: new URL(url).pathname }),
    });

    const calls = ['/a', '/b', '/c'].map((path) => api.get(`http://api.example.com${path}`));

    expect((await Promise.all(calls)).map(({ data }) => data)).toEqual(['/a', '/b', '/c']);
    expect(asked).toHaveBeenCalledTimes(3);
  });
});
