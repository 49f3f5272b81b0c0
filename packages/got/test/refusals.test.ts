import got, { RequestError, type RetryOptions } from 'got';
import { describe, expect, test } from 'vitest';
import { HttpCircuitBreaker } from '@recloser/core';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { closeBeforeHeaders, startServer, status } from '@recloser/test-support/server';
import { circuitBreaker, getCallNotPermitted, isCallNotPermitted } from '../src/index.ts';
import { errorOf, guarded, oneRetry } from './guarded.ts';

/** An instance whose breaker is open, and lets nothing through. */
function refusing() {
  const made = guarded();
  made.breaker.control('*').forceOpen({ reason: 'a test' });
  return made;
}

const url = 'http://localhost:1/';

describe('a refusal', () => {
  test('is a RequestError of got, with the code and the cause', async () => {
    const { api } = refusing();

    const error = await errorOf(api(url));

    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({
      name: 'RequestError',
      code: 'ERR_CALL_NOT_PERMITTED',
      response: undefined,
      cause: { name: 'CallNotPermittedError', breaker: 'GET http://localhost:1/' },
    });
    expect((error as RequestError).message).toBe(getCallNotPermitted(error)!.message);
  });

  test('is found by every shortcut, and in a stream', async () => {
    const { api, outcomes } = refusing();
    const stream = new Promise((_, reject) => api.stream(url).once('error', reject));

    const errors = [api(url).json(), api(url).text(), api(url).buffer(), stream].map(errorOf);

    expect((await Promise.all(errors)).map(isCallNotPermitted)).toEqual([true, true, true, true]);
    expect(outcomes.filter((outcome) => outcome.startsWith('refused'))).toHaveLength(4);
  });

  test('that got meets behind its cache is the very same', async () => {
    const { api, outcomes } = refusing();

    const error = await errorOf(api(url, { cache: new Map() }));

    expect(error).toMatchObject({ name: 'RequestError', code: 'ERR_CALL_NOT_PERMITTED' });
    expect(isCallNotPermitted(error)).toBe(true);
    expect(outcomes).toEqual(['closed to forced-open', 'refused forced-open']);
  });

  test.for([
    ['retries what it likes', { enforceRetryRules: false, calculateDelay: () => 1 }],
    ['retries the code of refusals', { errorCodes: ['ERR_CALL_NOT_PERMITTED'], limit: 3 }],
  ] satisfies [string, Partial<RetryOptions>][])(
    'is not retried by a call that %s',
    async ([, retry]) => {
      const { api, outcomes } = refusing();
      let retries = 0;
      const beforeRetry = (): unknown => retries++;

      const call = api(url, {
        retry: retry as RetryOptions,
        hooks: { beforeRetry: [beforeRetry as () => void] },
      });

      expect(isCallNotPermitted(await errorOf(call))).toBe(true);
      expect(retries).toBe(0);
      expect(outcomes).toEqual(['closed to forced-open', 'refused forced-open']);
    },
  );

  test('goes through the hooks of beforeError, its cause with it', async () => {
    const { api } = refusing();
    const beforeError = (error: Error): Error => error.cause as Error;

    const error = await errorOf(api(url, { hooks: { beforeError: [beforeError] } }));

    expect(error).toMatchObject({ name: 'CallNotPermittedError' });
  });

  test('of an attempt ends the call with no further traffic', async () => {
    await using server = await startServer(closeBeforeHeaders);
    const { api, outcomes } = guarded({ breaker: { consecutiveFailureThreshold: 1 } });

    const error = await errorOf(api(server.url, { retry: { ...oneRetry, limit: 5 } }));

    expect(isCallNotPermitted(error)).toBe(true);
    expect(outcomes).toEqual(['failure reset', 'closed to open', 'refused open']);
    expect(server.requests).toHaveLength(1);
  });
});

