import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startServer, type TestServer } from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import { toNodeHandler, type AdminHandler } from '../src/index.ts';
import { open, setUpAdmin } from './admin-setup.ts';
import { EventReader } from './event-source.ts';

const order = JSON.stringify({ action: 'disable', pattern: '*', reason: 'a test' });
const json = { 'content-type': 'application/json' };

async function serve(handler: AdminHandler): Promise<TestServer> {
  return await startServer(toNodeHandler(handler));
}

function socketTo({ url }: TestServer): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1');
}

/** Sends bytes as they are, and answers with what comes until the connection is closed. */
async function raw(server: TestServer, text: string): Promise<string> {
  const socket = socketTo(server);
  socket.setEncoding('utf8').write(text);
  let answer = '';
  socket.on('data', (chunk: string) => (answer += chunk));
  await once(socket, 'close');
  return answer;
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

function get(target: string, headers: string = 'host: admin.test'): string {
  return `GET ${target} HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`;
}

describe('a server of Node', () => {
  test('has the page, the API and the operator’s hand', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');
    await using server = await serve(admin.handler);

    const page = await fetch(server.url);
    const list = await fetch(`${server.url}/api/breakers`);
    const act = await fetch(`${server.url}/api/control`, {
      method: 'POST',
      body: order,
      headers: json,
    });
    const head = await fetch(`${server.url}/api/breakers`, { method: 'HEAD' });

    expect(await page.text()).toMatch(/^<!doctype html>/i);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await list.json()).toMatchObject({ breakers: [{ state: 'open', health: 'degraded' }] });
    expect(await act.json()).toEqual({ moved: ['https://down.example.com'], skipped: [] });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('streams what happens, and notices when a client goes', async () => {
    const admin = setUpAdmin();
    await using server = await serve(admin.handler);
    const client = new AbortController();
    const response = await fetch(`${server.url}/api/live`, { signal: client.signal });
    const reader = new EventReader(response);
    await reader.nextOf('breakers');

    open(admin, 'down.example.com');
    expect(await reader.nextOf('recent')).toMatchObject({ type: 'stateTransition' });
    expect(admin.clock.timers).toBe(2);

    client.abort();
    await expect.poll(() => admin.clock.timers).toBe(0);
  });

  test('tells authorize by the signal that the client went', async () => {
    const client = new AbortController();
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let hasGone = (): void => {};
    const gone = new Promise<void>((resolve) => (hasGone = resolve));
    const admin = setUpAdmin({
      authorize: async ({ signal }) => {
        signal.addEventListener('abort', hasGone);
        isAsked();
        await gone;
        return false;
      },
    });
    await using server = await serve(admin.handler);

    const answer = fetch(server.url, { signal: client.signal });
    await asked;
    client.abort();

    await expect(answer).rejects.toThrow('aborted');
    await gone;
  });

  test('cancels the body of an answer when the client goes', async () => {
    let cancel = (): void => {};
    const cancelled = new Promise<void>((resolve) => (cancel = resolve));
    await using server = await serve(
      async () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new Uint8Array(1)),
            cancel,
          }),
        ),
    );
    const socket = socketTo(server);
    socket.write(get('/'));
    await once(socket, 'data');

    socket.destroy();

    await cancelled;
  });

  test('holds back for a client that does not read', async () => {
    const admin = setUpAdmin();
    for (let host = 0; host < 500; host++) admin.call(`h${host}.example.com`, 200);
    open(admin, 'down.example.com');
    let outgoing: ServerResponse | undefined;
    const handler = toNodeHandler(admin.handler);
    await using server = await startServer((incoming, response) => {
      outgoing = response;
      handler(incoming, response);
    });
    const socket = socketTo(server);
    socket.pause();
    socket.write(get('/api/live'));
    await server.arrival();

    let most = 0;
    for (let step = 0; step < 200; step++) {
      admin.clock.advance(5000);
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, outgoing!.writableLength);
    }
    socket.destroy();

    // 200 lists of 300 kB would be 60 MB.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(2_000_000);
    await expect.poll(() => admin.clock.timers).toBe(0);
  });

  test('serves a hundred streams at once, and has none left when they are gone', async () => {
    const admin = setUpAdmin();
    await using server = await serve(admin.handler);
    const client = new AbortController();
    const readers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await fetch(`${server.url}/api/live`, { signal: client.signal });
        return new EventReader(response);
      }),
    );
    await Promise.all(readers.map(async (reader) => await reader.nextOf('breakers')));

    open(admin, 'down.example.com');
    const events = await Promise.all(readers.map(async (reader) => await reader.nextOf('recent')));

    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(1);
    client.abort();
    await expect.poll(() => admin.clock.timers).toBe(0);
  });
});

