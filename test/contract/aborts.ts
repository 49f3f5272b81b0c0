import { abandonedAfter, isCallNotPermitted, ManualClock } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { HeldAnswers, hang, startServer, status } from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import type { ContractClient } from './contract.ts';
import { aTurn, errorOf, read, shown, type Suite } from './suite.ts';

/** The caller leaves. */
export function testAborts(suite: Suite): void {
  describe('a caller', () => {
    for (const [how, reason] of [
      ['without a reason', undefined],
      ['with an error', new Error('the page was closed')],
      ['with a string', 'the page was closed'],
    ] as const) {
      suite.testEnding('left before headers', {
        name: `left before headers ${how}`,
        start: () => startServer(hang),
        end(client, server) {
          const controller = new AbortController();
          void server.arrival().then(() => controller.abort(reason));
          return client.call({ url: server.url, signal: controller.signal });
        },
      });
    }

    test('that leaves after the whole response amends nothing', async () => {
      await using server = await startServer(status(200, 'whole'));
      const { client, outcomes } = suite.guarded();
      const controller = new AbortController();
      expect(await read(client, { url: server.url, signal: controller.signal })).toBe('whole');

      controller.abort();

      await aTurn();
      expect(outcomes).toEqual(['success 200']);
    });

    test('that left before it called is not admitted, and nothing is sent', async () => {
      await using server = await startServer(status(200));
      const { client, outcomes } = suite.guarded();
      for (const signal of [AbortSignal.abort(), AbortSignal.abort('gone')]) {
        const call = { url: server.url, signal };
        const bare = await errorOf(suite.client(undefined).call(call));

        expect(shown(await errorOf(client.call(call)))).toEqual(shown(bare));
      }

      expect(outcomes).toEqual([]);
      expect(server.requests).toEqual([]);
    });

    test('that left is told apart in a crowd: the others are counted as they end', async () => {
      const held = new HeldAnswers();
      await using server = await startServer(held.answer(status(200)));
      const { client, breaker, outcomes } = suite.guarded({ maxConcurrentCalls: 10 });
      const controllers = Array.from({ length: 10 }, () => new AbortController());
      const calls = controllers.map(({ signal }) => client.call({ url: server.url, signal }));
      const settled = Promise.allSettled(calls);
      await held.arrived(10);

      for (const controller of controllers.slice(0, 4)) controller.abort();
      await Promise.allSettled(calls.slice(0, 4));
      held.release();
      await settled;

      expect(outcomes.toSorted()).toEqual([
        ...Array<string>(4).fill('ignored cancel'),
        ...Array<string>(6).fill('success 200'),
      ]);
      expect(callsInFlight(breaker)).toEqual([0]);
    });

    test('may give 1,000 calls one signal, sent and refused ones', async () => {
      await using server = await startServer(status(200));
      const clock = new ManualClock();
      const { client, breaker, outcomes } = suite.guarded({ maxConcurrentCalls: 50 }, { clock });
      const { signal } = new AbortController();
      const call = { url: server.url, signal };

      await often(200, () => read(client, call));
      server.answer = status(503);
      await often(800, () => read(client, call).catch(isCallNotPermitted));

      expect(callsInFlight(breaker)).toEqual([0]);
      expect(outcomes.filter((outcome) => outcome === 'success 200')).toHaveLength(200);
      expect(outcomes.filter((outcome) => outcome === 'refused open').length).toBeGreaterThan(700);
    });

    test('finds no listener of the breaker on its signal after calls, sent or refused', async () => {
      await using server = await startServer(status(200));
      const { client, outcomes } = suite.guarded({ consecutiveFailureThreshold: 1 });

      const bare = await listenersLeft(suite.client(undefined), server.url);
      const sent = await listenersLeft(client, server.url);
      server.answer = status(503);
      await client.call({ url: server.url });
      const refused = await listenersLeft(client, server.url);

      expect(outcomes.slice(20)).toEqual([
        'failure 503',
        'closed to open',
        ...Array<string>(20).fill('refused open'),
      ]);
      // The client's own may go when they are collected, one or the other before this is read.
      expect(sent - bare).toBeLessThan(20);
      expect(refused - bare).toBeLessThan(20);
    });
  });

  describe('a timeout made by hand', () => {
    const abandoned = async (elapsed: number): Promise<string[]> => {
      const clock = new ManualClock();
      await using server = await startServer(hang);
      const rules = abandonedAfter(2000);
      const { client, breaker, outcomes } = suite.guarded({}, { clock, rules });
      const controller = new AbortController();
      clock.setTimer(() => controller.abort(), elapsed);
      const arrival = server.arrival();
      const error = errorOf(client.call({ url: server.url, signal: controller.signal }));
      await arrival;
      clock.advance(elapsed);
      await error;
      await aTurn();
      expect(callsInFlight(breaker)).toEqual([0]);
      return outcomes;
    };

    test('is a failure where the rules say after which time', async () => {
      expect(await abandoned(2001)).toEqual(['failure cancel']);
    });

    test('is a caller that leaves before', async () => {
      expect(await abandoned(2000)).toEqual(['ignored cancel']);
    });
  });
}

/** 50 at a time. */
async function often(times: number, run: () => Promise<unknown>): Promise<void> {
  let left = times;
  const runOn = async (): Promise<void> => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: 50 }, runOn));
}

/** How many more were added to one signal by 20 calls than removed. */
async function listenersLeft(client: ContractClient, url: string): Promise<number> {
  const { signal } = new AbortController();
  let left = 0;
  const counted =
    (step: 1 | -1, method: AbortSignal['addEventListener']): typeof method =>
    (...args: unknown[]) => {
      left += step;
      Reflect.apply(method, signal, args);
    };
  const { prototype } = EventTarget;
  signal.addEventListener = counted(1, Reflect.get(prototype, 'addEventListener'));
  signal.removeEventListener = counted(-1, Reflect.get(prototype, 'removeEventListener'));
  for (let call = 0; call < 20; call++) {
    await read(client, { url, signal }).catch(isCallNotPermitted);
  }
  await aTurn();
  return left;
}
