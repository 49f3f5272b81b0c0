import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { startServer, status } from '@recloser/test-support/server';
import axios, { Axios, type AxiosAdapter, type AxiosInstance } from 'axios';
import axiosRetry from 'axios-retry';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  addCircuitBreaker,
  CircuitBreaker,
  HttpCircuitBreaker,
  isCallNotPermitted,
  isDegraded,
  removeCircuitBreaker,
  type FallbackOn,
  type AddCircuitBreakerOptions,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

const URL_OF_NOTHING = 'http://api.example.com/users';

function stackDepth(): number {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Infinity;
  const { length } = new Error('here').stack!.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  return length;
}

describe('an instance', () => {
  test('is guarded itself, and returned', async () => {
    await using server = await startServer(status(503));
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 });
    const instance = axios.create({ baseURL: server.url });

    const api = addCircuitBreaker(instance, breaker);
    await errorOf(api.get('/users'));

    expect(api).toBe(instance);
    expect(isCallNotPermitted(await errorOf(instance.get('/users')))).toBe(true);
    expect(server.requests).toEqual(['GET /users']);
  });

  test('keeps its defaults, and the instances that it creates are not guarded', async () => {
    const breaker = endpointBreaker();
    const instance = axios.create({ adapter: answering(200) });
    const { adapter } = instance.defaults;
    addCircuitBreaker(instance, breaker);

    await instance.create().get(URL_OF_NOTHING);
    await instance.get(URL_OF_NOTHING);

    expect(instance.defaults.adapter).toBe(adapter);
    expect(breaker.find(`GET ${URL_OF_NOTHING}`)?.metrics()).toMatchObject({
      numberOfBufferedCalls: 1,
    });
  });

  test('may be one of the class, without any defaults', async () => {
    await using server = await startServer(status(200, 'of the class'));
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);

    const response = await addCircuitBreaker(new Axios({}), breaker).get(server.url);

    expect(response.data).toBe('of the class');
    expect(outcomes).toEqual(['success 200']);
  });

  test('sends in the tick of the caller, as it does without a breaker', () => {
    const adapter = answering(200);
    const api = addCircuitBreaker(axios.create({ adapter }));

    void api.get(URL_OF_NOTHING);

    expect(adapter.calls).toBe(1);
  });

  test.for([
    [undefined, 'undefined'],
    [{}, 'an object'],
    [{ interceptors: {} }, 'an object'],
    ['http://api.example.com', "'http://api.example.com'"],
  ] as const)('%o is none', ([value, shown]) => {
    const message = `the first argument must be an instance of axios, as axios.create() gives it, but is ${shown}`;

    expect(() => addCircuitBreaker(value as unknown as AxiosInstance)).toThrow(
      new TypeError(`addCircuitBreaker: ${message}`),
    );
    expect(() => removeCircuitBreaker(value as unknown as AxiosInstance)).toThrow(
      new TypeError(`removeCircuitBreaker: ${message}`),
    );
  });
});

describe('options', () => {
  test('are checked at once, and an instance with wrong ones is left alone', async () => {
    const adapter = answering(200);
    const api = axios.create({ adapter });

    expect(() =>
      // @ts-expect-error: misspelt.
      addCircuitBreaker(api, {}, { fallbak: () => ({ data: 1 }) }),
    ).toThrow("addCircuitBreaker: 'fallbak' is not known; did you mean 'fallback'?");
    expect(() =>
      // @ts-expect-error: an option of the adapter among the breaker's.
      addCircuitBreaker(api, { fallback: () => ({ data: 1 }) }),
    ).toThrow("addCircuitBreaker: 'fallback' belongs in the argument after the breaker's options");
    expect(() =>
      addCircuitBreaker(api, new CircuitBreaker('orders') as unknown as HttpCircuitBreaker),
    ).toThrow('a CircuitBreaker knows no HTTP');
    const shared = new HttpCircuitBreaker();
    const inPlace = 'an HttpCircuitBreaker: hand it over in place of the options';
    expect(() => addCircuitBreaker(api, { breaker: shared as object })).toThrow(inPlace);
    expect(() => addCircuitBreaker(api, {}, shared as object)).toThrow(inPlace);
    expect(() => addCircuitBreaker(api, api.defaults.headers as object)).toThrow(TypeError);
    expect(() => addCircuitBreaker(api, { breaker: { failureRateThreshold: 0 } })).toThrow(
      'failureRateThreshold',
    );

    await api.get(URL_OF_NOTHING);
    expect(api.interceptors.request).toEqual(axios.create().interceptors.request);
  });
});