describe('a path', () => {
  test.each([
    ['/ops/api/health', 200],
    ['/ops/api/health?x=1', 200],
    // What guards a path in front of it may see another one in these.
    ['/x/../ops/api/health', 400],
    ['/x/%2e%2E/ops/api/health', 400],
    ['/./ops/api/health', 400],
    ['/ops\\api/health', 400],
    ['http://evil.example/x/../ops/api/health', 400],
    ['/ops/api/health#x', 400],
    ['/ops/%2e%2e/api/health', 400],
    ["/ops/api/health?x='<\\../", 200],
    ['/ops/%61pi/health', 404],
    ['//ops/api/health', 404],
    ['//evil.example/ops/api/health', 404],
    ['http://evil.example/ops/api/health', 200],
    ['HTTP://evil.example//ops/api/health', 404],
    ['http://evil.example', 404],
    ['http://evil.example?x', 404],
    ['http://[', 404],
    ['/\\evil.example/ops/api/health', 400],
    ['/api/health', 404],
    ['/ops/..%2fapi/health', 404],
    ['/ops/%', 404],
  ])('of %s is answered with a %i', async (target, status) => {
    await using server = await serve(setUpAdmin({ basePath: '/ops' }).handler);

    expect(statusOf(await raw(server, get(target)))).toBe(status);
  });

  test.each(['x/ops/api/health?', 'x#', 'user@x', '[', '', 'x\\ops', 'x:99999'])(
    'is not to be found in a Host of %o',
    async (host) => {
      await using server = await serve(setUpAdmin({ basePath: '/ops' }).handler);

      expect(statusOf(await raw(server, get('/public', `host: ${host}`)))).toBe(404);
      expect(statusOf(await raw(server, get('/ops/api/health', `host: ${host}`)))).toBe(200);
    },
  );

  test('of an asterisk, or of an unknown method, has nothing', async () => {
    await using server = await serve(setUpAdmin().handler);
    const of = async (line: string): Promise<number> =>
      statusOf(await raw(server, `${line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`));

    expect(await of('OPTIONS *')).toBe(404);
    expect(await of('PROPFIND /')).toBe(405);
    expect(await of('TRACE /')).toBe(400);
    expect(statusOf(await raw(server, 'GET /api/health HTTP/1.0\r\n\r\n'))).toBe(200);
  });
});

describe('what a request says of itself', () => {
  test('is what authorize gets, the first of headers that come twice', async () => {
    const seen: (readonly [string, string | null, string | null])[] = [];
    const admin = setUpAdmin({
      authorize: (request) => {
        const { headers, url } = request;
        seen.push([url, headers.get('authorization'), headers.get('x-forwarded-host')]);
        return true;
      },
    });
    await using server = await serve(admin.handler);

    const headers =
      'host: admin.test:81\r\nauthorization: a\r\nauthorization: b\r\nx-forwarded-host: c';
    await raw(server, get('/api/health?a=%20', headers));

    await raw(server, get('http://evil.example/api/health', 'host: admin.test'));

    expect(seen).toEqual([
      ['http://admin.test:81/api/health?a=%20', 'a', 'c'],
      ['http://admin.test/api/health', null, null],
    ]);
  });

  test('is not believed where it is about another host', async () => {
    const admin = setUpAdmin();
    await using server = await serve(admin.handler);
    const post = async (headers: string): Promise<number> =>
      statusOf(
        await raw(
          server,
          `POST /api/control HTTP/1.1\r\nhost: admin.test\r\n${headers}\r\n` +
            `content-type: application/json\r\ncontent-length: ${order.length}\r\n` +
            `connection: close\r\n\r\n${order}`,
        ),
      );

    expect(await post('origin: http://evil.example\r\nx-forwarded-host: evil.example')).toBe(403);
    expect(await post('origin: http://evil.example\r\nforwarded: host=evil.example')).toBe(403);
    expect(admin.breaker.snapshot().orders).toEqual([]);
    expect(await post('origin: http://admin.test')).toBe(200);
  });
});

