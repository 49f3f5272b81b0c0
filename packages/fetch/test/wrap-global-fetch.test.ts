import { afterEach, describe, expect, test } from 'vitest';
import { wrapFetch, wrapGlobalFetch } from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { startServer, status, type TestServer } from '@recloser/test-support/server';

const original = Object.getOwnPropertyDescriptor(globalThis, 'fetch')!;

afterEach(() => {
  Object.defineProperty(globalThis, 'fetch', original);
});

function recording() {
  const breaker = endpointBreaker();
  return { breaker, outcomes: outcomesOf(breaker) };
}

describe('the global fetch', () => {
  test('is guarded until it is restored', async () => {
    await using server = await startServer();
    const { breaker, outcomes } = recording();

    const restore = wrapGlobalFetch(breaker);
    expect(fetch.name).toBe('fetch');
    await fetch(server.url);
    restore();
    await fetch(server.url);

    expect(globalThis.fetch).toBe(original.value);
    expect(outcomes).toEqual(['success 200']);
  });

  test('takes options', async () => {
    await using server = await startServer(status(500));
    const restore = wrapGlobalFetch(
      { breaker: { consecutiveFailureThreshold: 1 } },
      { fallback: () => new Response('from the fallback') },
    );

    await fetch(server.url);
    const response = await fetch(server.url);
    restore();

    expect(await response.text()).toBe('from the fallback');
  });

  test('keeps what it was as a property', () => {
    const restore = wrapGlobalFetch();
    const { value: _, ...attributes } = Object.getOwnPropertyDescriptor(globalThis, 'fetch')!;
    restore();

    expect(attributes).toEqual({ configurable: true, enumerable: true, writable: true });
    expect(Object.getOwnPropertyDescriptor(globalThis, 'fetch')).toEqual(original);
  });

  test('is a getter again where it was one', () => {
    const accessor = { configurable: true, enumerable: false, get: () => original.value };
    Object.defineProperty(globalThis, 'fetch', accessor);

    const restore = wrapGlobalFetch();
    expect(globalThis.fetch).not.toBe(original.value);
    restore();

    expect(Object.getOwnPropertyDescriptor(globalThis, 'fetch')).toMatchObject(accessor);
  });

  test('is inherited again where it was no own property', async () => {
    await using server = await startServer();
    const { breaker, outcomes } = recording();
    const prototype = Object.getPrototypeOf(globalThis) as { fetch?: unknown };
    Object.defineProperty(prototype, 'fetch', { configurable: true, value: original.value });
    Reflect.deleteProperty(globalThis, 'fetch');
    try {
      const restore = wrapGlobalFetch(breaker);
      await fetch(server.url);
      restore();

      expect(Object.hasOwn(globalThis, 'fetch')).toBe(false);
      expect(globalThis.fetch).toBe(original.value);
      expect(outcomes).toEqual(['success 200']);
    } finally {
      Reflect.deleteProperty(prototype, 'fetch');
    }
  });

  test('is left as it is by a wrong option', () => {
    expect(() => wrapGlobalFetch({}, { watchbody: true } as object)).toThrow(TypeError);
    expect(() => wrapGlobalFetch({ breakers: {} } as object)).toThrow(TypeError);

    expect(globalThis.fetch).toBe(original.value);
  });
});

describe('restoring', () => {
  test('twice does nothing more', () => {
    const restore = wrapGlobalFetch();
    restore();
    const other = (): Promise<Response> => Promise.resolve(new Response());
    globalThis.fetch = other;

    restore();

    expect(globalThis.fetch).toBe(other);
  });

  test('beneath a foreign wrapper leaves that in place, and passes its calls through', async () => {
    await using server = await startServer();
    const { breaker, outcomes } = recording();
    const restore = wrapGlobalFetch(breaker);
    const guarded = globalThis.fetch;
    const foreign: typeof fetch = (...args) => guarded(...args);
    globalThis.fetch = foreign;
    await fetch(server.url);

    restore();

    expect(globalThis.fetch).toBe(foreign);
    expect((await fetch(server.url)).status).toBe(200);
    expect(outcomes).toEqual(['success 200']);
  });

  test('after a mock took the guard off does nothing, and a guard put back later passes through', async () => {
    await using server = await startServer();
    const { breaker, outcomes } = recording();
    const restore = wrapGlobalFetch(breaker);
    const guarded = globalThis.fetch;
    globalThis.fetch = original.value;

    restore();
    expect(globalThis.fetch).toBe(original.value);
    globalThis.fetch = guarded;
    await fetch(server.url);

    expect(outcomes).toEqual([]);
  });

  const orders: readonly (readonly [string, readonly number[]])[] = [
    ['the last first', [2, 1, 0]],
    ['the first first', [0, 1, 2]],
    ['the middle one first', [1, 2, 0]],
    ['the middle one last', [0, 2, 1]],
  ];
  test.for(orders)('three breakers, %s, leaves each of the others at work', async ([, order]) => {
    await using server = await startServer();
    const installs = [recording(), recording(), recording()];
    const restores = installs.map(({ breaker }) => wrapGlobalFetch(breaker));
    const installed = new Set([0, 1, 2]);

    for (const index of order) {
      restores[index]!();
      installed.delete(index);
      for (const { outcomes } of installs) outcomes.length = 0;
      await fetch(server.url);
      const counted = installs.map(({ outcomes }) => outcomes.length);
      expect(counted).toEqual([0, 1, 2].map((each) => (installed.has(each) ? 1 : 0)));
    }

    const isInOrder = order.join() === '2,1,0';
    expect(globalThis.fetch === original.value).toBe(isInOrder);
  });

  test('one of two installs of the same breaker leaves the other', async () => {
    await using server = await startServer();
    for (const first of [0, 1]) {
      const { breaker, outcomes } = recording();
      const restores = [wrapGlobalFetch(breaker), wrapGlobalFetch(breaker)];
      await fetch(server.url);
      restores[first]!();
      await fetch(server.url);
      restores[1 - first]!();
      await fetch(server.url);

      await fetch(server.url);

      expect(outcomes).toEqual(['success 200', 'success 200']);
      globalThis.fetch = original.value;
    }
  });

  test('leaves a fetch that was wrapped again for the same breaker guarded', async () => {
    await using server: TestServer = await startServer();
    const { breaker, outcomes } = recording();
    const restore = wrapGlobalFetch(breaker);
    const api = wrapFetch(fetch, breaker);
    await api(server.url);

    restore();
    await api(server.url);

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });

  test('leaves nothing of a guard that is met in a fetch kept from before', async () => {
    await using server = await startServer();
    const [breaker, other] = [recording(), recording()];
    const restore = wrapGlobalFetch(breaker.breaker);
    const restoreOther = wrapGlobalFetch(other.breaker, { fallback: () => new Response() });
    const kept = fetch;
    restoreOther();

    await wrapFetch(kept, breaker.breaker)(server.url);
    await wrapFetch(kept, other.breaker)(server.url);
    restore();

    expect(breaker.outcomes).toEqual(['success 200', 'success 200']);
    expect(other.outcomes).toEqual(['success 200']);
    other.breaker.find(`GET ${server.url}/`)!.transitionToForcedOpenState();
    await expect(wrapFetch(kept, other.breaker)(server.url)).rejects.toThrow('forced-open');
  });
});
