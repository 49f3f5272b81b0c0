import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { startServer } from '@recloser/test-support/server';
import { describe, expect, test, vi } from 'vitest';
import { base, open, setUpAdmin } from './admin-setup.ts';

const paths = ['/api/breakers', '/api/events', '/api/health', '/api/live'] as const;

describe('a route', () => {
  test.each(['', ...paths])('%s answers HEAD as GET, without a body', async (path) => {
    const admin = setUpAdmin();

    const [get, head] = [await admin.ask(path), await admin.ask(path, { method: 'HEAD' })];
    await get.body?.cancel();

    expect(head.status).toBe(200);
    expect(head.body).toBeNull();
    expect([...head.headers]).toEqual([...get.headers]);
    expect(admin.clock.timers).toBe(0);
  });

  test.each([
    ['', 'POST', 'GET, HEAD'],
    ['/api/breakers', 'OPTIONS', 'GET, HEAD'],
    ['/api/breakers', 'PUT', 'GET, HEAD'],
    ['/api/live', 'POST', 'GET, HEAD'],
    ['/api/control', 'GET', 'POST'],
    ['/api/control', 'HEAD', 'POST'],
    ['/api/control', 'OPTIONS', 'POST'],
  ])('%s does not know %s, and says what it knows', async (path, method, allow) => {
    const response = await setUpAdmin().ask(path, { method });

    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  test.each([
    '/api',
    '/api/',
    '/api/breakers/',
    '/api/breaker/https://down.example.com',
    '/api/%62reakers',
    '/api%2Fbreakers',
    '//api/breakers',
    '/API/breakers',
    '/page.html',
    '/index.html',
    '/package.json',
    '/..%2fpackage.json',
    '/__proto__',
    '/constructor',
  ])('is not at %s', async (path) => {
    const response = await setUpAdmin().ask(path);

    expect([response.status, await response.json()]).toEqual([
      404,
      { error: `there is nothing at ${new URL(base + path).pathname}; basePath is /` },
    ]);
  });

  test('is found by a path without its dots', async () => {
    const admin = setUpAdmin({ basePath: '/ops' });

    expect((await admin.ask('/ops/x/../api/health')).status).toBe(200);
    expect((await admin.ask('/ops/%2e%2e/api/health')).status).toBe(404);
    expect((await admin.ask('/ops/../ops/api/health')).status).toBe(200);
  });
});

describe('a base path', () => {
  test.each(['/ops/breakers', 'ops/breakers', '/ops/breakers/', '//ops/breakers//'])(
    '%s is where the page and the API are',
    async (basePath) => {
      const admin = setUpAdmin({ basePath });

      for (const path of ['/ops/breakers', '/ops/breakers/']) {
        expect((await admin.ask(path)).headers.get('content-type')).toContain('text/html');
      }
      expect((await admin.ask('/ops/breakers/api/health')).status).toBe(200);
      for (const path of [
        '/',
        '/ops',
        '/ops/breakersx',
        '/api/health',
        '//ops/breakers/api/health',
      ])
        expect((await admin.ask(path)).status).toBe(404);
      expect(await admin.read('/ops')).toEqual({
        error: 'there is nothing at /ops; basePath is /ops/breakers',
      });
    },
  );

  test('may have characters that a URL writes in another way', async () => {
    const admin = setUpAdmin({ basePath: '/für uns' });

    expect((await admin.ask('/für uns/api/health')).status).toBe(200);
  });
});

describe('the page', () => {
  test('may run what stands in it, and nothing else', async () => {
    const response = await setUpAdmin().ask('/');
    const html = await response.text();

    const policy = new Map(
      response.headers
        .get('content-security-policy')!
        .split('; ')
        .map((directive) => {
          const [name, ...values] = directive.split(' ');
          return [name, values] as const;
        }),
    );
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': ["'none'"],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    for (const element of ['script', 'style']) {
      const start = html.indexOf('>', html.indexOf(`<${element}`)) + 1;
      const block = html.slice(start, html.indexOf(`</${element}>`));
      const hash = createHash('sha256').update(block).digest('base64');
      expect(policy.get(`${element}-src`)).toEqual([`'sha256-${hash}'`]);
    }
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });
});

describe('a parameter', () => {
  test.each([
    ['/api/breaker', 'key is missing'],
    ['/api/breaker?KEY=a', 'key is missing'],
    ['/api/breaker?key=a&key=b', 'key is given more than once'],
    ['/api/events?after=1&after=2', 'after is given more than once'],
    ['/api/events?after=', 'after must be the id of an event'],
    ['/api/events?after=-1', 'after must be the id of an event'],
    ['/api/events?after=1e3', 'after must be the id of an event'],
    ['/api/live?after=x', 'after must be the id of an event'],
  ])('of %s that is wrong is named', async (path, error) => {
    const response = await setUpAdmin().ask(path);

    expect([response.status, await response.json()]).toEqual([400, { error }]);
  });

  test('that is no key of a breaker gets the same 404, whatever it is', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');

    for (const key of ['', 'x', '__proto__', 'https://down.example.com/', '*', '%00', '<b>']) {
      const response = await admin.ask(`/api/breaker?key=${key}`);
      expect([response.status, await response.text()]).toEqual([
        404,
        '{"error":"there is no breaker of this key"}',
      ]);
    }
  });
});

describe('what is no Request of fetch', () => {
  test.each([{ url: '/', headers: {} }, undefined, null])(
    '%o is a 500, and the console says once what is wrong',
    async (wrong) => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
      const { handler } = setUpAdmin();

      for (let time = 0; time < 2; time++) {
        const response = await handler(wrong as unknown as Request);
        expect([response.status, await response.json()]).toEqual([
          500,
          { error: 'the handler got no Request' },
        ]);
      }

      const gotten = wrong === undefined || wrong === null ? String(wrong) : 'an object';
      expect(printed.mock.calls).toEqual([
        [
          'recloser: the handler of createAdminHandler takes the Request of fetch, ' +
            `but got ${gotten}; toNodeHandler(handler) takes those of Node`,
        ],
      ]);
      expect((await handler(new Request(base))).status).toBe(200);
    },
  );

  test('neither ends a process that handed the handler itself to Node', async () => {
    const printed = new Promise((resolve) => {
      vi.spyOn(console, 'error').mockImplementation(resolve);
    });
    await using server = await startServer(setUpAdmin().handler as unknown as RequestListener);
    const client = new AbortController();

    const answer = fetch(server.url, { signal: client.signal });

    expect(await printed).toContain('toNodeHandler(handler)');
    client.abort();
    await expect(answer).rejects.toThrow('aborted');
  });
});