describe('a body', () => {
  const head = 'POST /api/control HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';

  test('in chunks beyond the limit is refused while it still comes', async () => {
    const admin = setUpAdmin();
    await using server = await serve(admin.handler);
    const socket = socketTo(server);
    socket.setEncoding('utf8');

    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    for (let chunk = 0; chunk < 20; chunk++) socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`);
    const [answer] = (await once(socket, 'data')) as [string];
    expect(statusOf(answer)).toBe(413);
    expect(admin.clock.timers).toBe(0);

    // The rest of it is read, and so is what comes next on the same connection.
    for (let chunk = 0; chunk < 500; chunk++) socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`);
    socket.write(`0\r\n\r\n${get('/api/health')}`);
    let next = '';
    socket.on('data', (chunk: string) => (next += chunk));
    await once(socket, 'close');
    expect(next).toMatch(/HTTP\/1\.1 200 OK/);
  });

  test('comes no faster than it is read, and is thrown away where it is not', async () => {
    const paused: boolean[] = [];
    let arrived: IncomingMessage | undefined;
    const handler = toNodeHandler(async ({ body }) => {
      const reader = body?.getReader();
      await reader?.read();
      paused.push(arrived!.isPaused());
      await reader?.cancel();
      return new Response('');
    });
    await using server = await startServer((incoming, outgoing) => {
      arrived = incoming;
      handler(incoming, outgoing);
    });

    const body = 'x'.repeat(1_000_000);
    const answer = await raw(
      server,
      `${head}content-length: ${body.length}\r\n\r\n${body}${get('/')}`,
    );

    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(paused[0]).toBe(true);
  });

  test('of who is not allowed is thrown away, and what comes next is answered', async () => {
    const admin = setUpAdmin({ authorize: ({ method }) => method === 'GET' });
    await using server = await serve(admin.handler);
    const body = 'x'.repeat(200_000);

    const answer = await raw(
      server,
      `${head}content-length: ${body.length}\r\n\r\n${body}${get('/api/health')}`,
    );

    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200']);
  });

  test('that stalls ends the connection after 10 s', async () => {
    const admin = setUpAdmin();
    await using server = await serve(admin.handler);

    const answer = raw(server, `${head}content-length: 100\r\n\r\n{`);
    await expect.poll(() => admin.clock.timers).toBe(1);
    admin.clock.advance(10_000);

    expect(statusOf(await answer)).toBe(408);
    expect(admin.clock.timers).toBe(0);
  });

  test('that breaks off is no order, and leaves nothing behind', async () => {
    const admin = setUpAdmin();
    await using server = await serve(admin.handler);
    const socket = socketTo(server);

    socket.write(`${head}content-length: ${order.length + 1}\r\n\r\n${order}`);
    await expect.poll(() => admin.clock.timers).toBe(1);
    socket.destroy();

    await expect.poll(() => admin.clock.timers).toBe(0);
    expect(admin.breaker.snapshot().orders).toEqual([]);
  });

  test('that broke off before authorize reads it is an error for that', async () => {
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let tell!: (text: Promise<string>) => void;
    const told = new Promise<string>((resolve) => (tell = resolve));
    const admin = setUpAdmin({
      authorize: async (request) => {
        isAsked();
        await once(request.signal, 'abort');
        tell(request.clone().text());
        return true;
      },
    });
    await using server = await serve(admin.handler);
    const socket = socketTo(server);
    socket.write(`${head}content-length: 100\r\n\r\n{`);
    await asked;

    socket.destroy();

    await expect(told).rejects.toThrow('the client went');
  });

  test('of a GET is not read', async () => {
    await using server = await serve(setUpAdmin().handler);

    const answer = await raw(server, get('/api/health', 'host: a\r\ncontent-length: 3') + 'abc');

    expect(statusOf(answer)).toBe(200);
  });

  test.each([
    ['an object', JSON.parse(order) as unknown, 200],
    ['text', order, 200],
    ['bytes', Buffer.from(order), 200],
    ['nothing', undefined, 400],
  ])('that was parsed before is taken from request.body: %s', async (_, body, status) => {
    const handler = toNodeHandler(setUpAdmin().handler);
    await using server = await startServer((incoming, outgoing) => {
      incoming.resume().once('end', () => {
        handler(Object.assign(incoming, { body }) as IncomingMessage, outgoing);
      });
    });

    const init = { method: 'POST', body: order, headers: json };
    const response = await fetch(`${server.url}/api/control`, init);

    expect(response.status).toBe(status);
    if (status === 200) return;
    expect(await response.json()).toEqual({
      error:
        'the body could not be read: it was read before the handler and is not in request.body; ' +
        'mount the handler before what parses bodies',
    });
  });
});

describe('a handler that fails', () => {
  test('is no function, and is named', () => {
    expect(() => toNodeHandler({} as unknown as AdminHandler)).toThrow(
      'toNodeHandler: handler must be a function, but is an object',
    );
  });

  test('ends the connection, and harms no other request', async () => {
    let isBroken = true;
    await using server = await serve(async () => {
      if (isBroken) throw new Error('no');
      return new Response('yes');
    });

    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    isBroken = false;
    expect(await (await fetch(server.url)).text()).toBe('yes');
  });

  test('in the middle of a body breaks it off', async () => {
    await using server = await serve(
      async () =>
        new Response(
          new ReadableStream(
            {
              start: (controller) => controller.enqueue(new Uint8Array(3)),
              pull: () => {
                throw new Error('no');
              },
            },
            { highWaterMark: 2 },
          ),
        ),
    );

    await expect((async () => await (await fetch(server.url)).text())()).rejects.toThrow(
      'terminated',
    );
  });
});
