import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { HalfBody, hang, startServer } from '@recloser/test-support/server';
import { describe, expect, test, vi } from 'vitest';
import {
  guardedFetch,
  HttpCircuitBreaker,
  type FetchArguments,
  type FetchClient,
} from '../src/index.ts';

interface Original {
  readonly name: string;
}

type Base = (...args: FetchArguments) => Promise<Response>;

const URL_OF_NOTHING = 'http://api.example.com/users';

/** A client that gives fetch a signal of its own, and says whose it was. */
function client(signalOf: FetchClient<Original>['signalOf']): FetchClient<Original> {
  return { original: () => ({ name: 'ours' }), signalOf };
}

function setUp(signalOf: FetchClient<Original>['signalOf'], watchBody: boolean = false) {
  const breaker = endpointBreaker();
  const fallback = vi.fn<() => Response>(() => new Response('stored'));
  const options = { fallback, fallbackOn: 'failure', watchBody } as const;
  const api = guardedFetch(fetch, breaker, options, client(signalOf)) as Base;
  return { api, breaker, fallback, outcomes: outcomesOf(breaker) };
}

function raise(): never {
  throw new Error('not today');
}

/** Aborts the client's own signal once the request has arrived. */
async function timeOut(api: Base, given?: AbortSignal): Promise<unknown> {
  await using server = await startServer(hang);
  const own = new AbortController();
  const signal = given === undefined ? own.signal : AbortSignal.any([own.signal, given]);
  const arrival = server.arrival();
  const call = api(server.url, { signal });
  await arrival;
  own.abort();
  return call.then(
    (response) => response.text(),
    (error: unknown) => (error as Error).name,
  );
}

describe('a client that calls a fetch', () => {
  test('tells its timeout from the caller by the signal of the caller', async () => {
    const { signal } = new AbortController();
    const { api, outcomes } = setUp(() => signal);

    expect(await timeOut(api, signal)).toBe('stored');

    expect(outcomes).toEqual(['failure response-timeout']);
  });

  test('may tell it later: the error goes on, no fallback answers it', async () => {
    let tell = (_signal: { aborted: boolean }): void => {};
    const told = new Promise<{ aborted: boolean }>((resolve) => {
      tell = resolve;
    });
    const { api, breaker, fallback, outcomes } = setUp(() => told);

    expect(await timeOut(api)).toBe('AbortError');
    expect(outcomes).toEqual([]);
    expect(callsInFlight(breaker)).toEqual([1]);

    tell({ aborted: false });
    await told;
    expect(outcomes).toEqual(['failure response-timeout']);
    expect(callsInFlight(breaker)).toEqual([0]);
    expect(fallback).not.toHaveBeenCalled();
  });

  test('is asked about a body that breaks off, too', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const own = new AbortController();
    const { api, outcomes } = setUp(async () => ({ aborted: false }), true);

    const response = await api(server.url, { signal: own.signal });
    const text = response.text();
    own.abort();

    await expect(text).rejects.toBe(own.signal.reason);
    expect(outcomes).toEqual(['success 200', 'amended body-timeout']);
  });

  test.for<[name: string, signalOf: FetchClient<Original>['signalOf']]>([
    ['at once', () => raise()],
    ['later', async () => raise()],
  ])('may fail to tell it, %s: the error is judged without', async ([, signalOf]) => {
    const { api, breaker, outcomes } = setUp(signalOf);

    await timeOut(api);

    expect(outcomes).toEqual(['ignored cancel']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('may fail to tell it of a body that breaks off: the caller gets the error of that', async () => {
    const half = new HalfBody();
    await using server = await startServer(half.answer);
    const { api, outcomes } = setUp(() => raise(), true);

    const response = await api(server.url);
    half.cut();

    await expect(response.text()).rejects.toThrow('terminated');
    expect(outcomes).toEqual(['success 200', 'amended body']);
  });

  test('shows its own request to a partition and to a fallback', async () => {
    const breaker = new HttpCircuitBreaker({
      breaker: { initialState: 'open' },
      level: 'endpoint',
      partition: ({ original }) => (original as Original).name,
    });
    const fallback = vi.fn<() => Response>(() => new Response('stored'));
    const api = guardedFetch(
      fetch,
      breaker,
      { fallback },
      client(() => undefined),
    );

    await api(URL_OF_NOTHING, { method: 'put' });

    expect(fallback.mock.calls[0]).toMatchObject([
      { name: 'CallNotPermittedError' },
      { method: 'PUT', url: URL_OF_NOTHING, name: 'ours' },
    ]);
    expect(breaker.snapshot().breakers[0]!.key).toBe(`PUT ${URL_OF_NOTHING} [ours]`);
  });
});
