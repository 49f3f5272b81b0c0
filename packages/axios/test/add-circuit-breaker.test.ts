import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { startServer, status } from '@recloser/test-support/server';
import axios, { Axios, type AxiosInstance } from 'axios';
import axiosRetry from 'axios-retry';
import { describe, expect, test } from 'vitest';
import {
  addCircuitBreaker,
  CircuitBreaker,
  HttpCircuitBreaker,
  isCallNotPermitted,
  isDegraded,
  removeCircuitBreaker,
} from '../src/index.ts';
import { answering, errorOf } from './stand-in.ts';

const URL_OF_NOTHING = 'http://api.example.com/users';

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
    expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
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

  test('on an instance below another counts a request once', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const inner = addCircuitBreaker(axios.create({ adapter: answering(503) }), breaker);
    const adapter = (config: Parameters<typeof inner.request>[0]) =>
      inner.request({ ...config, adapter: answering(503) });
    const outer = addCircuitBreaker(axios.create({ adapter }), breaker);

    await errorOf(outer.get(URL_OF_NOTHING));

    expect(outcomes).toEqual(['failure 503']);
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
