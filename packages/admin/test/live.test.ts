import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { open, setUpAdmin, type Admin } from './admin-setup.ts';
import { countListeners } from './count-listeners.ts';
import { EventReader } from './event-source.ts';

interface List {
  readonly at: number;
  readonly breakers: readonly {
    readonly key: string;
    readonly state: string;
    readonly numberOfBufferedCalls: number;
  }[];
}

interface Event {
  readonly id: number;
  readonly type: string;
  readonly key: string;
}

async function follow(
  admin: Admin,
  init: RequestInit = {},
  path: string = '/api/live',
): Promise<EventReader> {
  return new EventReader(await admin.ask(path, init));
}

/** Lets all promises settle that can. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

describe('a live stream', () => {
  test('begins with when to come back, the list and what is kept of events', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');

    const response = await admin.ask('/api/live');
    const reader = new EventReader(response);

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Or the connection would keep a server that closes waiting.
      connection: 'close',
      'x-content-type-options': 'nosniff',
    });
    expect(await reader.next()).toEqual({ retry: '2000' });
    expect(await reader.next()).toEqual({
      event: 'breakers',
      data: await admin.read('/api/breakers'),
    });
    const { events } = await admin.read<{ events: Event[] }>('/api/events');
    expect(await reader.next()).toEqual({
      event: 'recent',
      id: String(events[0]!.id),
      data: events[0],
    });
  });

  test('tells an event at once, and the list within a second', async () => {
    const admin = setUpAdmin();
    const reader = await follow(admin);
    await reader.nextOf('breakers');

    open(admin, 'down.example.com');
    expect(await reader.nextOf<Event>('recent')).toMatchObject({ type: 'stateTransition' });
    admin.clock.advance(1000);

    const { at, breakers } = await reader.nextOf<List>('breakers');
    expect(at - Date.UTC(2026, 0, 1)).toBe(1000);
    expect(breakers.map(({ state }) => state)).toEqual(['open']);
  });

  test('tells of a breaker that is made', async () => {
    const admin = setUpAdmin();
    const reader = await follow(admin);
    await reader.nextOf('breakers');

    admin.call('up.example.com', 200);
    admin.clock.advance(1000);

    const { breakers } = await reader.nextOf<List>('breakers');
    expect(breakers.map(({ key }) => key)).toEqual(['https://up.example.com']);
  });

  test('sends at most one list a second, however much changes', async () => {
    const admin = setUpAdmin();
    const reader = await follow(admin);
    await reader.nextOf('breakers');

    const dates: number[] = [];
    const reading = (async () => {
      while (dates.length < 4) {
        dates.push((await reader.nextOf<List>('breakers')).at - Date.UTC(2026, 0, 1));
      }
    })();
    for (let step = 0; step < 40; step++) {
      open(admin, `h${step}.example.com`);
      admin.clock.advance(100);
      await settled();
    }
    await reading;

    expect(dates).toEqual([1000, 2000, 3000, 4000]);
  });

  test('sends a flood of events with the lists, all that are kept', async () => {
    const admin = setUpAdmin();
    const reader = (await admin.ask('/api/live')).body!.getReader();
    const chunks: string[] = [];
    void (async () => {
      const decoder = new TextDecoder();
      for (let got = await reader.read(); !got.done; got = await reader.read()) {
        const text = decoder.decode(got.value as Uint8Array);
        if (text.startsWith('event: recent')) chunks.push(text);
      }
    })();
    await settled();

    for (let step = 0; step < 40; step++) {
      open(admin, `h${step}.example.com`);
      await settled();
      admin.clock.advance(100);
      await settled();
    }

    expect(chunks.map((chunk) => chunk.match(/^id: /gm)?.length)).toEqual([1, 9, 1, 9, 1, 9, 1, 9]);
    await reader.cancel();
  });

  test('sends one list where looking at the breakers changes something', async () => {
    const admin = setUpAdmin();
    admin.call('up.example.com', 200);
    const reader = await follow(admin);
    await reader.nextOf('breakers');
    admin.breaker.control('*').forceOpen({ reason: 'a test', for: 4000 });

    const dates: number[] = [];
    const reading = (async () => {
      while (dates.length < 3) {
        dates.push((await reader.nextOf<List>('breakers')).at - Date.UTC(2026, 0, 1));
      }
    })();
    for (const ms of [1000, 4000, 500, 500, 1000, 3000]) {
      admin.clock.advance(ms);
      await settled();
      if (dates.length === 2) admin.call('up.example.com', 200);
    }
    await reading;

    expect(dates).toEqual([1000, 5000, 10_000]);
  });

  test('sends the list every 5 s while anything is not closed', async () => {
    const admin = setUpAdmin();
    open(admin, 'down.example.com');
    const reader = await follow(admin);
    await reader.nextOf('breakers');
    await reader.nextOf('recent');

    for (const seconds of [5, 10, 15]) {
      admin.clock.advance(5000);
      const { at } = await reader.nextOf<List>('breakers');
      expect(at - Date.UTC(2026, 0, 1)).toBe(seconds * 1000);
    }
  });

  test('sends the list every 5 s where calls were counted, and else a sign of life', async () => {
    const admin = setUpAdmin();
    admin.call('up.example.com', 200);
    const reader = await follow(admin);
    await reader.nextOf('breakers');

    admin.clock.advance(5000);
    expect(await reader.next()).toEqual({ comment: true });
    admin.call('up.example.com', 200);
    admin.clock.advance(5000);

    const { breakers } = await reader.nextOf<List>('breakers');
    expect(breakers[0]!.numberOfBufferedCalls).toBe(2);
    admin.clock.advance(5000);
    expect(await reader.next()).toEqual({ comment: true });
  });

  test.each([
    ['by the id that a browser sends', (id: number) => [{ 'last-event-id': `${id}` }, ''] as const],
    ['by the URL', (id: number) => [{}, `?after=${id}`] as const],
    [
      'by the id that a browser sends, rather than the URL',
      (id: number) => [{ 'last-event-id': `${id}` }, '?after=0'] as const,
    ],
  ])('goes on after the last event, %s', async (_, resume) => {
    const admin = setUpAdmin();
    for (const host of ['a', 'b', 'c']) open(admin, `${host}.example.com`);
    const { events } = await admin.read<{ events: Event[] }>('/api/events');
    const [headers, query] = resume(events[1]!.id);

    const reader = await follow(admin, { headers }, `/api/live${query}`);

    expect(await reader.nextOf('recent')).toEqual(events[2]);
  });

  test.each(['', 'x', '99999999999999999999', '9999999999999999'])(
    'begins anew after the last event %o, which is none of this process',
    async (id) => {
      const admin = setUpAdmin();
      open(admin, 'down.example.com');

      const reader = await follow(admin, { headers: { 'last-event-id': id } });
      expect(await reader.nextOf<Event>('recent')).toMatchObject({ type: 'stateTransition' });
      open(admin, 'other.example.com');
      expect(await reader.nextOf<Event>('recent')).toMatchObject({
        key: 'https://other.example.com',
      });
    },
  );

  test('ends after 15 minutes, so that authorize is asked again', async () => {
    const admin = setUpAdmin();
    const reader = await follow(admin);
    await reader.nextOf('breakers');

    for (let look = 1; look < 180; look++) {
      admin.clock.advance(5000);
      expect(await reader.next()).toEqual({ comment: true });
    }
    admin.clock.advance(5000);

    expect(await reader.next()).toBeUndefined();
    expect(admin.clock.timers).toBe(0);
  });
});

describe('a client that goes', () => {
  test.each(['cancels the body', 'aborts the request'])(
    'leaves no listener and no timer behind where it %s',
    async (how) => {
      const admin = setUpAdmin();
      const listeners = countListeners(admin.breaker);
      const controller = new AbortController();
      const reader = await follow(admin, { signal: controller.signal });
      await reader.nextOf('breakers');
      open(admin, 'down.example.com');
      expect([listeners() > 0, admin.clock.timers]).toEqual([true, 2]);

      if (how === 'cancels the body') await reader.cancel();
      else controller.abort();

      expect([listeners(), admin.clock.timers]).toEqual([0, 0]);
      open(admin, 'other.example.com');
      admin.clock.advance(10_000);
      await settled();
      expect(admin.clock.timers).toBe(0);
    },
  );

  test('leaves nothing behind at its own signal', async () => {
    const admin = setUpAdmin();
    const request = new Request('http://admin.test/api/live');
    const reader = new EventReader(await admin.handler(request));
    await reader.nextOf('breakers');
    expect(getEventListeners(request.signal, 'abort')).toHaveLength(1);

    await reader.cancel();

    expect(getEventListeners(request.signal, 'abort')).toHaveLength(0);
  });

  test('before it gets an answer leaves nothing behind either', async () => {
    const admin = setUpAdmin();
    const listeners = countListeners(admin.breaker);

    await admin.ask('/api/live', { signal: AbortSignal.abort() });

    expect([listeners(), admin.clock.timers]).toEqual([0, 0]);
  });

  test('does not end what others follow', async () => {
    const admin = setUpAdmin();
    const [one, other] = [await follow(admin), await follow(admin)];
    await other.nextOf('breakers');

    await one.cancel();
    open(admin, 'down.example.com');

    expect(await other.nextOf<Event>('recent')).toMatchObject({ type: 'stateTransition' });
    await other.cancel();
    expect(admin.clock.timers).toBe(0);
  });
});

describe('a client that does not read', () => {
  test('gets the newest list when it reads on, and the events that are kept', async () => {
    const admin = setUpAdmin({ recentEvents: 5 });
    const reader = await follow(admin);
    await settled();

    for (let step = 0; step < 100; step++) {
      open(admin, `h${step}.example.com`);
      admin.clock.advance(1000);
      await settled();
    }

    expect(await reader.next()).toEqual({ retry: '2000' });
    const { breakers } = await reader.nextOf<List>('breakers');
    expect(breakers).toHaveLength(100);
    const kept: Event[] = [];
    for (let event = 0; event < 5; event++) kept.push(await reader.nextOf<Event>('recent'));
    expect(kept.map(({ key }) => key)).toEqual(
      [95, 96, 97, 98, 99].map((host) => `https://h${host}.example.com`),
    );
    admin.clock.advance(5000);
    expect((await reader.nextOf<List>('breakers')).breakers).toHaveLength(100);
  });
});

test('a client that comes right after a change is told of it', async () => {
  const admin = setUpAdmin();
  const first = await follow(admin);
  await first.nextOf('breakers');
  open(admin, 'down.example.com');

  const second = await follow(admin);

  expect(await second.nextOf<List>('breakers')).toMatchObject({ breakers: [{ state: 'open' }] });
});

test('a hundred clients get the same list, which is made once', async () => {
  const admin = setUpAdmin();
  open(admin, 'down.example.com');
  let snapshots = 0;
  const snapshot = admin.breaker.snapshot.bind(admin.breaker);
  admin.breaker.snapshot = () => {
    snapshots++;
    return snapshot();
  };

  const readers = await Promise.all(Array.from({ length: 100 }, async () => await follow(admin)));
  const first = await Promise.all(readers.map(async (reader) => await reader.nextOf('breakers')));
  const beforeTheTick = snapshots;
  admin.clock.advance(5000);
  const second = await Promise.all(readers.map(async (reader) => await reader.nextOf('breakers')));

  expect(new Set(first.map((list) => JSON.stringify(list))).size).toBe(1);
  expect(new Set(second.map((list) => JSON.stringify(list))).size).toBe(1);
  expect([beforeTheTick, snapshots]).toEqual([1, 2]);
  await Promise.all(readers.map(async (reader) => await reader.cancel()));
  expect(admin.clock.timers).toBe(0);
});
