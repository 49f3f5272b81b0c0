import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { toNodeHandler, type AdminHandler } from '../src/index.ts';
import { open, setUpAdmin } from './admin-setup.ts';
import { EventReader } from './event-source.ts';

interface Running extends AsyncDisposable {
  readonly url: string;
}

async function listening(server: Server): Promise<Running> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function serveExpress(
  handler: AdminHandler,
  ...before: readonly express.Handler[]
): Promise<Running> {
  const app = express();
  for (const each of before) app.use(each);
  app.use('/breakers', toNodeHandler(handler));
  app.use((_, response) => void response.status(418).end());
  return await listening(createServer(app));
}

async function serveFastify(handler: AdminHandler): Promise<Running> {
  const app = fastify();
  const answer = toNodeHandler(handler);
  const onRequest = async (
    request: { readonly raw: Parameters<typeof answer>[0] },
    reply: { hijack(): unknown; readonly raw: Parameters<typeof answer>[1] },
  ): Promise<void> => {
    reply.hijack();
    answer(request.raw, reply.raw);
  };
  for (const url of ['/breakers', '/breakers/*']) app.all(url, { onRequest }, () => {});
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

async function serveHono(handler: AdminHandler): Promise<Running> {
  const app = new Hono();
  app.all('/breakers/*', async ({ req }) => await handler(req.raw));
  return await listening(createAdaptorServer({ fetch: app.fetch }) as Server);
}

const order = JSON.stringify({ action: 'disable', pattern: '*', reason: 'a test' });
const post = { method: 'POST', body: order, headers: { 'content-type': 'application/json' } };

describe.each([
  ['Express', serveExpress],
  [
    'Express, with a parser of bodies in front',
    async (handler: AdminHandler) => await serveExpress(handler, express.json(), express.text()),
  ],
  ['Fastify', serveFastify],
  ['Hono', serveHono],
] as const)('within %s', (_, serve) => {
  test('the page is with a slash at its end and without', async () => {
    await using server = await serve(setUpAdmin({ basePath: '/breakers' }).handler);

    for (const path of ['/breakers', '/breakers/']) {
      const response = await fetch(server.url + path, { redirect: 'error' });
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await response.text()).toMatch(/^<!doctype html>/i);
    }
  });

  test('the API answers', async () => {
    const admin = setUpAdmin({ basePath: '/breakers' });
    open(admin, 'down.example.com');
    await using server = await serve(admin.handler);
    const ask = async (path: string, init?: RequestInit): Promise<Response> =>
      await fetch(`${server.url}/breakers/api/${path}`, init);

    expect(await (await ask('breakers')).json()).toEqual(
      await admin.read('/breakers/api/breakers'),
    );
    expect((await ask('breaker?key=https%3A%2F%2Fdown.example.com')).status).toBe(200);
    expect((await ask('breaker?key=nothing')).status).toBe(404);
    expect((await ask('nothing')).status).toBe(404);
    expect((await ask('health', { method: 'HEAD' })).status).toBe(200);
    const options = await ask('health', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('an order is carried out', async () => {
    const admin = setUpAdmin({ basePath: '/breakers' });
    open(admin, 'down.example.com');
    await using server = await serve(admin.handler);
    const url = `${server.url}/breakers/api/control`;

    const response = await fetch(url, post);

    expect(await response.json()).toEqual({ moved: ['https://down.example.com'], skipped: [] });
    expect(admin.breaker.snapshot().orders).toHaveLength(1);
    const long = await fetch(url, { ...post, body: order.padEnd(20_000) });
    expect([long.status, admin.breaker.snapshot().orders.length]).toEqual([413, 1]);
    const elsewhere = { ...post.headers, origin: 'https://evil.example' };
    expect((await fetch(url, { ...post, headers: elsewhere })).status).toBe(403);
  });

  test('who is not allowed gets nothing', async () => {
    const authorize = (): boolean => false;
    await using server = await serve(setUpAdmin({ basePath: '/breakers', authorize }).handler);

    for (const [path, init] of [
      ['/breakers'],
      ['/breakers/api/live'],
      ['/breakers/api/control', post],
    ] as const) {
      const response = await fetch(server.url + path, init);
      expect([response.status, await response.json()]).toEqual([403, { error: 'forbidden' }]);
    }
  });

  test('events arrive as they happen, and a client that goes is noticed', async () => {
    const admin = setUpAdmin({ basePath: '/breakers' });
    await using server = await serve(admin.handler);
    const client = new AbortController();
    const response = await fetch(`${server.url}/breakers/api/live`, { signal: client.signal });
    const reader = new EventReader(response);
    await reader.nextOf('breakers');

    open(admin, 'down.example.com');
    expect(await reader.nextOf('recent')).toMatchObject({ type: 'stateTransition' });
    admin.clock.advance(1000);
    expect(await reader.nextOf('breakers')).toMatchObject({ breakers: [{ state: 'open' }] });

    client.abort();
    await expect.poll(() => admin.clock.timers).toBe(0);
  });
});

test('an empty body is no JSON, also where Express has parsed it before', async () => {
  const admin = setUpAdmin({ basePath: '/breakers' });
  await using bare = await serveExpress(admin.handler);
  await using parsing = await serveExpress(admin.handler, express.json());

  for (const { url } of [bare, parsing]) {
    const response = await fetch(`${url}/breakers/api/control`, { ...post, body: '' });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: string };
    expect(error).toMatch(/^the body must be JSON|^action must be/);
  }
});

test('Fastify that has parsed the body is told what to do', async () => {
  const answer = toNodeHandler(setUpAdmin().handler);
  const app = fastify();
  app.all('/*', (request, reply) => {
    reply.hijack();
    answer(request.raw, reply.raw);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  const response = await fetch(`http://127.0.0.1:${port}/api/control`, post);

  expect(response.status).toBe(400);
  expect(JSON.stringify(await response.json())).toContain('mount the handler before what parses');
  app.server.closeAllConnections();
  await app.close();
});

test('Hono can mount it at the root of its own path', async () => {
  const app = new Hono();
  app.mount('/breakers', setUpAdmin().handler);

  expect((await app.request('/breakers/api/health')).status).toBe(200);
  expect((await app.request('/breakers')).headers.get('content-type')).toContain('text/html');
});
