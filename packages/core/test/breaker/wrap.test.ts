import { describe, expect, it } from 'vitest';
import { CallNotPermittedError } from '../../src/index.ts';
import { manualBreaker, typesOf } from './manual-breaker.ts';

describe('wrap', () => {
  it('passes the arguments and the result on', async () => {
    const { breaker, events } = manualBreaker();
    const add = breaker.wrap((left: number, right: number) => left + right);
    expect(await add(1, 2)).toBe(3);
    expect(await breaker.wrap(async (...all: number[]) => all)(1, 2, 3)).toEqual([1, 2, 3]);
    expect(await breaker.wrap((...all: unknown[]) => all.length)(undefined, undefined)).toBe(2);
    expect(typesOf(events)).toEqual(['success', 'success', 'success']);
  });

  it('keeps this', async () => {
    const { breaker } = manualBreaker();
    const client = {
      base: 'https://api.test',
      price: breaker.wrap(async function (this: { base: string }, id: string) {
        return `${this.base}/${id}`;
      }),
    };
    expect(await client.price('7')).toBe('https://api.test/7');
    const own = breaker.wrap(function (this: unknown) {
      return this;
    });
    expect(await own.call('text')).toBe('text');
    expect(await own.call(undefined)).toBeUndefined();
  });

  it('keeps the name and the length', () => {
    const { breaker } = manualBreaker();
    function price(_id: string, _currency: string): number {
      return 1;
    }
    const wrapped = breaker.wrap(price);
    expect(wrapped.name).toBe('price');
    expect(wrapped).toHaveLength(2);
    expect(breaker.wrap(() => 1).name).toBe('');
    expect(breaker.wrap((..._all: unknown[]) => 1)).toHaveLength(0);
  });

  it('rejects where the body throws or the breaker refuses, and never throws', async () => {
    const { breaker } = manualBreaker();
    const busy = new Error('busy');
    const wrapped = breaker.wrap((): number => {
      throw busy;
    });
    await expect(wrapped()).rejects.toBe(busy);
    breaker.transitionToForcedOpenState();
    await expect(wrapped()).rejects.toBeInstanceOf(CallNotPermittedError);
  });

  it('gives the fallback the cause and then the arguments', async () => {
    const { breaker } = manualBreaker();
    const seen: unknown[][] = [];
    const busy = new Error('busy');
    const wrapped = breaker.wrap(
      (_id: string, _count: number): Promise<string> => Promise.reject(busy),
      {
        fallback: (...all) => {
          seen.push(all);
          return 'last known';
        },
      },
    );
    expect(await wrapped('7', 2)).toBe('last known');
    breaker.transitionToForcedOpenState();
    expect(await wrapped('8', 3)).toBe('last known');
    expect(seen).toEqual([
      [busy, '7', 2],
      [expect.any(CallNotPermittedError), '8', 3],
    ]);
  });

  it('records the outcome before the fallback runs', async () => {
    const { breaker } = manualBreaker({ minimumNumberOfCalls: 1 });
    const wrapped = breaker.wrap((): Promise<string> => Promise.reject(new Error('busy')), {
      fallback: () => breaker.state,
    });
    expect(await wrapped()).toBe('open');
  });

  it.each([undefined, null, 'body', {}])('refuses %o for a body at once', (body) => {
    const { breaker } = manualBreaker();
    expect(() => breaker.wrap(body as never)).toThrow(TypeError);
  });

  it.each([{ fallback: 'text' }, null, 'fallback'])('refuses the options %o at once', (options) => {
    const { breaker } = manualBreaker();
    expect(() => breaker.wrap(() => 1, options as never)).toThrow(TypeError);
  });

  it('makes functions that share the breaker', async () => {
    const { breaker } = manualBreaker({ minimumNumberOfCalls: 2 });
    const price = breaker.wrap(() => Promise.reject(new Error('busy')));
    const stock = breaker.wrap(() => 'in stock');
    await price().catch(() => {});
    await price().catch(() => {});
    await expect(stock()).rejects.toBeInstanceOf(CallNotPermittedError);
  });
});
