import { describe, expect, it } from 'vitest';
import { checkAdapterOptions } from '../../src/adapter.ts';

const fallback = (): object => ({});
const own = { watchBody: 'boolean', count: ['attempt', 'call'] } as const;

function check(options: unknown, breaker?: unknown): () => void {
  return () => checkAdapterOptions('guard', breaker, options, own);
}

describe('the options of an adapter', () => {
  it.each([
    {},
    { fallback },
    { fallback, fallbackOn: 'refusal' },
    { fallback, fallbackOn: 'failure', watchBody: false, count: 'call' },
    { fallback: undefined, fallbackOn: undefined, watchBody: undefined },
  ])('may be %o', (options) => {
    expect(check(options)).not.toThrow();
  });

  it.each([
    [null, 'guard: options must be an object, but is null'],
    [[fallback], 'guard: options must be an object, but is a list'],
    [fallback, 'guard: options must be an object, but is a function'],
    [
      { falback: fallback },
      "guard: 'falback' is not known; did you mean 'fallback'?; the options of the breaker belong in the argument before",
    ],
    [{ fallback: {} }, 'guard: fallback must be a function, but is an object'],
    [
      { fallback, fallbackOn: 'failed' },
      "guard: fallbackOn must be one of 'refusal', 'failure', but is 'failed'",
    ],
    [{ fallbackOn: 'failure' }, 'guard: fallbackOn has no effect without a fallback'],
    [{ watchBody: 1 }, 'guard: watchBody must be true or false, but is 1'],
    [{ count: 'calls' }, /^guard: count must be one of 'attempt', 'call', but is 'calls'/],
  ])('can not be %o', (options, message) => {
    expect(check(options)).toThrow(TypeError);
    expect(check(options)).toThrow(message);
  });

  it.each(['fallback', 'fallbackOn', 'watchBody', 'count'])(
    'do not hide among those of the breaker: %s',
    (name) => {
      expect(check({}, { [name]: fallback })).toThrow(
        new TypeError(`guard: '${name}' belongs in the argument after the breaker's options`),
      );
    },
  );
});
