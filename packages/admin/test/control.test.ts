import { describe, expect, test } from 'vitest';
import { base, open, setUpAdmin } from './admin-setup.ts';

const key = 'https://down.example.com';
const close = { action: 'close', pattern: key, reason: 'it is back' };

describe('an order', () => {
  test('moves the breakers that match, and answers which', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');
    admin.call('up.example.com', 200);

    const closed = await admin.act(close);
    const halfOpen = await admin.act({ action: 'halfOpen', pattern: '*', reason: 'a try' });

    expect(await closed.json()).toEqual({ moved: [key], skipped: [] });
    expect(await halfOpen.json()).toMatchObject({
      moved: [],
      skipped: expect.arrayContaining([key, 'https://up.example.com']),
    });
    expect(admin.breaker.find(key)?.state).toBe('closed');
  });

  test.each([
    [{ for: 60_000 }, Date.UTC(2026, 0, 1, 0, 1)],
    [{ until: '2026-01-01T06:00:00Z' }, Date.UTC(2026, 0, 1, 6)],
    [{ until: '2026-01-01T06:00:00.5+02:00' }, Date.UTC(2026, 0, 1, 4, 0, 0, 500)],
    [{}, undefined],
  ])('with %o stands until then', async (end, expiresAt) => {
    const admin = setUpAdmin();

    const response = await admin.act({ action: 'disable', pattern: '*', reason: 'a test', ...end });

    expect(response.status).toBe(200);
    const [order] = admin.breaker.snapshot().orders;
    expect(order).toEqual({
      pattern: '*',
      action: 'disable',
      reason: 'a test',
      ...(expiresAt !== undefined && { expiresAt }),
    });
  });

  test.each(['open', 'forceOpen', 'close', 'disable', 'metricsOnly', 'reset', 'handBack'])(
    '%s is one that there is',
    async (action) => {
      const admin = setUpAdmin();
      admin.call('up.example.com', 200);
      const end = action === 'open' ? { for: 1000 } : {};

      const response = await admin.act({ action, pattern: '*', reason: 'a test', ...end });

      expect(response.status).toBe(200);
      const { events } = await admin.read<{ events: { type: string; action?: string }[] }>(
        '/api/events',
      );
      expect(events.findLast(({ type }) => type === 'control')?.action).toBe(action);
    },
  );
});

describe('a body that is wrong', () => {
  test.each([
    ['', 'the body must be JSON'],
    ['{', 'the body must be JSON'],
    ['null', 'the body must be an object, but is null'],
    ['[]', 'the body must be an object, but is an empty list'],
    ['"close"', "the body must be an object, but is 'close'"],
    [{ ...close, action: 'explode' }, /^action must be one of forceOpen, .*, but is 'explode'$/],
    [{ ...close, action: 'constructor' }, /^action must be one of/],
    [{ ...close, action: ['close'] }, /^action must be one of/],
    [{ ...close, pattern: '' }, "pattern must be a string that is not empty, but is ''"],
    [{ ...close, pattern: 7 }, 'pattern must be a string that is not empty, but is 7'],
    [{ ...close, reason: ' ' }, "reason must be a string that is not empty, but is ' '"],
    [{ action: 'close', pattern: '*' }, /^reason must be a string/],
    [{ ...close, who: 'me', by: 1 }, /^not known: 'who', 'by'; known are action, pattern, reason/],
    [`{"__proto__":{"action":"close"},"pattern":"*","reason":"x"}`, /^not known: '__proto__'/],
    [`{"constructor":{"prototype":{}},"pattern":"*"}`, /^not known: 'constructor'/],
    [{ ...close, for: 1000 }, /^close: 'for' is not known/],
    [{ ...close, action: 'disable', for: '5' }, "for must be a number of ms, but is '5'"],
    [{ ...close, action: 'disable', for: null }, 'for must be a number of ms, but is null'],
    [{ ...close, action: 'disable', for: 0 }, 'disable: for must be greater than 0, but is 0'],
    [
      { ...close, action: 'open' },
      'open: for how long? give for, in ms, or until, an ISO date with its zone',
    ],
    [
      { ...close, action: 'disable', until: '2026-02-01' },
      /^until must be an ISO date with its zone/,
    ],
    [{ ...close, action: 'disable', until: '2026-02-01T00:00' }, /^until must be an ISO date/],
    [{ ...close, action: 'disable', until: 1e15 }, /^until must be an ISO date/],
    [{ ...close, action: 'disable', until: '2026-13-01T00:00Z' }, /still to come$/],
    [{ ...close, action: 'disable', until: '2025-12-31T00:00Z' }, /still to come$/],
    [
      { ...close, action: 'disable', until: '2027-01-01T00:00Z', for: 5 },
      'disable: for and until say the same; give one of them',
    ],
  ] as readonly (readonly [unknown, string | RegExp])[])(
    '%o is answered with what is wrong with it',
    async (body, error) => {
      const admin = setUpAdmin();
      open(admin, 'down.example.com');

      const response = await admin.act(body);

      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        error: typeof error === 'string' ? error : expect.stringMatching(error),
      });
      expect(admin.breaker.find(key)?.state).toBe('open');
      expect(admin.breaker.snapshot().orders).toEqual([]);
      expect({}).not.toHaveProperty('action');
    },
  );

  test('with markup in it gets an answer without', async () => {
    const response = await setUpAdmin().act({ ...close, '<script>alert(1)</script>': 1 });

    expect(await response.text()).toContain('\\u003cscript\\u003e');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'is one of the type %s',
    async (type) => {
      const admin = setUpAdmin();
      const body = new TextEncoder().encode(JSON.stringify(close));
      const headers: HeadersInit = type === undefined ? {} : { 'content-type': type };

      const response = await admin.ask('/api/control', { method: 'POST', body, headers });

      expect(response.status).toBe(415);
    },
  );

  test('is not one of JSON in capitals and with a charset', async () => {
    const response = await setUpAdmin().act(close, {
      'content-type': 'Application/JSON; charset=utf-8',
    });

    expect(response.status).toBe(200);
  });

  test('is one that is no UTF-8', async () => {
    const response = await setUpAdmin().ask('/api/control', {
      method: 'POST',
      body: new Uint8Array([0x22, 0xff, 0x22]),
      headers: { 'content-type': 'application/json' },
    });

    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'the body must be UTF-8' },
    ]);
  });
});

