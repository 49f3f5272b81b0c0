import { describe, expect, it } from 'vitest';
import { BreakerRegistry, ManualClock, type BreakerRegistryOptions } from '../../src/index.ts';

function complaint(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'none';
}

const make = (options: unknown) => () => new BreakerRegistry(options as BreakerRegistryOptions);

describe('options of a registry that are wrong', () => {
  it.each<[options: unknown, name: string, ...words: string[]]>([
    [null, 'TypeError', 'options', 'null'],
    [7, 'TypeError', 'options', '7'],
    [{ maxBreaker: 7 }, 'TypeError', "'maxBreaker'", "did you mean 'maxBreakers'?"],
    [{ hostBreaker: {} }, 'TypeError', "'hostBreaker'"],
    [{ maxBreakers: 0 }, 'RangeError', 'maxBreakers', '0'],
    [{ maxBreakers: 1.5 }, 'RangeError', 'maxBreakers', '1.5'],
    [{ maxBreakers: '7' }, 'TypeError', 'maxBreakers', "'7'"],
    [{ maxBreakers: Infinity }, 'RangeError', 'maxBreakers', 'Infinity'],
    [{ idleTimeout: 0 }, 'RangeError', 'idleTimeout', '0'],
    [{ idleTimeout: NaN }, 'RangeError', 'idleTimeout', 'NaN'],
    [{ idleTimeout: null }, 'TypeError', 'idleTimeout', 'null'],
    [{ breaker: null }, 'TypeError', 'breaker', 'null'],
    [{ breaker: { failureRateThreshold: 0 } }, 'RangeError', 'breaker.failureRateThreshold', '0'],
    [{ breaker: { clock: new ManualClock() } }, 'TypeError', 'breaker.clock'],
    [{ clock: {} }, 'TypeError', 'clock.now', 'undefined'],
    [{ configs: [] }, 'TypeError', 'configs', 'list'],
    [{ configs: { a: null } }, 'TypeError', 'configs.a', 'null'],
    [
      { configs: { a: { failureRateThreshold: 101 } } },
      'RangeError',
      'configs.a.failureRateThreshold',
      '101',
    ],
    [{ configs: { a: { slidingWindow: 1 } } }, 'TypeError', 'configs.a', "'slidingWindow'"],
    [{ configs: { first: { base: 'secnod' }, second: {} } }, 'TypeError', "did you mean 'second'?"],
    [{ configs: { a: { base: 'b' }, b: { base: 'a' } } }, 'TypeError', 'configs.a', 'a → b → a'],
    [{ configs: { a: { base: null }, b: {} } }, 'TypeError', 'configs.a', 'base', 'null'],
  ])('%o', (options, name, ...words) => {
    const message = complaint(make(options));
    expect(message).toMatch(new RegExp(`^${name}: `));
    for (const word of words) expect(message).toContain(word);
  });

  it('are not changed, nor held on to', () => {
    const options = {
      breaker: { minimumNumberOfCalls: 7 },
      configs: { a: { failureRateThreshold: 7, base: 'b' }, b: { slidingWindowSize: 7 } },
      maxBreakers: 7,
    };
    const before = structuredClone(options);
    const registry = new BreakerRegistry(options);
    registry.get('x');
    expect(options).toEqual(before);
    options.breaker.minimumNumberOfCalls = 1;
    options.configs.a.failureRateThreshold = 1;
    options.configs.b.slidingWindowSize = 1;
    options.maxBreakers = 1;
    for (let key = 0; key < 5; key++) registry.get(`k${key}`);
    expect(registry.size).toBe(6);
    expect(registry.get('a')?.machine.options).toMatchObject({
      minimumNumberOfCalls: 7,
      failureRateThreshold: 7,
      slidingWindowSize: 7,
    });
  });
});

describe('configurations by name', () => {
  const configs = {
    base: { failureRateThreshold: 11, minimumNumberOfCalls: 12, slidingWindowSize: 13 },
    pricing: { base: 'base', minimumNumberOfCalls: 22 },
    timed: { base: 'pricing', slidingWindowType: 'time-based' },
  } as const;
  const registry = new BreakerRegistry({ breaker: { slowCallRateThreshold: 1 }, configs });
  const optionsOf = (key: string, config?: string) => registry.get(key, config)?.machine.options;

  it('are taken by the breaker of that key', () => {
    expect(optionsOf('pricing')).toMatchObject({ minimumNumberOfCalls: 22 });
    expect(optionsOf('other')).toMatchObject({ minimumNumberOfCalls: 100 });
  });

  it('are taken by one that asks for them', () => {
    expect(optionsOf('inventory', 'pricing')).toMatchObject({ minimumNumberOfCalls: 22 });
  });

  it('lie over their base, property by property, and over the general options', () => {
    expect(optionsOf('x', 'pricing')).toMatchObject({
      slowCallRateThreshold: 1,
      failureRateThreshold: 11,
      minimumNumberOfCalls: 22,
      slidingWindowSize: 13,
    });
  });

  it('bring the size of the window that they set the type of', () => {
    expect(optionsOf('y', 'timed')).toMatchObject({
      slidingWindowType: 'time-based',
      slidingWindowSize: 30,
    });
  });

  it('share one object of options among their breakers', () => {
    expect(optionsOf('s1', 'base')).toBe(optionsOf('s2', 'base'));
  });

  it.each<[key: unknown, config: unknown, ...words: string[]]>([
    ['', undefined, 'key', "''"],
    [7, undefined, 'key', '7'],
    [undefined, undefined, 'key', 'undefined'],
    ['z', 'pricng', "'pricng'", "did you mean 'pricing'?"],
    ['z', 'toString', "'toString'"],
    ['z', 7, '7'],
  ])('get(%o, %o) is a TypeError', (key, config, ...words) => {
    const message = complaint(() => registry.get(key as string, config as string));
    expect(message).toMatch(/^TypeError: /);
    for (const word of words) expect(message).toContain(word);
    expect(registry.has('z')).toBe(false);
  });
});
