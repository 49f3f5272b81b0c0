import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { hang, refusingUrl, startServer, status } from '@recloser/test-support/server';
import { once } from 'node:events';
import ky, { HTTPError, isTimeoutError, type AfterResponseHook, type Options } from 'ky';
import { describe, expect, test, vi } from 'vitest';
import {
  CallNotPermittedError,
  circuitBreaker,
  getDegradation,
  isDegraded,
  reportFailure,
  type CircuitBreakerOptions,
  type GuardedRequest,
  type FallbackOn,
  type KyBreakerOptions,
} from '../src/index.ts';

type Fallback = NonNullable<KyBreakerOptions<FallbackOn>['fallback']>;

const URL_OF_NOTHING = 'http://api.example.com/users';

function setUp(options: KyBreakerOptions<FallbackOn>, breakerOptions: CircuitBreakerOptions = {}) {
  const breaker = endpointBreaker(breakerOptions);
  const delay = vi.fn<() => number>(() => 0);
  const api = ky.create({ retry: { delay } }).extend(circuitBreaker(breaker, options));
  return { api, delay, outcomes: outcomesOf(breaker) };
}

const open: CircuitBreakerOptions = { initialState: 'open' };

describe('a refused call', () => {
  test('is answered by the fallback, with a response that is marked', async () => {
    const stored = Response.json({ from: 'store' });
    const fallback = vi.fn<Fallback>(() => stored);
    const { api, outcomes } = setUp({ fallback }, open);

    const response = await api.post(URL_OF_NOTHING, { context: { tenant: 'blue' } });

    expect(response).toBe(stored);
    expect(isDegraded(response)).toBe(true);
    const [refusal, request] = fallback.mock.calls[0]! as [unknown, GuardedRequest];
    expect(refusal).toBeInstanceOf(CallNotPermittedError);
    expect(getDegradation(response)?.cause).toBe(refusal);
    expect(request).toMatchObject({ method: 'POST', url: URL_OF_NOTHING });
    expect(request.options.context).toEqual({ tenant: 'blue' });
    expect(outcomes).toEqual(['refused open']);
  });

  test('is answered once, though the fallback gives a status that ky retries', async () => {
    const fallback = vi.fn<Fallback>(async () => new Response(null, { status: 503 }));
    for (const shouldRetry of [undefined, () => true]) {
      const { api, delay, outcomes } = setUp({ fallback }, open);
      fallback.mockClear();

      const error: unknown = await api(URL_OF_NOTHING, {
        retry: { delay, ...(shouldRetry && { shouldRetry }) },
      }).catch((each: unknown) => each);

      expect(error).toBeInstanceOf(HTTPError);
      expect(isDegraded((error as HTTPError).response)).toBe(true);
      expect(fallback).toHaveBeenCalledOnce();
      expect(delay).not.toHaveBeenCalled();
      expect(outcomes).toEqual(['refused open']);
    }
  });

  test('whose fallback fails ends with its error', async () => {
    const error = new Error('the store is empty');
    const { api } = setUp({ fallback: () => Promise.reject(error) }, open);

    await expect(api(URL_OF_NOTHING)).rejects.toBe(error);
  });
});

