import { CircuitBreaker, isCallNotPermitted } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { startServer, status } from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import type { Hooks } from './contract.ts';
import { errorOf, read, shown, type Guarded, type Suite } from './suite.ts';

/** A user's own code around the breaker, and below it. */
export function testHooks(suite: Suite): void {
  const hooked = (hooks: Hooks): Guarded => suite.guarded({}, {}, { hooks });

  describe('a rate limiter inside the breaker', () => {
    for (const [when, refuse] of [
      ['at once', () => raise()],
      ['later', async () => raise()],
    ] as const) {
      test(`that refuses ${when} is counted nowhere, and nothing is sent`, async () => {
        await using server = await startServer(status(200));
        const { client, breaker, outcomes } = hooked({ inside: refuse });
        const bare = suite.client(undefined, { hooks: { inside: refuse } });

        const error = await errorOf(client.call({ url: server.url }));

        expect(shown(error)).toEqual(shown(await errorOf(bare.call({ url: server.url }))));
        expect(outcomes.filter((outcome) => !outcome.startsWith('ignored'))).toEqual([]);
        expect(callsInFlight(breaker)).toEqual([0]);
        expect(server.requests).toEqual([]);
      });
    }

    test("counts nowhere with another breaker's refusal", async () => {
      await using server = await startServer(status(200));
      const limiter = new CircuitBreaker('limiter', { initialState: 'open' });
      const { client, breaker, outcomes } = hooked({ inside: () => limiter.execute(() => {}) });

      const error = await errorOf(client.call({ url: server.url }));

      expect(isCallNotPermitted(error)).toBe(true);
      expect(outcomes.filter((outcome) => !outcome.startsWith('ignored'))).toEqual([]);
      expect(callsInFlight(breaker)).toEqual([0]);
    });
  });

  describe('a hook', () => {
    test('that throws before the breaker is counted nowhere', async () => {
      await using server = await startServer(status(200));
      const { client, outcomes } = hooked({ before: raise });

      await expect(client.call({ url: server.url })).rejects.toThrow(MESSAGE);

      expect(outcomes.filter((outcome) => !outcome.startsWith('ignored'))).toEqual([]);
      expect(server.requests).toEqual([]);
    });

    test('that answers before the breaker is not asked about', async () => {
      await using server = await startServer(status(503));
      const { client, breaker, outcomes } = hooked({ before: () => 'from the cache' });

      expect(await read(client, { url: server.url })).toBe('from the cache');

      expect(outcomes).toEqual([]);
      expect(callsInFlight(breaker).every((calls) => calls === 0)).toBe(true);
      expect(server.requests).toEqual([]);
    });

    test.for([
      [200, 'success 200'],
      [503, 'failure 503'],
    ] as const)('that throws after a %d leaves it recorded by its status', async (each) => {
      const [code, outcome] = each;
      await using server = await startServer(status(code));
      const { client, outcomes } = hooked({ after: raise });

      await expect(client.call({ url: server.url })).rejects.toThrow(MESSAGE);

      expect(outcomes).toEqual([outcome]);
    });

    test('that swallows failures and refusals changes no count', async () => {
      await using server = await startServer(({ socket }) => socket.destroy());
      const { client, outcomes } = suite.guarded(
        { consecutiveFailureThreshold: 1 },
        {},
        { hooks: { swallow: (error) => `refused: ${isCallNotPermitted(error)}` } },
      );

      expect(await read(client, { url: server.url })).toBe('refused: false');
      expect(await read(client, { url: server.url })).toBe('refused: true');

      expect(outcomes).toEqual(['failure reset', 'closed to open', 'refused open']);
      expect(server.requests).toHaveLength(1);
    });
  });
}

const MESSAGE = 'not today';

function raise(): never {
  throw new Error(MESSAGE);
}