describe('a body', () => {
  const post = (body: ReadableStream | string, headers = {}): Request =>
    new Request(`${base}/api/control`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      duplex: 'half',
    } as RequestInit);

  test('may have 10,000 bytes and no more', async () => {
    const admin = setUpAdmin();
    const text = JSON.stringify(close);

    expect((await admin.handler(post(text.padEnd(10_000)))).status).toBe(200);
    expect((await admin.handler(post(text.padEnd(10_001)))).status).toBe(413);
  });

  test('that says to be longer is not read', async () => {
    const admin = setUpAdmin();
    const request = post(JSON.stringify(close), { 'content-length': '10001' });

    expect((await admin.handler(request)).status).toBe(413);
    expect(request.bodyUsed).toBe(false);
  });

  test('without an end is given up at the limit', async () => {
    const admin = setUpAdmin();
    let pulls = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull(controller) {
        pulls++;
        controller.enqueue(new Uint8Array(1000));
      },
      cancel() {
        cancelled = true;
      },
    });

    const response = await admin.handler(post(endless));

    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ error: 'the body must have at most 10000 bytes' });
    expect(cancelled).toBe(true);
    expect(pulls).toBeLessThan(15);
    expect(admin.clock.timers).toBe(0);
  });

  test('that stalls is given up after 10 s', async () => {
    const admin = setUpAdmin();
    let begin = (): void => {};
    const began = new Promise<void>((resolve) => (begin = resolve));
    const stalled = new ReadableStream({ pull: () => begin() }, { highWaterMark: 0 });

    const answer = admin.handler(post(stalled));
    await began;
    admin.clock.advance(9_999);
    expect(admin.clock.timers).toBe(1);
    admin.clock.advance(1);

    const response = await answer;
    expect(response.status).toBe(408);
    expect(response.headers.get('connection')).toBe('close');
    expect(admin.clock.timers).toBe(0);
  });

  test('that breaks off is no order', async () => {
    const admin = setUpAdmin();
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });

    const response = await admin.handler(post(broken));

    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'the body could not be read: gone' },
    ]);
    expect(admin.clock.timers).toBe(0);
  });

  test('that authorize has read is not there any more, and the answer says so', async () => {
    const greedy = setUpAdmin({ authorize: async (request) => (await request.text()) !== '' });
    const modest = setUpAdmin({
      authorize: async (request) => (await request.clone().text()) !== '',
    });

    const response = await greedy.handler(post(JSON.stringify(close)));
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'the body was read before: authorize must read request.clone()' },
    ]);
    expect((await modest.handler(post(JSON.stringify(close)))).status).toBe(200);
  });
});
