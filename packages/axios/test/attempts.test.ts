import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import {
  refusingUrl,
  resetBeforeHeaders,
  startServer,
  status,
} from '@recloser/test-support/server';
import axios, {
  Axios,
  type AxiosAdapter,
  type AxiosError,
  type AxiosInstance,
  type AxiosRequestConfig,
} from 'axios';
import axiosRetry from 'axios-retry';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import {
  addCircuitBreaker,
  HttpCircuitBreaker,
  isCallNotPermitted,
  ManualClock,
  reportFailure,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

const URL_OF_NOTHING = 'http://api.example.com/users';

const unreadable = {
  get response(): never {
    throw new Error('revoked');
  },
};

/** An instance with interceptors on both sides of the breaker, and what that records. */
function setUp({
  config,
  before = () => {},
  after = () => {},
}: {
  readonly config: AxiosRequestConfig;
  readonly before?: (api: AxiosInstance) => unknown;
  readonly after?: (api: AxiosInstance) => unknown;
}) {
  const breaker = endpointBreaker();
  const api = axios.create(config as object);
  before(api);
  addCircuitBreaker(api, breaker);
  after(api);
  const outcomes = outcomesOf(breaker);
  return { api, outcomes, callsInFlight: () => callsInFlight(breaker) };
}

describe('an attempt', () => {
  for (const order of ['before', 'after'] as const) {
    describe(`with an interceptor installed ${order} the breaker`, () => {
      test('of the request, that throws, is not admitted', async () => {
        const throws = (api: AxiosInstance): unknown =>
          api.interceptors.request.use(() => Promise.reject(new Error('not today')));
        const adapter = answering(200);
        const { api, outcomes } = setUp({ config: { adapter }, [order]: throws });

        await expect(api.get(URL_OF_NOTHING)).rejects.toThrow('not today');

        expect(outcomes).toEqual([]);
        expect(adapter.calls).toBe(0);
      });

      test('of the response, that throws, counts by its status', async () => {
        const throws = (api: AxiosInstance): unknown =>
          api.interceptors.response.use(() => Promise.reject(new Error('no such field')));
        const { api, outcomes } = setUp({ config: { adapter: answering(200) }, [order]: throws });

        await expect(api.get(URL_OF_NOTHING)).rejects.toThrow('no such field');

        expect(outcomes).toEqual(['success 200']);
      });

      test('of the response, that swallows a failure, counts by its status', async () => {
        const swallows = (api: AxiosInstance): unknown =>
          api.interceptors.response.use(null, () => ({ status: 200, data: [] }) as never);
        const { api, outcomes } = setUp({ config: { adapter: answering(503) }, [order]: swallows });

        expect((await api.get(URL_OF_NOTHING)).data).toEqual([]);

        expect(outcomes).toEqual(['failure 503']);
      });

      test('of axios-retry counts once, and its retries each', async () => {
        const retries = (api: AxiosInstance): unknown =>
          axiosRetry(api, { retries: 2, retryDelay: () => 0 });
        const adapter = answering(503, 502, 200);
        const { api, outcomes } = setUp({ config: { adapter }, [order]: retries });

        expect((await api.get(URL_OF_NOTHING)).status).toBe(200);

        expect(outcomes).toEqual(['failure 503', 'failure 502', 'success 200']);
      });
    });
  }

  test('that axios sends past all interceptors, as one of them has an error taken, is not guarded', async () => {
    const adapter = answering(200);
    const fails = (api: AxiosInstance): unknown =>
      api.interceptors.request.use(
        () => {
          throw new Error('not today');
        },
        () => undefined,
        { synchronous: true },
      );
    const { api, outcomes } = setUp({ config: { adapter }, after: fails });

    await api.get(URL_OF_NOTHING);

    expect(adapter.calls).toBe(1);
    expect(outcomes).toEqual([]);
  });

  test('through a proxy that is down is a failure of the host behind it', async () => {
    const { port } = new URL(await refusingUrl());
    const proxy = { host: '127.0.0.1', port: Number(port), protocol: 'http' };
    const breaker = new HttpCircuitBreaker({ level: 'host' });
    const outcomes = outcomesOf(breaker);
    const api = addCircuitBreaker(axios.create({ proxy }), breaker);

    await errorOf(api.get(URL_OF_NOTHING));

    expect(outcomes).toEqual(['failure refused']);
    expect(breaker.find('http://api.example.com')?.metrics().numberOfFailedCalls).toBe(1);
  });

  test('of a config that an instance without a breaker sends again is asked about', async () => {
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 });
    const adapter = answering(503);
    const api = addCircuitBreaker(axios.create({ adapter }), breaker);
    const { config } = (await errorOf(api.get(URL_OF_NOTHING))) as AxiosError;

    expect(isCallNotPermitted(await errorOf(axios.request(config!)))).toBe(true);
    expect(adapter.calls).toBe(1);
  });

  test('whose config an interceptor copies counts once', async () => {
    const copies = (api: AxiosInstance): unknown =>
      api.interceptors.request.use((config) => ({ ...config }));
    const { api, outcomes } = setUp({
      config: { adapter: answering(200) },
      before: copies,
      after: copies,
    });

    await api.get(URL_OF_NOTHING);

    expect(outcomes).toEqual(['success 200']);
  });

  test('counts by its status where the caller leaves just as it is there', async () => {
    const controller = new AbortController();
    const base = answering(200);
    const adapter: AxiosAdapter = async (config) => {
      const response = await base(config);
      controller.abort();
      return response;
    };
    const { api, outcomes } = setUp({ config: { adapter } });

    const error = await errorOf(api.get(URL_OF_NOTHING, { signal: controller.signal }));

    expect(error).toMatchObject({ code: 'ERR_CANCELED' });
    expect(outcomes).toEqual(['success 200']);
  });

  test('is not asked about where the caller leaves as it is written', async () => {
    const controller = new AbortController();
    const transformRequest = (data: unknown): unknown => {
      controller.abort();
      return data;
    };
    const { api, outcomes } = setUp({ config: { adapter: answering(200), transformRequest } });

    const error = await errorOf(api.get(URL_OF_NOTHING, { signal: controller.signal }));

    expect(error).toMatchObject({ code: 'ERR_CANCELED' });
    expect(outcomes).toEqual([]);
  });

  test('counts as late where its deadline has passed, a cancelToken used or not', async () => {
    const controller = new AbortController();
    const { token, cancel } = axios.CancelToken.source();
    const adapter: AxiosAdapter = async () => {
      cancel('gone');
      controller.abort(new DOMException('as AbortSignal.timeout says it', 'TimeoutError'));
      throw new axios.CanceledError();
    };
    const { api, outcomes } = setUp({ config: { adapter } });

    await errorOf(api.get(URL_OF_NOTHING, { signal: controller.signal, cancelToken: token }));

    expect(outcomes).toEqual(['failure deadline']);
  });

  test('counts by its status where an error has that and a code of its own', async () => {
    const response = { headers: { 'retry-after': '60' }, data: '', statusText: '' };
    const statuses = [404, 503, 200];
    const adapter: AxiosAdapter = async (config) => {
      const error = new Error('no such user');
      const status = statuses.shift()!;
      throw Object.assign(error, { code: 'NOT_FOUND', response: { ...response, status, config } });
    };
    const { api, outcomes } = setUp({ config: { adapter } });

    for (let call = 0; call < 3; call++) await errorOf(api.get(URL_OF_NOTHING));

    expect(outcomes).toEqual(['success 404', 'failure 503', 'success 200']);
  });

  test.for([
    [undefined, 'failure network'],
    ['ERR_NETWORK', 'failure network'],
    ['ECONNRESET', 'failure reset'],
    ['Z_DATA_ERROR', 'failure body'],
  ] as const)('counts by its error where that is of the body (%s)', async ([code, outcome]) => {
    const response = { status: 200, headers: {}, data: '', statusText: '' };
    const adapter: AxiosAdapter = async (config) => {
      const error = new Error('Network Error');
      throw Object.assign(error, code && { code }, { response: { ...response, config } });
    };
    const { api, outcomes } = setUp({ config: { adapter } });

    await errorOf(api.get(URL_OF_NOTHING));

    expect(outcomes).toEqual([outcome]);
  });

  test('goes by the adapter that axios has by default, where the instance has none', async () => {
    const { adapter } = axios.defaults;
    axios.defaults.adapter = answering(200);
    try {
      const breaker = endpointBreaker();
      const outcomes = outcomesOf(breaker);
      const api = addCircuitBreaker(new Axios({}), breaker);

      expect((await api.get(URL_OF_NOTHING)).data).toBe('body of 200');
      expect(outcomes).toEqual(['success 200']);
    } finally {
      axios.defaults.adapter = adapter!;
    }
  });

  test('counts by its status where its data can not be read', async () => {
    const transformResponse = (): never => {
      throw new SyntaxError('no JSON');
    };
    const ok = setUp({ config: { adapter: answering(200), transformResponse } });
    const down = setUp({ config: { adapter: answering(503), transformResponse } });

    await expect(ok.api.get(URL_OF_NOTHING)).rejects.toThrow('no JSON');
    await expect(down.api.get(URL_OF_NOTHING)).rejects.toThrow('no JSON');

    expect([...ok.outcomes, ...down.outcomes]).toEqual(['success 200', 'failure 503']);
  });

  test('counts nowhere where its data could not be written', async () => {
    const transformRequest = (): never => {
      throw new TypeError('no JSON');
    };
    const { api, outcomes } = setUp({ config: { adapter: answering(200), transformRequest } });

    await expect(api.post(URL_OF_NOTHING, {})).rejects.toThrow('no JSON');

    expect(outcomes).toEqual([]);
  });

  test.for<[name: string, adapter: () => unknown, outcomes: string[]]>([
    ['that answers nothing', async () => undefined, []],
    ['that answers something else', async () => ({ ok: true }), []],
    ['that answers at once', () => ({ status: 200 }), ['success 200']],
    [
      'that throws at once',
      () => {
        throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
      },
      ['failure reset'],
    ],
    ['that fails with no error', () => Promise.reject(null), ['ignored unknown']],
    ['that fails with what can not be read', () => Promise.reject(unreadable), []],
  ])('by an adapter %s holds no permit', async ([, adapter, expected]) => {
    const { api, outcomes, callsInFlight } = setUp({ config: { adapter: adapter as never } });

    await errorOf(api.get(URL_OF_NOTHING));

    expect(outcomes).toEqual(expected);
    expect(callsInFlight()).toEqual([0]);
  });

  test('takes its whole response long', async () => {
    const clock = new ManualClock();
    const breaker = endpointBreaker({}, { clock });
    const elapsed = vi.fn<(ms: number) => void>();
    breaker.on('success', (event) => elapsed(event.elapsed));
    await using server = await startServer((_, response) => {
      clock.advance(100);
      response.writeHead(200).end('body');
    });

    await addCircuitBreaker(axios.create(), breaker).get(server.url);

    expect(elapsed).toHaveBeenCalledExactlyOnceWith(100);
  });

  test('that succeeded can be reported by its response or an error with it', async () => {
    const adapter = answering(200, 404);
    const { api, outcomes } = setUp({ config: { adapter } });

    expect(reportFailure(await api.get(URL_OF_NOTHING), 'errors')).toBe(true);
    const error = (await errorOf(api.get(URL_OF_NOTHING))) as AxiosError;
    expect(reportFailure(error, 'a 404 for what must be there')).toBe(true);
    expect(reportFailure(error.response, 'once more')).toBe(false);

    expect(outcomes).toEqual([
      'success 200',
      'amended reported',
      'success 404',
      'amended reported',
    ]);
  });
});