describe('a breaker that is added again', () => {
  test('counts once, by the options given last', async () => {
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 });
    const outcomes = outcomesOf(breaker);
    const api = axios.create({ adapter: answering(503) });
    addCircuitBreaker(api, breaker, { fallback: () => ({ data: 'first' }) });
    addCircuitBreaker(api, breaker, { fallback: () => ({ data: 'second' }) });
    await errorOf(api.get(URL_OF_NOTHING));

    const { data } = await api.get(URL_OF_NOTHING);

    expect(data).toBe('second');
    expect(api.interceptors.request).toMatchObject({ handlers: [expect.anything()] });
    expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
  });

  test('holds by its new options for calls that wait in an interceptor', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const adapter = answering(200);
    const api = addCircuitBreaker(axios.create({ adapter }), breaker);
    let goOn = (): void => {};
    const token = new Promise<void>((resolve) => (goOn = resolve));
    api.interceptors.request.use(async (config) => {
      await token;
      return config;
    });
    const call = api.get(URL_OF_NOTHING);

    addCircuitBreaker(api, breaker, { fallback: () => ({ data: 'stored' }) });
    goOn();

    expect((await call).data).toBe('stored');
    expect(adapter.calls).toBe(0);
  });

  test('answers no failures any more, where it is no longer told to', async () => {
    const breaker = endpointBreaker();
    const api = axios.create({ adapter: answering(503) });
    const fallback = () => ({ data: 'stored' });
    addCircuitBreaker(api, breaker, { fallback, fallbackOn: 'failure' });
    expect((await api.get(URL_OF_NOTHING)).data).toBe('stored');

    addCircuitBreaker(api, breaker, { fallback });

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect(api.interceptors.response).toMatchObject({ handlers: [] });
  });

  test('guards again after all interceptors were cleared away', async () => {
    const breaker = endpointBreaker({ initialState: 'open' });
    const api = addCircuitBreaker(axios.create({ adapter: answering(200) }), breaker);
    api.interceptors.request.clear();
    expect((await api.get(URL_OF_NOTHING)).status).toBe(200);

    addCircuitBreaker(api, breaker);

    expect(isCallNotPermitted(await errorOf(api.get(URL_OF_NOTHING)))).toBe(true);
  });

  test('guards beside another that is there', async () => {
    const [one, another] = [endpointBreaker(), endpointBreaker()];
    const outcomes = [outcomesOf(one), outcomesOf(another)];
    const api = axios.create({ adapter: answering(503) });
    addCircuitBreaker(addCircuitBreaker(api, one), another);
    axiosRetry(api, { retries: 1, retryDelay: () => 0 });

    await errorOf(api.get(URL_OF_NOTHING));

    expect(outcomes).toEqual([
      ['failure 503', 'failure 503'],
      ['failure 503', 'failure 503'],
    ]);
    expect([callsInFlight(one), callsInFlight(another)]).toEqual([[0], [0]]);
  });

  test('puts no more adapters around a config that is sent again and again', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = addCircuitBreaker(axios.create({ adapter: answering(200) }), breaker);
    addCircuitBreaker(api, endpointBreaker());
    const first = await api.get(URL_OF_NOTHING);

    const again = await api.request(first.config);

    expect(again.config.adapter).toBe(first.config.adapter);
    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test('leaves none of itself behind in a config that is sent again and again', async () => {
    const breaker = endpointBreaker();
    const base = answering(200);
    const depths: number[] = [];
    const adapter: AxiosAdapter = async (config) => {
      depths.push(stackDepth());
      return base(config);
    };
    const api = axios.create({ adapter });
    let { config } = await addCircuitBreaker(api, breaker).get(URL_OF_NOTHING);

    for (let times = 0; times < 10; times++) {
      removeCircuitBreaker(api);
      addCircuitBreaker(api, breaker);
      ({ config } = await api.request(config));
    }

    expect(new Set(depths.slice(1)).size).toBe(1);
  });
});

