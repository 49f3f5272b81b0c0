import { describe, expect, test } from 'vitest';
import {
  CallNotPermittedError,
  HttpCircuitBreaker,
  isCallNotPermitted,
  ManualClock,
  wrapFetch,
} from '../src/index.ts';
import { outcomesOf } from '@recloser/test-support/outcomes';
import { hang, startServer, status } from '@recloser/test-support/server';

function outageBreaker(): { breaker: HttpCircuitBreaker; clock: ManualClock } {
  const clock = new ManualClock();
  const breaker = new HttpCircuitBreaker({
    clock,
    level: 'endpoint',
    breaker: {
      slidingWindowType: 'count-based',
      slidingWindowSize: 10,
      minimumNumberOfCalls: 4,
      failureRateThreshold: 50,
      waitDurationInOpenState: 10_000,
      permittedNumberOfCallsInHalfOpenState: 2,
    },
  });
  return { breaker, clock };
}

describe('an outage', () => {
  test('opens the breaker, and no request reaches the server while it is open', async () => {
    await using server = await startServer(status(503, 'down'));
    const { breaker, clock } = outageBreaker();
    const api = wrapFetch(fetch, breaker);
    for (let call = 0; call < 4; call++) {
      const response = await api(server.url);
      expect(response.status).toBe(503);
      expect(await response.text()).toBe('down');
    }

    for (let call = 0; call < 20; call++) {
      await expect(api(server.url)).rejects.toThrow(CallNotPermittedError);
    }
    clock.advance(10_000);
    await expect(api(server.url)).rejects.toThrow(CallNotPermittedError);

    expect(server.requests).toHaveLength(4);
  });

  test('is refused with an error that says what is wrong and when to come back', async () => {
    await using server = await startServer(status(503));
    const { breaker, clock } = outageBreaker();
    const api = wrapFetch(fetch, breaker);
    for (let call = 0; call < 4; call++) await api(server.url);
    clock.advance(4_000);

    const refusal: unknown = await api(server.url).catch((error: unknown) => error);

    expect(isCallNotPermitted(refusal)).toBe(true);
    expect(refusal).toMatchObject({
      name: 'CallNotPermittedError',
      code: 'ERR_CALL_NOT_PERMITTED',
      breaker: `GET ${server.url}/`,
      state: 'open',
      reason: 'open',
      retryAfterMs: 6_001,
      lastFailure: { status: 503 },
    });
    expect(refusal).not.toBeInstanceOf(TypeError);
  });

  test('is over after the trial calls succeed, and the breaker closes', async () => {
    await using server = await startServer(status(500));
    const { breaker, clock } = outageBreaker();
    const outcomes = outcomesOf(breaker);
    const api = wrapFetch(fetch, breaker);
    for (let call = 0; call < 4; call++) await api(server.url);
    clock.advance(10_001);
    server.answer = status(200, 'up again');

    for (let call = 0; call < 3; call++) {
      expect(await (await api(server.url)).text()).toBe('up again');
    }

    expect(outcomes.slice(4)).toEqual([
      'closed to open',
      'open to half-open',
      'success 200',
      'success 200',
      'half-open to closed',
      'success 200',
    ]);
    expect(server.requests).toHaveLength(7);
  });

  test('goes on after trial calls that fail', async () => {
    await using server = await startServer(status(500));
    const { breaker, clock } = outageBreaker();
    const outcomes = outcomesOf(breaker);
    const api = wrapFetch(fetch, breaker);
    for (let call = 0; call < 4; call++) await api(server.url);
    clock.advance(10_001);

    await api(server.url);
    await api(server.url);

    await expect(api(server.url)).rejects.toThrow(CallNotPermittedError);
    expect(outcomes.slice(-2)).toEqual(['half-open to open', 'refused open']);
    expect(server.requests).toHaveLength(6);
  });

  test('opens a half-open breaker to as many calls as it permits, and refuses the rest at once', async () => {
    await using server = await startServer(status(500));
    const { breaker, clock } = outageBreaker();
    const outcomes = outcomesOf(breaker);
    const api = wrapFetch(fetch, breaker);
    for (let call = 0; call < 4; call++) await api(server.url);
    clock.advance(10_001);
    server.answer = status(200);

    const results = await Promise.allSettled(Array.from({ length: 10 }, () => api(server.url)));

    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
    expect(outcomes).toContain('refused half-open-full');
    expect(server.requests).toHaveLength(6);
  });

  test('of a server that hangs opens the breaker by the deadlines of the callers', async () => {
    await using server = await startServer(hang);
    const { breaker } = outageBreaker();
    const outcomes = outcomesOf(breaker);
    const api = wrapFetch(fetch, breaker);

    const calls = Array.from({ length: 4 }, () =>
      api(server.url, { signal: AbortSignal.timeout(20) }),
    );
    for (const call of calls) await expect(call).rejects.toThrow(/timeout/);

    await expect(api(server.url)).rejects.toThrow(CallNotPermittedError);
    expect(outcomes).toEqual([
      ...Array<string>(4).fill('failure deadline'),
      'closed to open',
      'refused open',
    ]);
  });

  test('is survived without a single option', async () => {
    await using server = await startServer(status(503));
    const api = wrapFetch(fetch);

    const calls: boolean[] = [];
    for (let call = 0; call < 30; call++) {
      calls.push(await api(`${server.url}/users/${call}`).then(() => true, isNoRefusal));
    }

    expect(calls.filter((made) => made)).toHaveLength(10);
    expect(server.requests).toHaveLength(10);
  });

  test('of one endpoint leaves the others alone', async () => {
    await using server = await startServer((request, response) => {
      response.writeHead(request.method === 'POST' ? 500 : 200).end();
    });
    const api = wrapFetch(fetch, outageBreaker().breaker);
    for (let call = 0; call < 4; call++) await api(server.url, { method: 'POST' });

    await expect(api(server.url, { method: 'post' })).rejects.toThrow(/POST/);
    const deleting = new Request(server.url, { method: 'DELETE' });
    await expect(api(deleting, { method: 'POST' })).rejects.toThrow(/POST/);
    expect((await api(server.url)).status).toBe(200);
    expect((await api(deleting)).status).toBe(200);
  });

  test('learnt through one fetch protects another that shares the breaker', async () => {
    await using server = await startServer(status(503));
    const { breaker } = outageBreaker();
    const one = wrapFetch(fetch, breaker);
    const another = wrapFetch((...args: Parameters<typeof fetch>) => fetch(...args), breaker);
    for (let call = 0; call < 4; call++) await one(server.url);

    await expect(another(server.url)).rejects.toThrow(CallNotPermittedError);
    expect(server.requests).toHaveLength(4);
  });
});

function isNoRefusal(error: unknown): boolean {
  return !isCallNotPermitted(error);
}