describe('an upload', () => {
  const adapters = ['http', 'fetch'] as const;
  const codes = ['ECONNRESET', 'ECONNREFUSED', 'ERR_STREAM_PREMATURE_CLOSE', 'EIO', undefined];
  const cases = adapters.flatMap((adapter) => codes.map((code) => [adapter, code] as const));

  test.for(cases)(
    'whose source breaks off fails no dependency (%s, %s)',
    async ([adapter, code]) => {
      await using server = await startServer((request) => request.resume());
      const { api, outcomes, callsInFlight } = setUp({ config: { adapter } });
      const arrival = server.arrival();
      async function* parts() {
        yield 'half';
        await arrival;
        throw Object.assign(new Error('the source'), code !== undefined && { code });
      }

      expect(await errorOf(api.post(server.url, Readable.from(parts())))).toBeDefined();

      expect(outcomes).toEqual(['ignored local']);
      expect(callsInFlight()).toEqual([0]);
    },
  );

  test('from a web stream that breaks off counts as its error does', async () => {
    await using server = await startServer((request) => request.resume());
    const { api, outcomes } = setUp({ config: { adapter: 'fetch' } });
    const data = new ReadableStream({
      async pull() {
        throw new Error('the source');
      },
    });

    await errorOf(api.post(server.url, data));

    expect(outcomes).toEqual(['failure network']);
  });

  test.for(adapters)('that the dependency cuts off is a failure of it (%s)', async (adapter) => {
    await using server = await startServer((request) => request.socket.resetAndDestroy());
    const { api, outcomes } = setUp({ config: { adapter } });
    const data = new Readable({ read() {} });
    data.push('half');

    await errorOf(api.post(server.url, data));

    expect(outcomes).toEqual(['failure reset']);
  });
});

