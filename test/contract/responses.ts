import { honestRetryAfter, isCallNotPermitted, ManualClock } from '@recloser/core';
import { callsInFlight } from '@recloser/test-support/outcomes';
import { redirect, routes, startServer, status } from '@recloser/test-support/server';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { errorOf, nextEvent, read, type Suite } from './suite.ts';

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

/** What a response says by its status and its headers. */
export function testResponses(suite: Suite): void {
  describe('a response', () => {
    test.for([
      [200, 'success'],
      [201, 'success'],
      [204, 'success'],
      [304, 'success'],
      [400, 'success'],
      [401, 'success'],
      [404, 'success'],
      [408, 'failure'],
      [429, 'failure'],
      [500, 'failure'],
      [501, 'success'],
      [503, 'failure'],
      [505, 'success'],
    ] as const)('with status %d is one %s, and the caller gets it', async ([code, outcome]) => {
      await using server = await startServer(status(code, code === 204 ? '' : 'a body'));
      const { client, breaker, outcomes } = suite.guarded();

      const reply = await client.call({ url: server.url });

      expect(reply.status).toBe(code);
      expect(outcomes).toEqual([`${outcome} ${code}`]);
      expect(callsInFlight(breaker)).toEqual([0]);
      if (code !== 204 && code !== 304) expect(await reply.text()).toBe('a body');
      expect(outcomes).toEqual([`${outcome} ${code}`]);
      expect(server.requests).toEqual(['GET /']);
    });

    test('to HEAD is judged by its status, under a key of its own', async () => {
      await using server = await startServer((request, response) => {
        const code = request.method === 'HEAD' ? 503 : 200;
        response.writeHead(code, { 'content-length': '1000' });
        response.end(Buffer.alloc(request.method === 'HEAD' ? 0 : 1000));
      });
      const { client, breaker, outcomes } = suite.guarded();

      expect(await read(client, { url: server.url, method: 'HEAD' })).toBe('');
      expect(await read(client, { url: server.url })).toHaveLength(1000);

      expect(outcomes).toEqual(['failure 503', 'success 200']);
      expect(callsInFlight(breaker)).toEqual([0, 0]);
    });

    test('to an upload counts once, and the server gets the body', async () => {
      const bodies: string[] = [];
      await using server = await startServer((request, response) => {
        void text(request).then((body) => {
          bodies.push(body);
          response.writeHead(201).end();
        });
      });
      const { client, outcomes } = suite.guarded();

      await client.call({ url: server.url, method: 'POST', body: 'the upload' });

      expect(bodies).toEqual(['the upload']);
      expect(outcomes).toEqual(['success 201']);
    });

    test('with slow headers took until they were there', async () => {
      const clock = new ManualClock();
      await using server = await startServer(({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        clock.advance(5000);
        socket.write('content-length: 2\r\n\r\nok');
      });
      const { client, breaker } = suite.guarded({ slowCallDurationThreshold: 4999 }, { clock });
      const success = nextEvent(breaker, 'success');

      await read(client, { url: server.url });

      expect(await success).toMatchObject({ elapsed: 5000, status: 200 });
      expect(breaker.snapshot().breakers).toMatchObject([{ numberOfSlowCalls: 1 }]);
    });

    suite.testEnding('103 Early Hints', {
      start: () =>
        startServer((_, response) => {
          response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
          response.end('after the hints');
        }),
    });

    suite.testEnding('100 Continue', {
      start: () =>
        startServer((_, response) => {
          response.writeContinue();
          response.end('continued');
        }),
    });

    suite.testEnding('101 without having been asked', {
      start: () => startServer(({ socket }) => socket.end(SWITCHING)),
    });
  });

  describe('a redirect', () => {
    const { redirects = 'attempt' } = suite.driver.capabilities;

    suite.test(
      'to a failure is a failure',
      ['redirects'],
      async () => {
        await using server = await startServer(
          routes({ '/old': redirect('/new'), '/new': status(503, 'down') }),
        );
        const { client, breaker, outcomes } = suite.guarded();

        const reply = await client.call({ url: `${server.url}/old` });

        expect(reply.status).toBe(503);
        expect(server.requests).toEqual(['GET /old', 'GET /new']);
        const hops = redirects === 'hop' ? ['success 302'] : [];
        expect(outcomes).toEqual([...hops, 'failure 503']);
        expect(callsInFlight(breaker).every((calls) => calls === 0)).toBe(true);
        // One attempt speaks for where it was sent to.
        expect(breaker.find(`GET ${server.url}/new`) === undefined).toBe(redirects === 'attempt');
      },
      async () => {
        await using server = await startServer(redirect('/new'));
        const { client, outcomes } = suite.guarded();

        expect((await client.call({ url: server.url })).status).toBe(302);
        expect(outcomes).toEqual(['success 302']);
      },
    );

    test('that is not followed is a success', async () => {
      await using server = await startServer(redirect('/new'));
      const { client, outcomes } = suite.guarded();

      const reply = await client.call({ url: server.url, redirect: 'manual' });

      expect(reply.status).toBe(302);
      expect(outcomes).toEqual(['success 302']);
      expect(server.requests).toEqual(['GET /']);
    });

    suite.testEnding('redirect loop', {
      needs: ['redirects'],
      start: () => startServer(redirect('/')),
    });
  });

  describe('Retry-After', () => {
    const answer = status(503, '', { 'retry-after': '60' });

    test('makes a breaker that opens wait as long as it says', async () => {
      const clock = new ManualClock();
      await using server = await startServer(answer);
      const { client, outcomes } = suite.guarded(
        { consecutiveFailureThreshold: 2, waitDurationInOpenState: 1000 },
        { clock },
      );
      await client.call({ url: server.url });
      await client.call({ url: server.url });
      server.answer = status(200);

      clock.advance(59_999);
      expect(isCallNotPermitted(await errorOf(client.call({ url: server.url })))).toBe(true);
      clock.advance(2);
      await client.call({ url: server.url });

      expect(outcomes).toEqual([
        'failure 503',
        'failure 503',
        'closed to open',
        'refused open',
        'open to half-open',
        'success 200',
      ]);
    });

    test('holds the breaker at the first response where the rules believe it', async () => {
      const clock = new ManualClock();
      await using server = await startServer(answer);
      const { client, breaker, outcomes } = suite.guarded({}, { clock, rules: honestRetryAfter });
      const held = nextEvent(breaker, 'held');

      expect((await client.call({ url: server.url })).status).toBe(503);
      expect(isCallNotPermitted(await errorOf(client.call({ url: server.url })))).toBe(true);

      expect(await held).toMatchObject({ holdFor: 60_000, status: 503 });
      expect(outcomes).toEqual(['closed to open', 'refused held']);
      expect(callsInFlight(breaker)).toEqual([0]);
      expect(server.requests).toHaveLength(1);
    });
  });
}