describe('a failed attempt', () => {
  test('is not answered, unless it is asked for', async () => {
    await using server = await startServer(status(503));
    const fallback = vi.fn<Fallback>();
    const { api } = setUp({ fallback });

    await expect(api(server.url)).rejects.toBeInstanceOf(HTTPError);

    expect(fallback).not.toHaveBeenCalled();
  });

  test('is answered at once, after it was recorded, and not retried', async () => {
    await using server = await startServer(status(503));
    const seen: unknown[] = [];
    const { api, outcomes } = setUp({
      fallback: (cause) => {
        seen.push((cause as Response).status, ...outcomes);
        return new Response('stored');
      },
      fallbackOn: 'failure',
    });

    const response = await api(server.url);

    expect(await response.text()).toBe('stored');
    expect(isDegraded(response)).toBe(true);
    expect(seen).toEqual([503, 'failure 503']);
    expect(outcomes).toEqual(['failure 503']);
    expect(server.requests).toHaveLength(1);
  });

  test('is shown to the fallback with a request whose body has been used, unlike a refused one', async () => {
    await using server = await startServer(status(503));
    const used: boolean[] = [];
    for (const initialState of ['closed', 'open'] as const) {
      const fallback: Fallback = (_, { request }) => {
        used.push(request.bodyUsed);
        return new Response('stored');
      };
      const { api } = setUp({ fallback, fallbackOn: 'failure' }, { initialState });
      await api.post(server.url, { json: { id: 1 } });
    }

    expect(used).toEqual([true, false]);
  });

  test('is shown to the fallback as fetch got it', async () => {
    const fetch = vi.fn<NonNullable<Options['fetch']>>(async () =>
      Response.json(1, { status: 500 }),
    );
    const fallback = vi.fn<Fallback>(() => new Response('stored'));
    const { api } = setUp({ fallback, fallbackOn: 'failure' });

    await api(URL_OF_NOTHING, { fetch });

    expect(fallback.mock.calls[0]![1].request).toBe(fetch.mock.calls[0]![0]);
  });

  test.for<[string, Fallback]>([
    ['gives back', (cause) => cause as Response],
    ['throws', (cause) => Promise.reject(cause)],
  ])('is retried as without a fallback where that %s what it was given', async ([, fallback]) => {
    await using server = await startServer(status(503));
    const asked = vi.fn<Fallback>(fallback);
    const { api, outcomes } = setUp({ fallback: asked, fallbackOn: 'failure' });

    const error: unknown = await api(server.url, { retry: { limit: 1, delay: () => 0 } }).catch(
      (each: unknown) => each,
    );
    const refusing = await refusingUrl();
    const network: unknown = await api(refusing, { retry: { limit: 1, delay: () => 0 } }).catch(
      (each: unknown) => each,
    );

    expect(error).toBeInstanceOf(HTTPError);
    expect(isDegraded((error as HTTPError).response)).toBe(false);
    expect(network).toMatchObject({ name: 'NetworkError' });
    expect(outcomes).toEqual(['failure 503', 'failure 503', 'failure refused', 'failure refused']);
    expect(asked).toHaveBeenCalledTimes(4);
  });

  test('is not retried where the fallback gives what is no response', async () => {
    await using server = await startServer(status(503));
    const fallback = vi.fn<Fallback>(() => ({ data: 1 }) as never);
    const { api, delay } = setUp({ fallback, fallbackOn: 'failure' });

    await expect(api(server.url, { retry: { delay, shouldRetry: () => true } })).rejects.toThrow(
      'fallback must give a Response, but gave an object without a status',
    );

    expect(fallback).toHaveBeenCalledOnce();
    expect(delay).not.toHaveBeenCalled();
  });

  test('is answered where it ended in an error', async () => {
    const { api, outcomes } = setUp({
      fallback: () => new Response('stored'),
      fallbackOn: 'failure',
    });

    const url = await refusingUrl();
    const { signal } = new AbortController();

    expect(await api(url).text()).toBe('stored');
    expect(await api(url, { signal }).text()).toBe('stored');
    expect(outcomes).toEqual(['failure refused', 'failure refused']);
  });

  test("is answered where the caller's deadline ended it", async () => {
    await using server = await startServer(hang);
    const { api, outcomes } = setUp({
      fallback: () => new Response('stored'),
      fallbackOn: 'failure',
    });

    expect(await api(server.url, { signal: AbortSignal.timeout(50) }).text()).toBe('stored');
    expect(outcomes).toEqual(['failure deadline']);
  });

  test('leaves no connection behind', async () => {
    let closed: Promise<unknown> | undefined;
    await using server = await startServer((_, response) => {
      response.writeHead(503).write('half of the page that says why');
      closed = once(response, 'close');
    });
    const { api } = setUp({ fallback: () => new Response('stored'), fallbackOn: 'failure' });

    expect(await api(server.url).text()).toBe('stored');

    await closed;
  });

  test('that the fallback leaves as it is goes on as without one', async () => {
    await using server = await startServer(status(503));
    const { api, outcomes } = setUp({
      fallback: (cause) => {
        if (cause instanceof Response) return cause;
        throw cause;
      },
      fallbackOn: 'failure',
    });

    const error: unknown = await api(server.url).catch((each: unknown) => each);

    expect(error).toBeInstanceOf(HTTPError);
    expect(isDegraded((error as HTTPError).response)).toBe(false);
    expect(outcomes).toEqual(['failure 503', 'failure 503', 'failure 503']);
  });

  test("is not answered where ky's timeout or the caller ended it: ky waits for none", async () => {
    await using server = await startServer(hang);
    const fallback = vi.fn<Fallback>();
    const { api, outcomes } = setUp({ fallback, fallbackOn: 'failure' });
    const { signal } = new AbortController();

    await expect(api(server.url, { timeout: 50 })).rejects.toSatisfy(isTimeoutError);
    await expect(api(server.url, { timeout: 50, signal })).rejects.toSatisfy(isTimeoutError);
    for (const makeCall of [
      (given: AbortSignal) => api(server.url, { signal: given }),
      (given: AbortSignal) => api(new Request(server.url, { signal: given })),
    ]) {
      const controller = new AbortController();
      const arrival = server.arrival();
      const left = makeCall(controller.signal);
      await arrival;
      controller.abort();
      await expect(left).rejects.toBe(controller.signal.reason);
    }

    expect(fallback).not.toHaveBeenCalled();
    expect(outcomes).toEqual([
      'failure response-timeout',
      'failure response-timeout',
      'ignored cancel',
      'ignored cancel',
    ]);
  });
});