describe('a config that can not be written', () => {
  test('is guarded, where an interceptor gives it', async () => {
    const freezes = (api: AxiosInstance): unknown =>
      api.interceptors.request.use((config) => Object.freeze({ ...config }));
    const { api, outcomes } = setUp({ config: { adapter: answering(200) }, after: freezes });

    await api.get(URL_OF_NOTHING);

    expect(outcomes).toEqual(['success 200']);
  });

  test('is sent and gives its permit back, where an adapter gives it', async () => {
    const freezes = (api: AxiosInstance): unknown =>
      api.interceptors.request.use((config) => {
        const base = axios.getAdapter(config.adapter);
        config.adapter = (given) => base(Object.freeze({ ...given }));
        return config;
      });
    const { api, outcomes, callsInFlight } = setUp({
      config: { adapter: answering(200, 503) },
      before: freezes,
    });
    const refusing = setUp({ config: { adapter: answering(200) }, before: freezes });
    addCircuitBreaker(refusing.api, endpointBreaker({ initialState: 'open' }), {
      fallback: () => ({ data: 'stored' }),
    });

    await api.get(URL_OF_NOTHING);
    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect((await refusing.api.get(URL_OF_NOTHING)).data).toBe('stored');

    expect(outcomes).toEqual(['success 200', 'failure 503']);
    expect(callsInFlight()).toEqual([0]);
  });
});

