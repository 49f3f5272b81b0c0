import {
  closeBeforeHeaders,
  garbage,
  hang,
  refusingUrl,
  resetBeforeHeaders,
  startServer,
  status,
  type Answer,
} from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import { strangeCertificate, trustedCertificate } from './certificates.ts';
import { nobodyAt, read, type Suite } from './suite.ts';

/** Endings without a response, and the connections on which there is one. */
export function testConnections(suite: Suite): void {
  describe('no response', () => {
    suite.testEnding('nobody listens', { start: () => nobodyAt(refusingUrl()) });

    suite.testEnding('no such host', { start: () => nobodyAt('http://nonexistent.invalid/') });

    suite.testEnding('certificate not trusted', {
      async start() {
        await trustedCertificate();
        return startServer(status(200), { tls: await strangeCertificate() });
      },
    });

    suite.testEnding('deadline before headers', {
      start: () => startServer(hang),
      end(client, server) {
        const controller = new AbortController();
        const timeUp = new DOMException('as AbortSignal.timeout says it', 'TimeoutError');
        void server.arrival().then(() => controller.abort(timeUp));
        return read(client, { url: server.url, signal: controller.signal });
      },
    });

    suite.testEnding('closed before headers', { start: () => startServer(closeBeforeHeaders) });

    suite.testEnding('reset before headers', { start: () => startServer(resetBeforeHeaders) });

    suite.testEnding('no HTTP', { start: () => startServer(garbage) });

    test(`${suite.title('kept connection reset', [], 'kept connection reset')}`, async () => {
      await using server = await startServer(resetWhenReused());
      const { client, outcomes } = suite.guarded();

      for (let call = 0; call < 10 && !outcomes.at(-1)?.startsWith('failure'); call++) {
        await read(client, { url: server.url }).catch(() => undefined);
      }

      const firstUses = outcomes.filter((outcome) => outcome === 'success 200');
      expect(outcomes.slice(firstUses.length)).toEqual(suite.outcomesOf('kept connection reset'));
      expect(server.requests).toHaveLength(outcomes.length);
    });
  });

  describe('a connection', () => {
    test('that is kept counts each response that comes over it', async () => {
      await using server = await startServer(status(200, 'kept alive'));
      const { client, outcomes } = suite.guarded();

      for (let call = 0; call < 3; call++) {
        expect(await read(client, { url: server.url })).toBe('kept alive');
      }

      expect(outcomes).toEqual(['success 200', 'success 200', 'success 200']);
    });

    test('over TLS counts as any other, under the key of its scheme', async () => {
      const tls = await trustedCertificate();
      await using server = await startServer(status(200, 'secret'), { tls });
      const { client, breaker, outcomes } = suite.guarded();

      expect(await read(client, { url: server.url })).toBe('secret');
      server.answer = status(503);
      await client.call({ url: server.url });

      expect(outcomes).toEqual(['success 200', 'failure 503']);
      expect(breaker.find(`GET ${server.url}/`)?.metrics().callsInFlight).toBe(0);
    });
  });
}

/** The first request on each connection is answered, the second resets it. */
function resetWhenReused(): Answer {
  const used = new WeakSet();
  return (request, response) => {
    const { socket } = request;
    if (used.has(socket)) resetBeforeHeaders(request, response);
    else response.end('first use', () => used.add(socket));
  };
}
