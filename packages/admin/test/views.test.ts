import { honestRetryAfter, HttpCircuitBreaker, ManualClock } from '@recloser/core';
import { describe, expect, test, vi } from 'vitest';
import { createAdminHandler } from '../src/index.ts';
import { base, open, setUpAdmin, type Admin } from './admin-setup.ts';

interface Event {
  readonly id: number;
  readonly type: string;
  readonly key: string;
  readonly [field: string]: unknown;
}

interface List {
  readonly at: number;
  readonly breakers: readonly { readonly key: string; readonly openedBy?: unknown }[];
}

interface Events {
  readonly events: readonly Event[];
}

const key = 'https://down.example.com';
const start = Date.UTC(2026, 0, 1);

async function openedBy(admin: Admin, of: string = key): Promise<unknown> {
  const { breakers } = await admin.read<List>('/api/breakers');
  return breakers.find((breaker) => breaker.key === of)?.openedBy;
}

describe('the list', () => {
  test('is the snapshot, with the health of each and what it opened for', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');
    admin.call('up.example.com', 200);
    admin.breaker.control('*prices*').disable({ reason: 'a test' });
    admin.clock.advance(1000);

    const list = await admin.read<List>('/api/breakers');

    const { breakers, ...rest } = JSON.parse(JSON.stringify(admin.breaker.snapshot()));
    expect(list).toEqual({
      at: start + 1000,
      ...rest,
      breakers: [
        {
          ...breakers[0],
          health: 'degraded',
          openedBy: {
            reason: 'consecutive-failures',
            at: start,
            rule: 'server error',
            status: 503,
          },
        },
        { ...breakers[1], health: 'not-evaluated' },
      ],
    });
    expect(await admin.read('/api/health')).toEqual(admin.breaker.health());
  });

  test('of no breakers is empty', async () => {
    expect(await setUpAdmin().read('/api/breakers')).toEqual({
      at: start,
      breakers: [],
      evictions: 0,
      overflows: 0,
      unguarded: 0,
      orders: [],
    });
  });
});