describe('two breakers on one instance', () => {
  async function withTwo() {
    const server = await startServer();
    const [one, other] = [endpointBreaker(), endpointBreaker()];
    const base = got.extend({ retry: { limit: 0 } }, circuitBreaker(one));
    const api = base.extend(circuitBreaker(other, { fallback: () => ({ body: 'fallback' }) }));
    const all = [one, other] as const;
    return { server, api, one, other, all, outcomes: all.map(outcomesOf) };
  }

  test('both count', async () => {
    const { server, api, outcomes, all } = await withTwo();
    await using _ = server;

    await api(server.url);
    server.answer = status(503);
    await errorOf(api(server.url));

    expect(outcomes).toEqual([
      ['success 200', 'failure 503'],
      ['success 200', 'failure 503'],
    ]);
    expect(all.map(callsInFlight)).toEqual([[0], [0]]);
  });

  test('both guard: what the first refuses counts nowhere in the second', async () => {
    const { server, api, one, outcomes, all } = await withTwo();
    await using _ = server;
    one.control('*').forceOpen({ reason: 'a test' });

    expect(isCallNotPermitted(await errorOf(api(server.url)))).toBe(true);

    expect(outcomes).toEqual([
      ['closed to forced-open', 'refused forced-open'],
      [expect.stringMatching(/^ignored/)],
    ]);
    expect(all.map(callsInFlight)).toEqual([[0], [0]]);
    expect(server.requests).toEqual([]);
  });

  test('both guard: what the second refuses does not come to the first', async () => {
    const { server, api, other, outcomes, all } = await withTwo();
    await using _ = server;
    other.control('*').forceOpen({ reason: 'a test' });

    expect(await api(server.url).text()).toBe('fallback');

    expect(outcomes).toEqual([[], ['closed to forced-open', 'refused forced-open']]);
    expect(all.flatMap(callsInFlight)).toEqual([0]);
  });

  test('a fallback of the first is no success of the second', async () => {
    const [one, other] = [endpointBreaker(), endpointBreaker()];
    one.control('*').forceOpen({ reason: 'a test' });
    const outcomes = outcomesOf(other);
    const api = got.extend(
      circuitBreaker(one, { fallback: () => ({ body: 'fallback' }) }),
      circuitBreaker(other),
    );

    expect(await api(url).text()).toBe('fallback');

    expect(outcomes).toEqual([]);
    expect(callsInFlight(other)).toEqual([0]);
  });
});

describe('the same breaker', () => {
  test('given twice counts once, whichever way the instances were put together', async () => {
    await using server = await startServer();
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const once = got.extend(circuitBreaker(breaker));

    for (const api of [
      once.extend({ headers: { 'x-own': '1' } }),
      once.extend(circuitBreaker(breaker)),
      once.extend(once),
      got.extend(once, circuitBreaker(breaker, { count: 'call' })),
    ]) {
      await api(server.url);
    }

    expect(outcomes).toEqual(Array(4).fill('success 200'));
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('given twice has the options that it was given last', async () => {
    const { api, breaker } = guarded({ options: { fallback: () => ({ body: 'first' }) } });
    const twice = api.extend(circuitBreaker(breaker, { fallback: () => ({ body: 'second' }) }));
    breaker.control('*').forceOpen({ reason: 'a test' });

    expect(await twice(url).text()).toBe('second');
  });
});

describe('what is given', () => {
  test('may be options of a breaker, or nothing', async () => {
    await using server = await startServer(status(503));
    const api = got.extend({ retry: { limit: 0 } }, circuitBreaker());
    const strict = got.extend(
      { retry: { limit: 0 } },
      circuitBreaker({ breaker: { consecutiveFailureThreshold: 1 } }),
    );
    await errorOf(api(server.url));
    await errorOf(strict(server.url));

    expect(isCallNotPermitted(await errorOf(api(server.url)))).toBe(false);
    expect(isCallNotPermitted(await errorOf(strict(server.url)))).toBe(true);
  });

  test.for([
    [
      'an unknown option',
      () => circuitBreaker({}, { counts: 'call' } as never),
      "circuitBreaker: 'counts' is not known",
    ],
    [
      'a word that count does not know',
      () => circuitBreaker({}, { count: 'calls' } as never),
      'circuitBreaker: count must be',
    ],
    [
      'an option in the wrong place',
      () => circuitBreaker({ count: 'call' } as never),
      "circuitBreaker: 'count' belongs in the argument after",
    ],
    [
      'a function that was not called',
      () => got.extend(circuitBreaker as never),
      'circuitBreaker must be called: got.extend(circuitBreaker())',
    ],
    [
      'a breaker in the place of the options',
      () => circuitBreaker({}, new HttpCircuitBreaker() as never),
      'hand it over in place of the options',
    ],
  ] as const)('is checked at once: %s', ([, make, message]) => {
    expect(make).toThrow(message);
  });

  test('to a partition function is the request as got has it', async () => {
    await using server = await startServer();
    const seen: unknown[] = [];
    const breaker = new HttpCircuitBreaker({
      partition: ({ method, original }) => {
        seen.push(method, (original as { context: object }).context);
        return undefined;
      },
    });
    const api = got.extend(circuitBreaker(breaker));

    await api.put(server.url, { context: { tenant: 'a' } });

    expect(seen).toEqual(['PUT', { tenant: 'a' }]);
  });

  test('to a call that leaves itself out is not counted, in an instance of its own neither', async () => {
    await using server = await startServer();
    const { api, outcomes } = refusing();
    const context = { circuitBreaker: false };

    await api(server.url, { context });
    await api.extend({ context })(server.url);

    expect(outcomes).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});
