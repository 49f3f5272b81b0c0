import { isCallNotPermitted, ManualClock } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import {
  resetBeforeHeaders,
  startServer,
  status,
  type Answer,
  type TestServer,
} from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import { errorOf, type Guarded, type Suite } from './suite.ts';

/** The client's retries inside and outside the breaker, and what each way counts. */
export function testRetries(suite: Suite): void {
  /** Every answer takes 100 ms, every wait 1 s. */
  const retried = async (
    count: 'attempt' | 'call',
    answers: readonly Answer[],
    breaker: { readonly consecutiveFailureThreshold?: number } = {},
  ): Promise<Retried> => {
    const clock = new ManualClock();
    const it = suite.guarded(breaker, { clock }, { count });
    const elapsed: number[] = [];
    for (const type of ['success', 'failure'] as const) {
      it.breaker.on(type, (event) => elapsed.push(event.elapsed));
    }
    const out: number[] = [];
    const onBackoff = (): void => {
      out.push(...callsInFlight(it.breaker));
      clock.advance(1000);
      result.onBackoff?.();
    };
    const left = [...answers];
    const server = await startServer((request, response) => {
      clock.advance(100);
      (left.shift() ?? answers.at(-1)!)(request, response);
    });
    const result: Retried = {
      ...it,
      server,
      elapsed,
      out,
      call: (limit, signal) =>
        it.client
          .call({ url: server.url, retries: { limit, onBackoff }, ...(signal && { signal }) })
          .then((reply) => reply.status),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
    return result;
  };
  const down = status(503);

  describe(`${suite.title('retries around the breaker', ['retries'])}`, () => {
    test('count each attempt, for what it took itself', async () => {
      await using it = await retried('attempt', [down, resetBeforeHeaders, status(200)]);

      expect(await it.call(2)).toBe(200);

      expect(it.outcomes).toEqual(['failure 503', 'failure reset', 'success 200']);
      expect(it.elapsed).toEqual([100, 100, 100]);
      expect(it.out).toEqual([0, 0]);
      expect(it.server.requests).toHaveLength(3);
    });

    test('that are used up count as many failures as the server was asked', async () => {
      await using it = await retried('attempt', [down]);

      expect(await it.call(2)).toBe(503);

      expect(it.outcomes).toEqual(['failure 503', 'failure 503', 'failure 503']);
      expect(it.elapsed).toEqual([100, 100, 100]);
      expect(it.server.requests).toHaveLength(3);
    });

    test('stop when the breaker opens between two attempts', async () => {
      await using it = await retried('attempt', [down], { consecutiveFailureThreshold: 2 });

      expect(isCallNotPermitted(await errorOf(it.call(5)))).toBe(true);

      expect(it.outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
      expect(it.server.requests).toHaveLength(2);
      expect(it.out).toEqual([0, 0]);
    });

    test('never repeat a refusal: one, no wait, nothing sent', async () => {
      await using it = await retried('attempt', [down], { consecutiveFailureThreshold: 1 });
      await it.call(0);

      expect(isCallNotPermitted(await errorOf(it.call(5)))).toBe(true);

      expect(it.outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
      expect(it.out).toEqual([]);
      expect(it.server.requests).toHaveLength(1);
    });

    test('end when the caller leaves during a wait, and hold no permit', async () => {
      await using it = await retried('attempt', [down]);
      const controller = new AbortController();
      it.onBackoff = () => controller.abort();

      await errorOf(it.call(5, controller.signal));

      expect(it.outcomes).toEqual(['failure 503']);
      expect(callsInFlight(it.breaker)).toEqual([0]);
      expect(it.server.requests).toHaveLength(1);
    });
  });

  describe(`${suite.title('retries inside the breaker', ['retries', 'count'])}`, () => {
    test('count one call, for all that it took', async () => {
      await using it = await retried('call', [down, resetBeforeHeaders, status(200)]);

      expect(await it.call(2)).toBe(200);

      expect(it.outcomes).toEqual(['success 200']);
      expect(it.elapsed).toEqual([2300]);
      expect(it.out).toEqual([1, 1]);
      expect(it.server.requests).toHaveLength(3);
    });

    test('that are used up count one failure', async () => {
      await using it = await retried('call', [down]);

      expect(await it.call(2)).toBe(503);

      expect(it.outcomes).toEqual(['failure 503']);
      expect(it.elapsed).toEqual([2300]);
      expect(it.server.requests).toHaveLength(3);
      expect(callsInFlight(it.breaker)).toEqual([0]);
    });

    test('go on to their end although the breaker would open at the first failure', async () => {
      await using it = await retried('call', [down], { consecutiveFailureThreshold: 1 });

      expect(await it.call(2)).toBe(503);
      expect(isCallNotPermitted(await errorOf(it.call(2)))).toBe(true);

      expect(it.outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
      expect(it.server.requests).toHaveLength(3);
      expect(it.out).toEqual([1, 1]);
    });

    test('end when the caller leaves during a wait, and count nowhere', async () => {
      await using it = await retried('call', [down]);
      const controller = new AbortController();
      it.onBackoff = () => controller.abort();

      await errorOf(it.call(5, controller.signal));

      expect(it.outcomes).toEqual(['ignored cancel']);
      expect(callsInFlight(it.breaker)).toEqual([0]);
      expect(it.server.requests).toHaveLength(1);
    });
  });
}

interface Retried extends Guarded, AsyncDisposable {
  readonly server: TestServer;
  /** What each recorded call took, in ms. */
  readonly elapsed: readonly number[];
  /** The permits that were out at each wait. */
  readonly out: readonly number[];
  /** Besides what every wait does. */
  onBackoff?: () => void;
  /** Resolves with the status. */
  call(limit: number, signal?: AbortSignal): Promise<number>;
}