describe('one breaker', () => {
  test('is as in the list, with its own events', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');
    open(admin, 'other.example.com');

    const { breakers } = await admin.read<List>('/api/breakers');
    const one = await admin.read<Events & { breaker: unknown; at: number }>(
      `/api/breaker?key=${encodeURIComponent(key)}`,
    );

    expect(one.breaker).toEqual(breakers[0]);
    expect(one.at).toBe(start);
    expect(one.events).toEqual([
      {
        id: expect.any(Number),
        type: 'stateTransition',
        key,
        name: key,
        at: start,
        state: 'closed',
        from: 'closed',
        to: 'open',
        reason: 'consecutive-failures',
        wait: 30_000,
      },
    ]);
  });

  test('is found by its key, whatever is in it', async () => {
    const odd = '<script>"&\u2028 %00 __proto__';
    const admin = setUpAdmin({}, { level: 'both', key: () => odd });
    admin.call('x.example.com', 200);

    const text = await (await admin.ask('/api/breakers')).text();

    expect(text).not.toMatch(/[<>&\u2028]/);
    expect((JSON.parse(text) as List).breakers[0]!.key).toBe(odd);
    const path = `/api/breaker?key=${encodeURIComponent(odd)}`;
    expect(await admin.read(path)).toMatchObject({ breaker: { key: odd } });
  });

  test('has its name, whatever is in it', async () => {
    const name = '</script>\u0000\u0007\n\ud800';
    const admin = setUpAdmin({}, { level: 'endpoint', overrides: [{ path: '/', name }] });
    admin.call('down.example.com', 200);

    const text = await (await admin.ask('/api/breakers')).text();

    expect(text).toMatch(/^[ !-%'-;=?-~]+$/);
    expect(JSON.parse(text)).toMatchObject({ breakers: [{ key: `GET ${key}/`, name }] });
  });
});

describe('what a breaker opened for', () => {
  test('has the kind of the error', async () => {
    const admin = setUpAdmin();
    for (let call = 0; call < 2; call++) {
      const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      admin.breaker.admit({ method: 'GET', origin: key, path: '/' }).failed(error);
    }

    expect(await openedBy(admin)).toMatchObject({ kind: 'refused', at: start });
    expect(await openedBy(admin)).not.toHaveProperty('status');
  });

  test('is what the endpoint and its host each tell', async () => {
    const admin = setUpAdmin(
      {},
      {
        level: 'both',
        breaker: { consecutiveFailureThreshold: 2 },
        hostBreaker: { consecutiveFailureThreshold: 3 },
      },
    );
    const request = { method: 'GET', origin: key, path: '/a' };
    for (let call = 0; call < 2; call++) admin.breaker.admit(request).responded(500);
    const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    while (admin.breaker.find(key)?.state !== 'open') {
      admin.breaker.admit({ ...request, path: '/b' }).failed(error);
    }

    expect(await openedBy(admin, `GET ${key}/a`)).toMatchObject({ status: 500 });
    expect(await openedBy(admin, key)).toMatchObject({ kind: 'refused' });
    expect(await openedBy(admin, `GET ${key}/b`)).toBeUndefined();
  });

  test('is what opened it last', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');
    admin.clock.advance(30_001);
    for (let call = 0; call < 2; call++) admin.call('down.example.com', 502);

    expect(await openedBy(admin)).toMatchObject({ status: 502, at: start + 30_001 });
  });

  test('is no failure where an operator opened it', async () => {
    const admin = setUpAdmin();
    admin.call('down.example.com', 503);
    admin.breaker.control(key).open({ reason: 'a test', for: 1000 });

    expect(await openedBy(admin)).toEqual({ reason: 'manual', at: start });
  });

  test('is no earlier failure where calls were slow', async () => {
    const admin = setUpAdmin(
      {},
      {
        hostBreaker: {
          slowCallDurationThreshold: 1000,
          slowCallRateThreshold: 50,
          minimumNumberOfCalls: 2,
          detectStalledCalls: false,
        },
      },
    );
    admin.call('down.example.com', 503);
    const slow = admin.breaker.admit({ method: 'GET', origin: key, path: '/' });
    admin.clock.advance(2000);
    slow.responded(200);

    expect(await openedBy(admin)).toEqual({ reason: 'slow-call-rate', at: start + 2000 });
  });

  test('is a call that hangs', async () => {
    const admin = setUpAdmin({}, { hostBreaker: { consecutiveFailureThreshold: 2 } });
    for (let call = 0; call < 2; call++) {
      admin.breaker.admit({ method: 'GET', origin: key, path: '/' });
    }
    admin.clock.advance(30_001);

    expect(await openedBy(admin)).toMatchObject({
      reason: 'consecutive-failures',
      kind: 'stalled',
    });
  });

  test('is a body that broke off', async () => {
    const admin = setUpAdmin(
      {},
      { level: 'endpoint', breaker: { failureRateThreshold: 50, minimumNumberOfCalls: 2 } },
    );
    for (let call = 0; call < 2; call++) {
      const admission = admin.breaker.admit({ method: 'GET', origin: key, path: '/' });
      admission.responded(200);
      admission.bodyFailed(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    }

    expect(await openedBy(admin, `GET ${key}/`)).toMatchObject({
      reason: 'failure-rate',
      kind: expect.any(String),
      status: 200,
    });
  });

  test('is the wait that the dependency asked for', async () => {
    const admin = setUpAdmin({}, { level: 'endpoint', rules: honestRetryAfter });
    admin.breaker
      .admit({ method: 'GET', origin: key, path: '/' })
      .responded(429, { 'retry-after': '60' });

    const { events } = await admin.read<Events>('/api/events');
    expect(events.map(({ type }) => type)).toEqual(['held', 'stateTransition']);
    expect(await openedBy(admin, `GET ${key}/`)).toMatchObject({ reason: 'hold', status: 429 });
  });

  test('is forgotten with its breaker', async () => {
    const admin = setUpAdmin({}, { maxBreakers: 1 });
    open(admin, 'down.example.com');
    admin.clock.advance(30_001);
    admin.call('other.example.com', 200);
    admin.clock.advance(1);
    admin.call('down.example.com', 200);

    expect(await openedBy(admin)).toBeUndefined();
    const { events } = await admin.read<Events>('/api/events');
    expect(events.filter(({ type }) => type === 'breakerEvicted')).toHaveLength(2);
  });
});

describe('recent events', () => {
  test('are the latest, the oldest first', async () => {
    const admin = setUpAdmin({ recentEvents: 3 });
    for (const host of ['a', 'b', 'c', 'd']) open(admin, `${host}.example.com`);

    const { events } = await admin.read<Events>('/api/events');

    expect(events.map((event) => event.key)).toEqual([
      'https://b.example.com',
      'https://c.example.com',
      'https://d.example.com',
    ]);
    const [first, second, third] = events.map(({ id }) => id);
    expect([second! - first!, third! - second!]).toEqual([1, 1]);
  });

  test('can be asked for from one on', async () => {
    const admin = setUpAdmin();
    for (const host of ['a', 'b', 'c']) open(admin, `${host}.example.com`);
    const { events } = await admin.read<Events>('/api/events');

    const after = async (id: number): Promise<readonly Event[]> =>
      (await admin.read<Events>(`/api/events?after=${id}`)).events;

    expect(await after(events[0]!.id)).toEqual(events.slice(1));
    expect(await after(events[2]!.id)).toEqual([]);
    expect(await after(0)).toEqual(events);
    // Of another process.
    expect(await after(events[2]!.id + 1)).toEqual(events);
  });

  test('of a process that takes the place of another come after those', async () => {
    const before = setUpAdmin();
    const after = setUpAdmin({ clock: new ManualClock({ date: start + 1 }) });
    open(before, 'down.example.com');
    open(after, 'down.example.com');

    const [first] = (await before.read<Events>('/api/events')).events;
    const { events } = await after.read<Events>(`/api/events?after=${first!.id}`);

    expect(events).toHaveLength(1);
  });

  test('are not those of each call', async () => {
    const admin = setUpAdmin();
    admin.call('down.example.com', 200);
    admin.call('down.example.com', 503);
    admin.call('down.example.com', 404);

    expect(await admin.read('/api/events')).toEqual({ events: [] });
  });

  test('have orders, with few of the keys and their numbers', async () => {
    const admin = setUpAdmin();
    for (let host = 0; host < 150; host++) admin.call(`h${host}.example.com`, 200);

    await admin.act({ action: 'close', pattern: '*', reason: 'a test' });

    const { events } = await admin.read<Events>('/api/events');
    expect(events.at(-1)).toMatchObject({
      type: 'control',
      key: '*',
      name: '*',
      action: 'close',
      reason: 'a test',
      movedCount: 150,
      skippedCount: 0,
    });
    expect(events.at(-1)!['moved']).toHaveLength(100);
  });

  test.each([
    [new TypeError('it broke'), { name: 'TypeError', message: 'it broke' }],
    ['<b>\u0000\ud800', { name: 'string', message: '<b>\u0000\ud800' }],
    [undefined, { name: 'undefined', message: 'undefined' }],
    [Symbol('s'), { name: 'symbol', message: 'Symbol(s)' }],
    [Object.create(null), { name: 'Error', message: '' }],
    [
      { name: 7, message: { html: '<b>' } },
      { name: 'Error', message: '' },
    ],
    [
      {
        get message(): string {
          throw new Error('a trap');
        },
      },
      { name: 'Error', message: 'it can not be read' },
    ],
    [new Error('x'.repeat(1_000_000)), { name: 'Error', message: 'x'.repeat(500) }],
    [new Error(`${'x'.repeat(499)}😀`), { name: 'Error', message: 'x'.repeat(499) }],
  ])('have an error as its name and message: %#', async (thrown, error) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const admin = setUpAdmin(
      {},
      {
        partition: () => {
          throw thrown;
        },
      },
    );

    admin.call('down.example.com', 200);

    const text = await (await admin.ask('/api/events')).text();
    const [event] = (JSON.parse(text) as Events).events;
    expect(event).toMatchObject({ type: 'error', key: '*', source: 'partition', error });
    expect(text).toMatch(/^[ !-%'-;=?-~]+$/);
    expect(text.length).toBeLessThan(4000);
  });
});

test('a breaker of the system clock is dated by it', async () => {
  const handler = createAdminHandler(new HttpCircuitBreaker(), { authorize: () => true });
  const before = Date.now();

  const { at } = (await (await handler(new Request(`${base}/api/breakers`))).json()) as List;

  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
});
