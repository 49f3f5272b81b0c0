import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startServer, type TestServer } from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import { toNodeHandler, type AdminHandler } from '../src/index.ts';
import { setUpAdmin } from './admin-setup.ts';

/** A server that shows the latest response that it gives, in which somebody else may meddle. */
async function serve(
  handler: AdminHandler,
  meddle: (outgoing: ServerResponse) => void = () => {},
): Promise<{ readonly server: TestServer; readonly outgoing: () => ServerResponse }> {
  const answer = toNodeHandler(handler);
  let latest: ServerResponse | undefined;
  const server = await startServer((incoming, outgoing) => {
    latest = outgoing;
    answer(incoming, outgoing);
    meddle(outgoing);
  });
  return { server, outgoing: () => latest! };
}

/** Asks, and reads nothing. */
async function askWithoutReading(server: TestServer): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
  socket.write('GET /api/live HTTP/1.1\r\nhost: a\r\n\r\n');
  await server.arrival();
  return socket;
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a response that somebody else', () => {
  test('has begun is left to them, and nothing stays behind', async () => {
    let allow!: (answer: boolean) => void;
    const authorize = async (): Promise<boolean> =>
      await new Promise((resolve) => (allow = resolve));
    const admin = setUpAdmin({ authorize });
    const { server, outgoing } = await serve(admin.handler, (response) => {
      response.writeHead(503).write('one ');
    });
    await using _ = server;

    const response = await fetch(`${server.url}/api/live`);
    allow(true);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    outgoing().end('two');

    expect([response.status, await response.text()]).toEqual([503, 'one two']);
    expect(admin.clock.timers).toBe(0);
  });

  test('ends in the middle is written to no more', async () => {
    let controller: ReadableStreamDefaultController | undefined;
    const body = new ReadableStream({ start: (given) => void (controller = given) });
    const { server, outgoing } = await serve(async () => new Response(body));
    await using _ = server;
    const socket = await askWithoutReading(server);
    const response = outgoing();
    const errors: unknown[] = [];
    response.on('error', (error) => errors.push(error));
    do {
      controller!.enqueue(new Uint8Array(10_000));
      await nextTurn();
    } while (response.writableLength === 0);

    response.end();
    controller!.enqueue(new Uint8Array(1));
    await nextTurn();
    socket.destroy();
    await once(response, 'close');

    expect(errors).toEqual([]);
  });
});

test('a client that never reads is cut off when its stream ends', async () => {
  const admin = setUpAdmin();
  for (let host = 0; host < 500; host++) admin.call(`h${host}.example.com`, 503);
  const { server, outgoing } = await serve(admin.handler);
  await using _ = server;
  const socket = await askWithoutReading(server);
  const response = outgoing();
  while (!response.writableNeedDrain) {
    admin.breaker.control('*').disable({ reason: 'a test' });
    admin.clock.advance(1000);
    await nextTurn();
  }
  admin.clock.advance(5000);
  const isClosed = once(response, 'close');

  admin.clock.advance(900_000);

  await isClosed;
  expect(admin.clock.timers).toBe(0);
  socket.destroy();
});
