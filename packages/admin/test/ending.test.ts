import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createAdminHandler, toNodeHandler } from '../src/index.ts';
import { countListeners } from './count-listeners.ts';
import { open, setUpAdmin } from './admin-setup.ts';
import { EventReader } from './event-source.ts';

describe('a signal that is aborted', () => {
  test('lets a server close while somebody follows', async () => {
    const shutdown = new AbortController();
    const admin = setUpAdmin({ signal: shutdown.signal });
    const server = createServer(toNodeHandler(admin.handler)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const readers: EventReader[] = [];
    for (let count = 0; count < 3; count++) {
      readers.push(new EventReader(await fetch(`${url}/api/live`)));
    }
    for (const reader of readers) await reader.nextOf('breakers');

    const closed = once(server, 'close');
    server.close();
    shutdown.abort();
    await closed;

    for (const reader of readers) expect(await reader.next()).toBeUndefined();
    expect(admin.clock.timers).toBe(0);
  });

  test('ends one that is not read, too', async () => {
    const shutdown = new AbortController();
    const admin = setUpAdmin({ signal: shutdown.signal });
    const response = await admin.ask('/api/live');

    shutdown.abort();

    await expect(new EventReader(response).next()).rejects.toThrow('the client does not read');
    expect(admin.clock.timers).toBe(0);
  });

  test('leaves nothing that listens to the breaker', async () => {
    const shutdown = new AbortController();
    const { breaker, clock } = setUpAdmin();
    const listeners = countListeners(breaker);
    createAdminHandler(breaker, { authorize: () => true, clock, signal: shutdown.signal });
    expect(listeners()).toBeGreaterThan(10);

    shutdown.abort();

    expect(listeners()).toBe(0);
    expect(getEventListeners(shutdown.signal, 'abort')).toEqual([]);
  });

  test('has everything answered by a 503, to those who may read', async () => {
    const signal = AbortSignal.abort();
    const admin = setUpAdmin({ signal });
    open(admin, 'down.example.com');

    for (const path of ['/', '/api/breakers', '/api/live', '/nothing']) {
      const response = await admin.ask(path);
      expect([response.status, await response.json()]).toEqual([
        503,
        { error: 'the service is shutting down' },
      ]);
    }
    const stranger = setUpAdmin({ signal, authorize: () => false });
    expect((await stranger.ask('/')).status).toBe(403);
  });
});