describe('a failure in the body of a success', () => {
  const found = (response: Response): boolean => reportFailure(response, 'GraphQL errors');

  test('can be reported on the response', async () => {
    await using server = await startServer(status(200, '{"errors":[]}'));
    const { api, outcomes } = setUp({});

    const response = await api(server.url);

    expect([found(response), found(response)]).toEqual([true, false]);
    expect(outcomes).toEqual(['success 200', 'amended reported']);
  });

  test.for<[name: string, hook: AfterResponseHook]>([
    ['in a hook, on the clone that it gets', ({ response }) => void found(response)],
    ['after a hook that gave the caller its clone', ({ response }) => response],
    ['after a hook that gave the caller a clone of it', ({ response }) => response.clone()],
    ['after a hook that gave the caller nothing', () => {}],
  ])('can be reported once %s', async ([, hook]) => {
    await using server = await startServer(status(200, 'text'));
    const { api, outcomes } = setUp({});

    const response = await api(server.url, { hooks: { afterResponse: [hook, () => {}] } });
    found(response);

    expect(outcomes).toEqual(['success 200', 'amended reported']);
    expect(await response.text()).toBe('text');
  });
});

describe('the answer of a fallback', () => {
  test.for<[name: string, hook: AfterResponseHook]>([
    ['its clone', ({ response }) => response],
    ['nothing', () => {}],
  ])('is marked though a hook answered with %s', async ([, hook]) => {
    const { api } = setUp({ fallback: () => new Response('stored') }, open);
    const seen: boolean[] = [];
    const look: AfterResponseHook = ({ response }) => void seen.push(isDegraded(response));

    const response = await api(URL_OF_NOTHING, { hooks: { afterResponse: [look, hook, look] } });

    expect(isDegraded(response)).toBe(true);
    expect(seen).toEqual([true, true]);
  });

  test('bears no mark where ky makes a response of its own for onDownloadProgress', async () => {
    const { api } = setUp({ fallback: () => new Response('stored') }, open);

    const response = await api(URL_OF_NOTHING, { onDownloadProgress: () => {} });

    expect(await response.text()).toBe('stored');
    expect(isDegraded(response)).toBe(false);
  });
});
