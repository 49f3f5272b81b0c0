import { isCallNotPermitted } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import {
  hang,
  startServer,
  status,
  type Answer,
  type TestServer,
} from '@recloser/test-support/server';
import { constants, type Http2ServerResponse } from 'node:http2';
import { describe, expect } from 'vitest';
import { trustedCertificate } from './certificates.ts';
import { errorOf, read, type Guarded, type Suite } from './suite.ts';

const made = { http2: true };

export function testHttp2(suite: Suite): void {
  const start = async (answer: Answer): Promise<TestServer> =>
    startServer(answer, { tls: await trustedCertificate(), http2: true });
  const guarded = (options = {}): Guarded => suite.guarded(options, {}, made);
  const isSpoken = suite.lack('http2') === undefined;

  describe('HTTP/2', () => {
    suite.test(
      'counts as HTTP/1.1 does, many calls over one connection',
      ['http2'],
      async () => {
        await using server = await start((request, response) => {
          response.writeHead(request.url === '/down' ? 503 : 200).end(request.httpVersion);
        });
        const { client, breaker, outcomes } = guarded({ maxConcurrentCalls: 20 });
        const url = (call: number): string => `${server.url}${call % 2 === 0 ? '/up' : '/down'}`;

        const calls = Array.from({ length: 10 }, (_, call) => read(client, { url: url(call) }));

        expect(await Promise.all(calls)).toEqual(Array(10).fill('2.0'));
        expect(outcomes.toSorted()).toEqual([
          ...Array<string>(5).fill('failure 503'),
          ...Array<string>(5).fill('success 200'),
        ]);
        expect(callsInFlight(breaker)).toEqual([0, 0]);
      },
      async () => {
        await using server = await start(status(200));
        const { client, breaker, outcomes } = guarded();

        const ending = client.call({ url: server.url }).then(({ status: code }) => code, String);

        expect(await ending).not.toBe(200);
        expect(outcomes).toHaveLength(1);
        expect(callsInFlight(breaker)).toEqual([0]);
        expect(server.requests).toEqual([]);
      },
    );

    // Without HTTP/2 the first test has said all.
    for (const declare of isSpoken ? [testRefusal, testEndings] : []) declare();
  });

  function testRefusal(): void {
    suite.test('is refused without traffic by an open breaker', ['http2'], async () => {
      await using server = await start(status(503));
      const { client, outcomes } = guarded({ consecutiveFailureThreshold: 1 });
      await client.call({ url: server.url });

      expect(isCallNotPermitted(await errorOf(client.call({ url: server.url })))).toBe(true);

      expect(outcomes).toEqual(['failure 503', 'closed to open', 'refused open']);
      expect(server.requests).toHaveLength(1);
    });
  }

  function testEndings(): void {
    suite.testEnding('HTTP/2 stream reset', {
      made,
      start: () => start((_, response) => streamOf(response).close(INTERNAL_ERROR)),
    });

    suite.testEnding('HTTP/2 connection closed', {
      made,
      start: () => start((_, response) => streamOf(response).session?.destroy()),
    });

    suite.testEnding('left before headers', {
      made,
      start: () => start(hang),
      end(client, server) {
        const controller = new AbortController();
        void server.arrival().then(() => controller.abort());
        return client.call({ url: server.url, signal: controller.signal });
      },
    });
  }
}

const INTERNAL_ERROR = constants.NGHTTP2_INTERNAL_ERROR;

function streamOf(response: unknown): Http2ServerResponse['stream'] {
  return (response as Http2ServerResponse).stream;
}