describe('validateStatus', () => {
  const adapters = ['http', 'fetch'] as const;

  test.for(adapters)('that throws gives its error to the caller (%s)', async (adapter) => {
    await using server = await startServer(status(503));
    const { api, outcomes, callsInFlight } = setUp({ config: { adapter } });
    const thrown = new Error('no status that I know');

    for (const responseType of ['json', 'stream'] as const) {
      const validateStatus = (): never => {
        throw thrown;
      };
      expect(await errorOf(api.get(server.url, { validateStatus, responseType }))).toBe(thrown);
    }

    expect(outcomes).toEqual(['failure 503', 'failure 503']);
    expect(callsInFlight()).toEqual([0]);
  });

  test.for(adapters)('that throws leaves no stream behind (%s)', async (adapter) => {
    let closed = Promise.resolve<unknown>(undefined);
    await using server = await startServer((request, response) => {
      closed = once(request.socket, 'close');
      response.writeHead(200).write('half');
    });
    const { api } = setUp({ config: { adapter, responseType: 'stream' } });
    const validateStatus = (): never => {
      throw new Error('no status that I know');
    };

    await errorOf(api.get(server.url, { validateStatus }));

    await closed;
  });

  test.for(adapters)('that takes every status changes no count (%s)', async (adapter) => {
    await using server = await startServer(status(503));
    const { api, outcomes } = setUp({ config: { adapter } });

    for (const validateStatus of [() => true, null]) {
      expect((await api.get(server.url, { validateStatus })).status).toBe(503);
    }

    expect(outcomes).toEqual(['failure 503', 'failure 503']);
  });

  test('is in the config of the response as the caller gave it', async () => {
    const { api } = setUp({ config: { adapter: answering(200, 503) } });
    const validateStatus = (code: number): boolean => code === 200;

    const { config } = await api.get(URL_OF_NOTHING, { validateStatus });
    const error = (await errorOf(api.get(URL_OF_NOTHING, { validateStatus }))) as AxiosError;

    expect(config.validateStatus).toBe(validateStatus);
    expect(error.config!.validateStatus).toBe(validateStatus);
  });
});

