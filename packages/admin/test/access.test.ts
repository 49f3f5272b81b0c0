import { HttpCircuitBreaker } from '@recloser/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAdminHandler, type AdminIntent, type AdminOptions } from '../src/index.ts';
import { open, setUpAdmin } from './admin-setup.ts';

const order = { action: 'forceOpen', pattern: '*', reason: 'maintenance' };

const everything: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/'],
  [''],
  ['/api/breakers'],
  ['/api/breaker?key=https://down.example.com'],
  ['/api/breaker?key=https://unknown.example.com'],
  ['/api/breaker'],
  ['/api/events'],
  ['/api/events?after=x'],
  ['/api/health'],
  ['/api/live'],
  ['/nothing'],
  ['/api/breakers', { method: 'OPTIONS' }],
  ['/api/breakers', { method: 'DELETE' }],
  ['/api/control', { method: 'POST', body: JSON.stringify(order) }],
  ['/api/control', { method: 'POST', body: 'x'.repeat(20_000) }],
];

afterEach(() => {
  vi.restoreAllMocks();
});

describe('without authorize', () => {
  test.each([undefined, null, true, 'yes', {}])('%o there is no handler', (authorize) => {
    const options = { authorize } as unknown as AdminOptions;

    expect(() => createAdminHandler(new HttpCircuitBreaker(), options)).toThrow(
      /^createAdminHandler: authorize must be a function, but is /,
    );
  });

  test('there are no options either', () => {
    expect(() =>
      createAdminHandler(new HttpCircuitBreaker(), undefined as unknown as AdminOptions),
    ).toThrow('createAdminHandler: options must be an object, but is undefined');
  });
});

describe('a wrong option', () => {
  const authorize = (): boolean => true;

  test.each([
    [{ basePath: 7 }, TypeError, 'basePath must be a string, but is 7'],
    [{ basePath: '/a?b' }, TypeError, "basePath must be a path without a query, but is '/a?b'"],
    [{ recentEvents: '9' }, TypeError, "recentEvents must be a number, but is '9'"],
    [{ recentEvents: 0 }, RangeError, 'recentEvents must be at least 1, but is 0'],
    [{ recentEvents: 10_001 }, RangeError, 'recentEvents must be at most 10000, but is 10001'],
    [{ clock: {} }, TypeError, 'clock must have the functions now and date'],
    [{ signal: true }, TypeError, 'signal must be an AbortSignal, but is true'],
    [{ auth: 1 }, TypeError, "'auth' is not known; known are authorize"],
  ])('%o is named', (wrong, type, message) => {
    const options = { authorize, ...wrong } as unknown as AdminOptions;
    const make = (): unknown => createAdminHandler(new HttpCircuitBreaker(), options);

    expect(make).toThrow(type);
    expect(make).toThrow(message);
  });

  test('is a breaker that knows no HTTP, too', () => {
    expect(() => createAdminHandler({} as unknown as HttpCircuitBreaker, { authorize })).toThrow(
      'createAdminHandler: breaker must be an HttpCircuitBreaker, but is an object: make one, and hand it to the adapter of your client, too',
    );
  });
});

