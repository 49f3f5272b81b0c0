import { describe, expect, it } from 'vitest';
import { CallNotPermittedError } from '../../src/index.ts';
import { manualBreaker, only, typesOf } from './manual-breaker.ts';
import { thenable } from './thenable.ts';

const busy = new Error('busy');

describe('execute', () => {
  it.each<[kind: string, body: () => string | PromiseLike<string>]>([
    ['a value', () => 'value'],
    ['a promise', () => Promise.resolve('value')],
    ['an async function', async () => 'value'],
    ['a thenable', () => thenable((resolve) => resolve('value'))],
  ])('resolves to what the body gives: %s', async (_, body) => {
    const { breaker, events } = manualBreaker();
    expect(await breaker.execute(body)).toBe('value');
    expect(typesOf(events)).toEqual(['success']);
  });

  it.each<[kind: string, body: () => unknown]>([
    [
      'throws',
      () => {
        throw busy;
      },
    ],
    ['rejects', () => Promise.reject(busy)],
    ['answers a thenable that rejects', () => thenable((_, reject) => reject(busy))],
    [
      'answers a thenable that throws',
      () =>
        thenable(() => {
          throw busy;
        }),
    ],
    [
      'answers an object that cannot be read',
      () =>
        new Proxy(
          {},
          {
            get() {
              throw busy;
            },
          },
        ),
    ],
  ])('rejects with the very error of a body that %s', async (_, body) => {
    const { breaker, events } = manualBreaker();
    await expect(breaker.execute(body)).rejects.toBe(busy);
    expect(events).toMatchObject([{ type: 'failure', error: busy }]);
  });

  it.each([undefined, null, 'text', 0])(
    'rejects with %s, where the body throws that',
    async (thrown) => {
      const { breaker } = manualBreaker();
      const error: unknown = await breaker
        .execute(() => Promise.reject(thrown))
        .then(
          () => 'resolved',
          (reason: unknown) => ({ reason }),
        );
      expect(error).toEqual({ reason: thrown });
      expect(breaker.metrics().numberOfFailedCalls).toBe(1);
    },
  );

  it('calls the body at once, and counts the call as out until it settles', async () => {
    const { breaker, clock, events } = manualBreaker();
    let resolve: (value: string) => void = () => {};
    const promise = new Promise<string>((settle) => {
      resolve = settle;
    });
    let called = false;
    const call = breaker.execute(() => {
      called = true;
      return promise;
    });
    expect(called).toBe(true);
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 1, numberOfBufferedCalls: 0 });
    clock.advance(42);
    resolve('value');
    await call;
    expect(only(events, 'success')).toMatchObject([{ elapsed: 42 }]);
    expect(breaker.metrics().callsInFlight).toBe(0);
  });

  it('rejects where the breaker refuses, never throws, and leaves the body uncalled', async () => {
    const { breaker } = manualBreaker({ initialState: 'open' });
    let called = false;
    const call = breaker.execute(() => {
      called = true;
    });
    await expect(call).rejects.toBeInstanceOf(CallNotPermittedError);
    expect(called).toBe(false);
    expect(breaker.metrics().numberOfNotPermittedCalls).toBe(1);
  });

  it('classifies what the body throws and returns', async () => {
    const { breaker, events } = manualBreaker({
      ignoreErrors: [RangeError],
      recordErrors: [TypeError],
      recordResult: (value) => value === 'bad',
    });
    await breaker.execute(() => Promise.reject(new RangeError())).catch(() => {});
    await breaker.execute(() => Promise.reject(new TypeError())).catch(() => {});
    await breaker.execute(() => Promise.reject(busy)).catch(() => {});
    await breaker.execute(() => 'bad');
    expect(typesOf(events)).toEqual(['ignored', 'failure', 'success', 'failure']);
  });

  it.each([undefined, null, 'body', {}, Promise.resolve(1)])(
    'rejects %o for a body, and takes no permit',
    async (body) => {
      const { breaker } = manualBreaker({ maxConcurrentCalls: 1 });
      await expect(breaker.execute(body as never)).rejects.toBeInstanceOf(TypeError);
      expect(breaker.metrics()).toMatchObject({ callsInFlight: 0, numberOfBufferedCalls: 0 });
    },
  );

  it.each([{ fallback: 'text' }, { fallback: null }, null, 'fallback', []])(
    'rejects the options %o, and takes no permit and calls nothing',
    async (options) => {
      const { breaker } = manualBreaker();
      let called = false;
      const call = breaker.execute(() => {
        called = true;
      }, options as never);
      await expect(call).rejects.toBeInstanceOf(TypeError);
      expect(called).toBe(false);
      expect(breaker.metrics().callsInFlight).toBe(0);
    },
  );

  it('may be nested with another breaker: an inner refusal is no failure of the outer', async () => {
    const outer = manualBreaker();
    const inner = manualBreaker({ initialState: 'forced-open' });
    await expect(
      outer.breaker.execute(() => inner.breaker.execute(() => 'never')),
    ).rejects.toMatchObject({ reason: 'forced-open' });
    expect(typesOf(outer.events)).toEqual(['ignored']);
  });

  it('gives every caller the result of his own call', async () => {
    const { breaker } = manualBreaker();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, call) => breaker.execute(async () => call)),
    );
    expect(results).toEqual(Array.from({ length: 50 }, (_, call) => call));
  });
});