test('validateStatus is in the config as it was where a plugin sends that twice at once', async () => {
  const validateStatus = (code: number): boolean => code === 200;
  const hedges = (api: AxiosInstance): unknown =>
    api.interceptors.request.use((config) => {
      const base = axios.getAdapter(config.adapter);
      config.adapter = async (given) => {
        const first = base(given);
        await Promise.all([first, base(given)]);
        return first;
      };
      return config;
    });
  const api = axios.create({ adapter: answering(200) });
  hedges(api);
  addCircuitBreaker(api);

  const { config } = await api.get(URL_OF_NOTHING, { validateStatus });

  expect(config.validateStatus).toBe(validateStatus);
});

describe('a cancelToken', () => {
  const source = () => axios.CancelToken.source();

  test('that is used already is not asked about', async () => {
    const { token, cancel } = source();
    cancel('gone');
    const { api, outcomes } = setUp({ config: { adapter: answering(200) } });

    await expect(api.get(URL_OF_NOTHING, { cancelToken: token })).rejects.toThrow('gone');

    expect(outcomes).toEqual([]);
  });

  test.for(['http', 'fetch'] as const)('that is used counts nowhere (%s)', async (adapter) => {
    await using server = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      setImmediate(cancel, 'gone');
    });
    const { token, cancel } = source();
    const { api, outcomes, callsInFlight } = setUp({ config: { adapter } });

    await expect(api.get(server.url, { cancelToken: token })).rejects.toThrow('gone');

    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight()).toEqual([0]);
  });
});

describe('an instance that retries, as the adapter of another', () => {
  /** What README tells for counting calls. */
  const counting = async (answers: readonly ReturnType<typeof status>[]) => {
    const clock = new ManualClock();
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 }, { clock });
    const outcomes = outcomesOf(breaker);
    const elapsed: number[] = [];
    for (const type of ['success', 'failure'] as const) {
      breaker.on(type, (event) => elapsed.push(event.elapsed));
    }
    const left = [...answers];
    const server = await startServer((request, response) => {
      clock.advance(100);
      (left.shift() ?? answers.at(-1)!)(request, response);
    });
    const retrying = axios.create();
    axiosRetry(retrying, {
      retries: 2,
      retryCondition: () => true,
      retryDelay() {
        clock.advance(1000);
        return 0;
      },
    });
    const adapter: AxiosAdapter = (config) =>
      retrying.request({
        ...config,
        adapter: retrying.defaults.adapter!,
        transformRequest: [],
        transformResponse: [],
      });
    const api = addCircuitBreaker(axios.create({ adapter, baseURL: server.url }), breaker);
    return { api, outcomes, elapsed, server };
  };

  test('counts one success for all attempts', async () => {
    const answers = [status(503), resetBeforeHeaders, status(200, '{"sent":"once"}')];
    const { api, outcomes, elapsed, server } = await counting(answers);
    await using _ = server;

    const { data } = await api.post('/orders', { id: 7 }, { params: { dry: true } });

    expect(data).toEqual({ sent: 'once' });
    expect(outcomes).toEqual(['success 200']);
    expect(elapsed).toEqual([2300]);
    expect(server.requests).toEqual(Array(3).fill('POST /orders?dry=true'));
  });

  test('counts one failure, and refuses the whole of the next call', async () => {
    const { api, outcomes, elapsed, server } = await counting([status(503)]);
    await using _ = server;

    await expect(api.get('/orders')).rejects.toMatchObject({ response: { status: 503 } });
    expect(isCallNotPermitted(await errorOf(api.get('/orders')))).toBe(true);

    expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
    expect(elapsed).toEqual([2300]);
    expect(server.requests).toHaveLength(3);
  });
});
