import { ManualClock } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { aRoundTrip, HalfBody, hang, startServer, status } from '@recloser/test-support/server';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { ContractClient, ContractReply, ContractRequest } from './contract.ts';
import { aTurn, errorOf, nextEvent, read, type Suite } from './suite.ts';

/** What becomes of a body, after good headers; and of an upload. */
export function testBodies(suite: Suite): void {
  const streams = suite.lack('streams') === undefined;

  /** Half a body arrives; then the test does something, and the caller reads on. */
  const readHalf = async (
    client: ContractClient,
    { url, half }: HalfServer,
    then: () => void,
    request: Partial<ContractRequest> = {},
  ): Promise<string> => {
    const called = client.call({ url, ...request });
    const text = called.then((reply) => reply.text());
    await half.sent;
    await (streams ? called : aRoundTrip());
    then();
    return await text;
  };

  describe('a body', () => {
    suite.testEnding('body shorter than its length', {
      needs: ['watched bodies'],
      start: () => startHalf(),
      end: (client, server) => readHalf(client, server, () => server.half.cut()),
    });

    suite.testEnding('chunked body cut', {
      needs: ['watched bodies'],
      start: () => startHalf({ 'transfer-encoding': 'chunked' }),
      end: (client, server) => readHalf(client, server, () => server.half.cut()),
    });

    suite.testEnding('body reset', {
      needs: ['watched bodies'],
      start: () => startHalf(),
      end: (client, server) => readHalf(client, server, () => server.half.reset()),
    });

    suite.testEnding('bad gzip', {
      needs: ['watched decoding'],
      start: () => startServer(status(200, 'this is no gzip', { 'content-encoding': 'gzip' })),
    });

    suite.testEnding('deadline in the body', {
      needs: ['watched bodies'],
      start: () => startHalf(),
      end(client, server) {
        const controller = new AbortController();
        const timeUp = new DOMException('as AbortSignal.timeout says it', 'TimeoutError');
        const { signal } = controller;
        return readHalf(client, server, () => controller.abort(timeUp), { signal });
      },
    });

    suite.testEnding('left in the body', {
      start: () => startHalf(),
      end(client, server) {
        const controller = new AbortController();
        const { signal } = controller;
        return readHalf(client, server, () => controller.abort(), { signal });
      },
    });

    const { settles = 'headers' } = suite.driver.capabilities;

    test(`that drips is ${settles === 'headers' ? 'no part' : 'a part'} of what a call takes`, async () => {
      const clock = new ManualClock();
      const half = new HalfBody();
      await using server = await startServer(half.answer);
      const { client, breaker } = suite.guarded({}, { clock });
      const success = nextEvent(breaker, 'success');
      const text = read(client, { url: server.url });

      await (settles === 'headers' ? success : half.sent);
      clock.advance(20_000);
      half.finish();

      expect(await text).toHaveLength(1000);
      expect(await success).toMatchObject({ elapsed: settles === 'headers' ? 0 : 20_000 });
      expect(callsInFlight(breaker)).toEqual([0]);
    });

    suite.test(
      'that nobody reads holds no permit',
      ['streams'],
      async () => {
        await using server = await startServer(new HalfBody().answer);
        const { client, breaker, outcomes } = suite.guarded();

        const unread = await client.call({ url: server.url });
        await client.call({ url: server.url }).then((reply) => reply.leave());

        expect(outcomes).toEqual(['success 200', 'success 200']);
        expect(callsInFlight(breaker)).toEqual([0]);
        await unread.leave();
      },
      async () => {
        const half = new HalfBody();
        await using server = await startServer(half.answer);
        const { client, breaker } = suite.guarded();
        const replies: ContractReply[] = [];
        const called = client.call({ url: server.url }).then((reply) => replies.push(reply));

        await half.sent;
        await aTurn();
        expect(replies).toEqual([]);
        half.finish();
        await called;

        expect(callsInFlight(breaker)).toEqual([0]);
      },
    );

    suite.test(
      'that the consumer leaves half way stays a success',
      ['streams'],
      async () => {
        const half = new HalfBody();
        await using server = await startServer(half.answer);
        const { client, breaker, outcomes } = suite.guarded();

        const reply = await client.call({ url: server.url });
        await reply.leave();

        await half.left();
        await aTurn();
        expect(outcomes).toEqual(['success 200']);
        expect(callsInFlight(breaker)).toEqual([0]);
      },
      async () => {
        await using server = await startServer(status(200, 'whole'));
        const { client, outcomes } = suite.guarded();

        await client.call({ url: server.url }).then((reply) => reply.leave());

        expect(outcomes).toEqual(['success 200']);
      },
    );

    test('of events that stays open holds no permit once the caller has left it', async () => {
      const events = new HalfBody({
        'content-type': 'text/event-stream',
        'transfer-encoding': 'chunked',
      });
      await using server = await startServer(events.answer);
      const { client, breaker, outcomes } = suite.guarded();
      const controller = new AbortController();

      const called = client.call({ url: server.url, signal: controller.signal });
      const ended = errorOf(called.then((reply) => reply.text()));
      await events.sent;
      await (streams ? called : aRoundTrip());
      if (settles === 'headers') expect(callsInFlight(breaker)).toEqual([0]);
      controller.abort();

      await ended;
      await events.left();
      await aTurn();
      expect(outcomes).toEqual(suite.outcomesOf('left in the body'));
      expect(callsInFlight(breaker)).toEqual([0]);
    });
  });

  describe('an upload', () => {
    suite.testEnding('upload not found', {
      start: () => startServer(hang),
      end: (client, { url }) => client.call({ url, method: 'POST', body: missing() }),
    });

    suite.testEnding('upload fails', {
      start: () => startServer(hang),
      end: (client, { url }) =>
        client.call({ url, method: 'POST', body: Readable.from(failing()) }),
    });
  });
}

function missing(): Readable {
  return new Readable({
    read() {
      const text = 'ENOENT: no such file or directory';
      this.destroy(Object.assign(new Error(text), { code: 'ENOENT' }));
    },
  });
}

async function* failing(): AsyncGenerator<string> {
  yield 'the first part';
  throw new Error('the file can not be read on');
}

interface HalfServer extends AsyncDisposable {
  readonly url: string;
  readonly half: HalfBody;
}

async function startHalf(headers?: ConstructorParameters<typeof HalfBody>[0]): Promise<HalfServer> {
  const half = new HalfBody(headers);
  return Object.assign(await startServer(half.answer), { half });
}