describe('who is not allowed', () => {
  const noes: readonly (readonly [name: string, authorize: AdminOptions['authorize']])[] = [
    ['answers false', () => false],
    ['answers nothing', () => undefined],
    ['answers something else', () => 'true' as unknown as boolean],
    ['answers a number', () => 1 as unknown as boolean],
    ['promises false', async () => false],
    ['promises an object', async () => ({ user: 'me' }) as unknown as boolean],
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['rejects', async () => await Promise.reject(new Error('secret'))],
  ];

  test.each(noes)('gets the same 403 for everything where authorize %s', async (_, authorize) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const admin = setUpAdmin({ authorize });
    open(admin, 'down.example.com');

    const answers = await Promise.all(
      everything.map(async ([path, init]) => {
        const response = await admin.ask(path, init);
        return [response.status, [...response.headers], await response.text()];
      }),
    );

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([
      403,
      [
        ['cache-control', 'no-store'],
        ['content-type', 'application/json; charset=utf-8'],
        ['cross-origin-resource-policy', 'same-origin'],
        ['x-content-type-options', 'nosniff'],
      ],
      '{"error":"forbidden"}',
    ]);
    expect(admin.breaker.snapshot().orders).toEqual([]);
  });

  test('is told nothing of an error in authorize, which the console has once', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const error = new Error('the session store is down');
    const admin = setUpAdmin({
      authorize: () => {
        throw error;
      },
    });

    await admin.ask('/');
    const response = await admin.ask('/');

    expect(await response.text()).not.toContain('session');
    expect(errors.mock.calls).toEqual([[expect.stringContaining('authorize threw'), error]]);
  });

  test('is told nothing either of an error that the console cannot show', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {
      throw new Error('secret');
    });
    const admin = setUpAdmin({
      authorize: () => {
        throw new Error('secret');
      },
    });

    const response = await admin.ask('/');

    expect([response.status, await response.json()]).toEqual([403, { error: 'forbidden' }]);
  });

  test('gets a 403 for an order while looking is allowed', async () => {
    const intents: AdminIntent[] = [];
    const admin = setUpAdmin({
      authorize: (_, intent) => {
        intents.push(intent);
        return intent.kind === 'read';
      },
    });

    const response = await admin.act(order);

    expect([response.status, await response.json()]).toEqual([403, { error: 'forbidden' }]);
    expect(intents).toEqual([{ kind: 'read' }, { kind: 'act', action: 'forceOpen', pattern: '*' }]);
    expect(admin.breaker.snapshot().orders).toEqual([]);
  });

  test('can be told by action and pattern', async () => {
    const admin = setUpAdmin({
      authorize: async (_, intent) =>
        intent.kind === 'read' || (intent.action === 'close' && intent.pattern !== '*'),
    });
    const close = { action: 'close', reason: 'it is back' };

    expect((await admin.act(order)).status).toBe(403);
    expect((await admin.act({ ...close, pattern: '*' })).status).toBe(403);
    expect((await admin.act({ ...close, pattern: 'prices' })).status).toBe(200);
  });

  test('is judged by the request as it came', async () => {
    const admin = setUpAdmin({
      authorize: (request) => request.headers.get('authorization') === 'Bearer s3cret',
    });
    const authorized = { headers: { authorization: 'Bearer s3cret' } };

    expect((await admin.ask('/api/health')).status).toBe(403);
    expect((await admin.ask('/api/health', authorized)).status).toBe(200);
  });
});

describe('a request that comes from a page', () => {
  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://admin.test' }, 403],
    [{ origin: 'http://admin.test' }, 200],
    [{ origin: 'https://ADMIN.test' }, 200],
    [{ origin: 'http://admin.test:8080' }, 403],
    [{ origin: 'http://admin.test.evil.example' }, 403],
    [{ origin: 'http://admin.test', host: 'admin.test:80' }, 200],
    [{ origin: 'https://admin.test', host: 'Admin.test:443' }, 200],
    [{ origin: 'https://admin.test', host: 'admin.test:80' }, 403],
    [{ origin: 'http://[::1]:81', host: '[::1]:81' }, 200],
    [{ origin: 'http://[::1]:81', host: '[::1]:82' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'file://' }, 403],
    [{ origin: 'chrome-extension://admin.test' }, 403],
    [{ origin: 'http://admin.test, http://evil.example' }, 403],
    [{ origin: 'http://evil.example', host: '' }, 403],
    [{ origin: 'http://evil.example', host: 'admin.test@evil.example' }, 403],
    [{ origin: 'http://admin.test', host: 'admin.test:81' }, 403],
    [{ 'sec-fetch-site': '' }, 403],
    [{ 'sec-fetch-site': 'same-origin, cross-site' }, 403],
    [{ origin: 'evil' }, 403],
    [{ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }, 403],
    [{ origin: 'http://public.example', host: 'public.example' }, 200],
    [{ origin: 'http://public.example', host: 'Public.Example' }, 200],
    [{}, 200],
  ] as readonly (readonly [Readonly<Record<string, string>>, number])[])(
    'with %o that gives an order gets a %i',
    async (headers, status) => {
      const admin = setUpAdmin();

      expect((await admin.act(order, headers)).status).toBe(status);
      expect(admin.breaker.snapshot().orders).toHaveLength(status === 200 ? 1 : 0);
    },
  );
});