describe('one breaker in two layers', () => {
  /** An instance as the adapter of another, both behind the breaker. */
  const nested = (status: number, options: AddCircuitBreakerOptions<FallbackOn> = {}) => {
    const breaker = endpointBreaker();
    const adapter = answering(status);
    const inner = addCircuitBreaker(axios.create(), breaker, options);
    const sendByInner: AxiosAdapter = (config) => inner.request({ ...config, adapter });
    const outer = addCircuitBreaker(axios.create({ adapter: sendByInner }), breaker);
    return { inner, outer, breaker, outcomes: outcomesOf(breaker) };
  };

  test('counts a request once', async () => {
    const { outer, outcomes } = nested(503);

    await errorOf(outer.get(URL_OF_NOTHING));

    expect(outcomes).toEqual(['failure 503']);
  });

  test('counts it once with interceptors that await in between', async () => {
    const { inner, outer, breaker, outcomes } = nested(503);
    inner.interceptors.request.use(async (config) => {
      await setImmediate();
      return config;
    });

    await errorOf(outer.get(URL_OF_NOTHING));

    expect(outcomes).toEqual(['failure 503']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('counts nothing of what a fallback of the inner one answers', async () => {
    const { inner, outer, breaker, outcomes } = nested(200, {
      fallback: () => ({ data: 'stored' }),
    });
    inner.interceptors.request.use((config) => {
      breaker.control('*').forceOpen({ reason: 'maintenance' });
      return { ...config, url: `${config.url}/7` };
    });

    const response = await outer.get(URL_OF_NOTHING);

    expect([response.data, isDegraded(response)]).toEqual(['stored', true]);
    expect(outcomes.filter((outcome) => !outcome.includes(' to '))).toEqual([
      'refused forced-open',
    ]);
    expect(callsInFlight(breaker)).toEqual([0, 0]);
  });

  test('counts each attempt once with an adapter around it that awaits', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = axios.create({ adapter: answering(503, 503, 200) });
    const slow = new WeakSet<object>();
    axiosRetry(api, { retries: 2, retryDelay: () => 0 });
    api.interceptors.request.use((config) => {
      const base = axios.getAdapter(config.adapter);
      if (slow.has(base)) return config;
      config.adapter = async (given) => {
        await setImmediate();
        return base(given);
      };
      slow.add(config.adapter);
      return config;
    });
    addCircuitBreaker(api, breaker);

    await api.get(URL_OF_NOTHING);

    expect(outcomes).toEqual(['failure 503', 'failure 503', 'success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});

describe('a breaker that is removed', () => {
  test('lets all pass, and may be added again', async () => {
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 });
    const outcomes = outcomesOf(breaker);
    const adapter = answering(503);
    const api = addCircuitBreaker(axios.create({ adapter }), breaker);
    await errorOf(api.get(URL_OF_NOTHING));

    removeCircuitBreaker(api);
    removeCircuitBreaker(api);
    expect(isCallNotPermitted(await errorOf(api.get(URL_OF_NOTHING)))).toBe(false);
    addCircuitBreaker(api, breaker);
    expect(isCallNotPermitted(await errorOf(api.get(URL_OF_NOTHING)))).toBe(true);

    expect(adapter.calls).toBe(2);
    expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
  });

  test('is off with all others, and with all that hung on the instance', async () => {
    const [one, another] = [endpointBreaker(), endpointBreaker()];
    const outcomes = [outcomesOf(one), outcomesOf(another)];
    const api = axios.create({ adapter: answering(503) });
    const fallback = () => ({ data: 'stored' });
    addCircuitBreaker(api, one, { fallback, fallbackOn: 'failure' });
    addCircuitBreaker(api, another, { fallback, fallbackOn: 'failure' });

    removeCircuitBreaker(api);

    expect(await errorOf(api.get(URL_OF_NOTHING))).toMatchObject({ status: 503 });
    expect(outcomes).toEqual([[], []]);
    expect(api.interceptors).toMatchObject({
      request: { handlers: [] },
      response: { handlers: [] },
    });
  });

  test('takes none along that came after all were cleared away', async () => {
    const adapter = answering(200);
    const api = addCircuitBreaker(axios.create({ adapter }));
    api.interceptors.request.clear();
    api.interceptors.request.use((config) => ({ ...config, url: `${config.url}/7` }));

    removeCircuitBreaker(api);

    expect((await api.get(URL_OF_NOTHING)).config.url).toBe(`${URL_OF_NOTHING}/7`);
  });

  test('takes no interceptor of anybody else along', async () => {
    const api = axios.create({ adapter: answering(200) });
    const seen: string[] = [];
    const see = (name: string) =>
      api.interceptors.response.use((response) => {
        seen.push(name);
        return response;
      });
    see('before');
    addCircuitBreaker(api, undefined, { fallback: () => ({ data: 1 }), fallbackOn: 'failure' });
    see('after');

    removeCircuitBreaker(api);

    await api.get(URL_OF_NOTHING);
    expect(seen).toEqual(['before', 'after']);
  });

  test('still counts what is on its way, but not the retries of it', async () => {
    await using server = await startServer(status(503));
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = axios.create({ baseURL: server.url });
    axiosRetry(api, { retries: 2, retryDelay: () => 0 });
    addCircuitBreaker(api, breaker);
    const call = errorOf(api.get('/'));
    await server.arrival();

    removeCircuitBreaker(api);
    await call;

    expect(outcomes).toEqual(['failure 503']);
    expect(callsInFlight(breaker)).toEqual([0]);
    expect(server.requests).toHaveLength(3);
  });
});

describe('circuitBreaker: false', () => {
  test('leaves out a call, in its options, in the defaults and by an interceptor', async () => {
    const breaker = endpointBreaker({ consecutiveFailureThreshold: 1 });
    const outcomes = outcomesOf(breaker);
    const adapter = answering(503);
    const api = addCircuitBreaker(axios.create({ adapter, circuitBreaker: false }), breaker);
    api.interceptors.request.use((config) =>
      config.url === '/health' ? { ...config, circuitBreaker: false } : config,
    );

    await errorOf(api.get(URL_OF_NOTHING));
    await errorOf(api.get('/health', { circuitBreaker: true }));
    expect(outcomes).toEqual([]);
    await errorOf(api.get(URL_OF_NOTHING, { circuitBreaker: true }));
    await errorOf(api.get(URL_OF_NOTHING, { circuitBreaker: false }));

    expect(outcomes).toEqual(['failure 503', 'closed to open']);
    expect(adapter.calls).toBe(4);
    expect(breaker.snapshot().unguarded).toBe(0);
  });

  test('leaves out the retries of a call, too', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const adapter = answering(503);
    const api = addCircuitBreaker(axios.create({ adapter }), breaker);
    axiosRetry(api, { retries: 2, retryDelay: () => 0 });

    await errorOf(api.get(URL_OF_NOTHING, { circuitBreaker: false }));

    expect(adapter.calls).toBe(3);
    expect(outcomes).toEqual([]);
  });
});

test('isDegraded is false of what the dependency answered', async () => {
  const api = addCircuitBreaker(axios.create({ adapter: answering(200) }));

  expect(isDegraded(await api.get(URL_OF_NOTHING))).toBe(false);
});
