import {
  getCallNotPermitted,
  HttpCircuitBreaker,
  isCallNotPermitted,
  ManualClock,
} from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import {
  HeldAnswers,
  hang,
  refusingUrl,
  resetBeforeHeaders,
  startServer,
  status,
} from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import { aTurn, errorOf, type Guarded, type Suite } from './suite.ts';

/** A dependency that fails, and comes back. */
export function testOutage(suite: Suite): void {
  /** Opens after 4 failures of 4 calls, for 10 s, and then permits 3 trial calls. */
  const guarded = (): Guarded & { readonly clock: ManualClock } => {
    const clock = new ManualClock();
    const made = suite.guarded(
      {
        maxConcurrentCalls: 1000,
        slidingWindowType: 'count-based',
        slidingWindowSize: 10,
        minimumNumberOfCalls: 4,
        waitDurationInOpenState: 10_000,
        permittedNumberOfCallsInHalfOpenState: 3,
      },
      { clock },
    );
    return { ...made, clock };
  };
  const fail = async ({ client }: Guarded, url: string): Promise<void> => {
    for (let call = 0; call < 4; call++) await client.call({ url }).catch(() => undefined);
  };

  describe('an outage', () => {
    test.for([
      ['of failing statuses', status(503), { status: 503 }],
      ['of broken connections', resetBeforeHeaders, { kind: 'reset' }],
    ] as const)('%s opens the breaker: calls are refused, and nothing is sent', async (each) => {
      const [, answer, lastFailure] = each;
      await using server = await startServer(answer);
      const it = guarded();
      await fail(it, server.url);
      it.clock.advance(4000);

      const error = await errorOf(it.client.call({ url: server.url }));
      await errorOf(it.client.call({ url: server.url, method: 'GET' }));

      expect(isCallNotPermitted(error)).toBe(true);
      expect(getCallNotPermitted(error)).toMatchObject({
        code: 'ERR_CALL_NOT_PERMITTED',
        breaker: `GET ${server.url}/`,
        state: 'open',
        reason: 'open',
        retryAfterMs: 6001,
        lastFailure,
      });
      expect(it.outcomes.slice(4)).toEqual(['closed to open', 'refused open', 'refused open']);
      expect(server.requests).toHaveLength(4);
      expect(callsInFlight(it.breaker)).toEqual([0]);
    });

    test('of a whole host is refused for every endpoint of it', async () => {
      const url = await refusingUrl();
      const breaker = new HttpCircuitBreaker({ hostBreaker: { consecutiveFailureThreshold: 2 } });
      const { client } = suite.guardedBy(breaker);
      for (const path of ['/one', '/two']) await errorOf(client.call({ url: url + path }));

      const error = await errorOf(client.call({ url: `${url}/three` }));

      expect(getCallNotPermitted(error)).toMatchObject({ breaker: url });
      expect(callsInFlight(breaker).every((calls) => calls === 0)).toBe(true);
    });

    test('of one method leaves the others alone', async () => {
      await using server = await startServer((request, response) => {
        response.writeHead(request.method === 'POST' ? 500 : 200).end();
      });
      const it = guarded();
      const post = { url: server.url, method: 'POST', body: 'anything' };
      for (let call = 0; call < 4; call++) await it.client.call(post);

      expect(isCallNotPermitted(await errorOf(it.client.call(post)))).toBe(true);
      expect((await it.client.call({ url: server.url })).status).toBe(200);
    });

    test('that is over is found out by the trial calls, and the breaker closes', async () => {
      await using server = await startServer(status(500));
      const it = guarded();
      await fail(it, server.url);
      it.clock.advance(10_001);
      server.answer = status(200);

      for (let call = 0; call < 4; call++) {
        expect((await it.client.call({ url: server.url })).status).toBe(200);
      }

      expect(it.outcomes.slice(4)).toEqual([
        'closed to open',
        'open to half-open',
        'success 200',
        'success 200',
        'success 200',
        'half-open to closed',
        'success 200',
      ]);
      expect(server.requests).toHaveLength(8);
    });

    test('that goes on is found out by the trial calls, and the breaker opens again', async () => {
      await using server = await startServer(status(500));
      const it = guarded();
      await fail(it, server.url);
      it.clock.advance(10_001);

      for (let call = 0; call < 3; call++) await it.client.call({ url: server.url });

      expect(isCallNotPermitted(await errorOf(it.client.call({ url: server.url })))).toBe(true);
      expect(it.outcomes.slice(-2)).toEqual(['half-open to open', 'refused open']);
      expect(server.requests).toHaveLength(7);
    });
  });

  describe('a half-open breaker', () => {
    test('lets exactly the permitted calls through of 1,000 that come at once', async () => {
      await using server = await startServer(status(500));
      const it = guarded();
      await fail(it, server.url);
      it.clock.advance(10_001);
      const held = new HeldAnswers();
      server.answer = held.answer(status(200));

      const calls = Array.from({ length: 1000 }, () => it.client.call({ url: server.url }));
      const settled = Promise.allSettled(calls);
      await held.arrived(3);
      expect(callsInFlight(it.breaker)).toEqual([3]);
      held.release();

      const errors = (await settled).flatMap((call) => ('reason' in call ? [call.reason] : []));
      expect(errors).toHaveLength(997);
      expect(errors.every(isCallNotPermitted)).toBe(true);
      expect(server.requests).toHaveLength(7);
      expect(it.outcomes).toContain('half-open to closed');
      expect(callsInFlight(it.breaker)).toEqual([0]);
    });

    test('gets the permits of trial calls back that the callers leave', async () => {
      await using server = await startServer(status(500));
      const it = guarded();
      await fail(it, server.url);
      it.clock.advance(10_001);
      const held = new HeldAnswers();
      server.answer = held.answer(status(200));
      const { signal, abort } = abortable();
      const left = [1, 2, 3].map(() => errorOf(it.client.call({ url: server.url, signal })));
      await held.arrived(3);
      abort();
      await Promise.all(left);
      server.answer = status(200);

      for (let call = 0; call < 3; call++) await it.client.call({ url: server.url });

      expect(it.outcomes.slice(5)).toEqual([
        'open to half-open',
        ...Array<string>(3).fill('ignored cancel'),
        ...Array<string>(3).fill('success 200'),
        'half-open to closed',
      ]);
    });
  });

  describe('a server that hangs', () => {
    test('opens the breaker by the deadlines of the callers', async () => {
      await using server = await startServer(hang);
      const it = guarded();

      const calls = Array.from({ length: 4 }, () =>
        errorOf(it.client.call({ url: server.url, signal: AbortSignal.timeout(100) })),
      );
      await Promise.all(calls);

      expect(isCallNotPermitted(await errorOf(it.client.call({ url: server.url })))).toBe(true);
      expect(it.outcomes).toEqual([
        ...Array<string>(4).fill('failure deadline'),
        'closed to open',
        'refused open',
      ]);
    });

    test('opens the breaker by calls that stall, while they are out', async () => {
      const clock = new ManualClock();
      const held = new HeldAnswers();
      await using server = await startServer(held.answer(status(200)));
      const { client, breaker, outcomes } = suite.guarded(
        { maxConcurrentCalls: 10, minimumNumberOfCalls: 4, slowCallDurationThreshold: 1000 },
        { clock },
      );
      const calls = Array.from({ length: 4 }, () => client.call({ url: server.url }));
      await held.arrived(4);

      clock.advance(1001);
      const error = await errorOf(client.call({ url: server.url }));
      held.release();
      await Promise.all(calls);

      expect(isCallNotPermitted(error)).toBe(true);
      await aTurn();
      expect(outcomes).toEqual([
        'closed to open',
        'refused open',
        ...Array<string>(4).fill('success 200'),
      ]);
      expect(callsInFlight(breaker)).toEqual([0]);
    });
  });
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
