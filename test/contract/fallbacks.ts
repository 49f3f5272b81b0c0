import { getDegradation, isCallNotPermitted, isDegraded, reportFailure } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { hang, resetBeforeHeaders, startServer, status } from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import type { MakeOptions } from './contract.ts';
import { errorOf, shown, type Guarded, type Suite } from './suite.ts';

/** Answers in the dependency's place, reports of failures that no status shows, requests left out. */
export function testFallbacks(suite: Suite): void {
  const opensAtOnce = (made: MakeOptions): Guarded =>
    suite.guarded({ consecutiveFailureThreshold: 1 }, {}, made);

  describe('a fallback', () => {
    test('answers a refused call, after the refusal was recorded', async () => {
      await using server = await startServer(status(503));
      const seen: unknown[] = [];
      const { client, outcomes } = opensAtOnce({
        fallback: (cause, { method, url }) => {
          const isRefusal = isCallNotPermitted(cause);
          seen.push({ isRefusal, method, url, outcome: outcomes.at(-1) });
          return 'stored earlier';
        },
      });
      await client.call({ url: server.url });

      const reply = await client.call({ url: `${server.url}/` });

      expect([reply.status, await reply.text()]).toEqual([200, 'stored earlier']);
      expect(seen).toMatchObject([
        { method: 'GET', url: `${server.url}/`, outcome: 'refused open', isRefusal: true },
      ]);
      expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
      expect(server.requests).toHaveLength(1);
    });

    const marked = async (made: MakeOptions): Promise<unknown[]> => {
      await using server = await startServer(status(503));
      const { client } = opensAtOnce({ fallback: () => 'stored earlier', ...made });
      const replies = [
        await client.call({ url: server.url }),
        await client.call({ url: server.url }),
      ];
      const causes = replies.map(({ original }) => getDegradation(original)?.cause);
      const marks = replies.map(({ original }) => isDegraded(original));
      return [...marks, ...causes.map(isCallNotPermitted)];
    };

    suite.test(
      'marks its answers, and no others',
      ['known responses'],
      async () => {
        expect(await marked({})).toEqual([false, true, false, true]);
        expect(await marked({ fallbackOn: 'failure' })).toEqual([true, true, false, true]);
      },
      async () => {
        expect(await marked({})).toEqual([false, false, false, false]);
      },
    );

    test('that throws gives the caller its error', async () => {
      await using server = await startServer(status(503));
      const { client } = opensAtOnce({
        fallback: () => {
          throw new Error('nothing was stored');
        },
      });
      await client.call({ url: server.url });

      expect(messagesOf(await errorOf(client.call({ url: server.url })))).toContain(
        'nothing was stored',
      );
    });

    test.for([
      ['status', status(503), 'failure 503'],
      ['error', resetBeforeHeaders, 'failure reset'],
    ] as const)('for failures answers a failing %s after it was recorded', async (each) => {
      const [, answer, outcome] = each;
      await using server = await startServer(answer);
      const recorded: unknown[] = [];
      const { client, outcomes } = suite.guarded(
        {},
        {},
        {
          fallbackOn: 'failure',
          fallback: () => {
            recorded.push(...outcomes);
            return 'stored earlier';
          },
        },
      );

      const reply = await client.call({ url: server.url });

      expect([reply.status, await reply.text()]).toEqual([200, 'stored earlier']);
      expect(recorded).toEqual([outcome]);
      expect(outcomes).toEqual([outcome]);
    });

    test('for failures leaves a success and a caller that leaves alone', async () => {
      await using server = await startServer(status(404, 'not here'));
      const { client } = suite.guarded(
        {},
        {},
        {
          fallbackOn: 'failure',
          fallback: () => 'stored earlier',
        },
      );

      const reply = await client.call({ url: server.url });
      expect([reply.status, isDegraded(reply.original)]).toEqual([404, false]);
      expect(await reply.text()).toBe('not here');

      server.answer = hang;
      const controller = new AbortController();
      const arrival = server.arrival();
      const left = errorOf(client.call({ url: server.url, signal: controller.signal }));
      await arrival;
      controller.abort();
      expect(await left).toBeDefined();
    });

    test('for failures that throws what it was given changes nothing', async () => {
      await using server = await startServer(resetBeforeHeaders);
      const { client } = suite.guarded(
        {},
        {},
        {
          fallbackOn: 'failure',
          fallback: (cause) => {
            throw cause;
          },
        },
      );
      const bare = await errorOf(suite.client(undefined).call({ url: server.url }));

      expect(shown(await errorOf(client.call({ url: server.url })))).toEqual(shown(bare));
    });

    const { failureAnswered = 'call' } = suite.driver.capabilities;

    suite.test(
      `for failures answers the ${failureAnswered === 'call' ? 'last' : 'first'} of several attempts`,
      ['retries'],
      async () => {
        await using server = await startServer(status(503));
        const { client, outcomes } = suite.guarded(
          {},
          {},
          {
            fallbackOn: 'failure',
            fallback: () => 'stored earlier',
          },
        );

        const reply = await client.call({ url: server.url, retries: { limit: 2 } });

        const attempts = failureAnswered === 'call' ? 3 : 1;
        expect(await reply.text()).toBe('stored earlier');
        expect(outcomes).toEqual(Array(attempts).fill('failure 503'));
        expect(server.requests).toHaveLength(attempts);
      },
    );
  });

  describe('a failure found in the body of a success', () => {
    const report = async (): Promise<[Guarded, boolean, boolean]> => {
      await using server = await startServer(status(200, '{"errors":["no such field"]}'));
      const it = suite.guarded();
      const reply = await it.client.call({ url: server.url });
      await reply.text();
      const once = reportFailure(reply.original, 'GraphQL errors');
      return [it, once, reportFailure(reply.original, 'GraphQL errors')];
    };

    suite.test(
      'amends the record, once, when it is reported',
      ['known responses'],
      async () => {
        const [{ breaker, outcomes }, once, again] = await report();

        expect([once, again]).toEqual([true, false]);
        expect(outcomes).toEqual(['success 200', 'amended reported']);
        expect(breaker.snapshot().breakers).toMatchObject([
          { numberOfFailedCalls: 1, numberOfSuccessfulCalls: 0, callsInFlight: 0 },
        ]);
      },
      async () => {
        const [{ outcomes }, once] = await report();

        expect(once).toBe(false);
        expect(outcomes).toEqual(['success 200']);
      },
    );
  });

  describe('a request that is left out', () => {
    test('by an override is sent and counted nowhere', async () => {
      await using server = await startServer(status(503));
      const { client, breaker, outcomes } = suite.guarded(
        { consecutiveFailureThreshold: 1 },
        { overrides: [{ path: '/health', breaker: false }] },
      );

      for (let call = 0; call < 3; call++) {
        expect((await client.call({ url: `${server.url}/health` })).status).toBe(503);
      }

      expect(outcomes).toEqual([]);
      expect(breaker.snapshot()).toMatchObject({ breakers: [], unguarded: 3 });
    });

    suite.test(
      'by an option of the call is sent, by an open breaker too, and counted nowhere',
      ['left out'],
      async () => {
        await using server = await startServer(status(503));
        const { client, breaker, outcomes } = opensAtOnce({});
        await client.call({ url: server.url });

        const reply = await client.call({ url: server.url, circuitBreaker: false });

        expect(reply.status).toBe(503);
        expect(isCallNotPermitted(await errorOf(client.call({ url: server.url })))).toBe(true);
        expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
        expect(callsInFlight(breaker)).toEqual([0]);
        expect(server.requests).toHaveLength(2);
      },
      async () => {
        await using server = await startServer(status(503));
        const { client, outcomes } = opensAtOnce({});

        await client.call({ url: server.url, circuitBreaker: false });

        expect(outcomes).toEqual(['failure 503', 'closed to open']);
      },
    );
  });
}

/** Of the error and its causes. */
function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];
}
