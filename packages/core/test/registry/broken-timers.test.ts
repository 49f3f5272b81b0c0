import { afterEach, describe, expect, it, vi } from 'vitest';
import { BreakerRegistry, HttpCircuitBreaker } from '../../src/index.ts';

type SetTimer = () => unknown;

const noFunctions: [what: string, setTimer: SetTimer][] = [
  ['an object that is no function', () => ({ unref: () => {} })],
  ['a promise', async () => () => {}],
];

const throwing: SetTimer = () => () => {
  throw new Error('it can not be cancelled');
};

function optionsWith(setTimer: SetTimer) {
  return {
    clock: { now: () => 0, date: () => 0, setTimer: setTimer as () => never },
    breaker: { automaticTransitionFromOpenToHalfOpenEnabled: true },
  };
}

/** A registry of open breakers, whose timers are set or were to be, and what it told. */
function registryOf(setTimer: SetTimer, ...keys: string[]) {
  const registry = new BreakerRegistry(optionsWith(setTimer));
  const evicted: string[] = [];
  registry.on('breakerEvicted', ({ key }) => evicted.push(key));
  for (const key of keys) registry.get(key)?.transitionToOpenState();
  return { registry, evicted };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([...noFunctions, ['a cancel that throws', throwing] as const])(
  'a clock.setTimer that answers %s',
  (_, setTimer) => {
    it('lets delete take a breaker away', () => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const { registry, evicted } = registryOf(setTimer, 'a', 'b');
      expect(registry.delete('a')).toBe(true);
      expect(registry.size).toBe(1);
      expect([...registry].map(([key]) => key)).toEqual(['b']);
      expect(evicted).toEqual(['a']);
    });

    it('lets clear take all away', () => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const { registry, evicted } = registryOf(setTimer, 'a', 'b', 'c');
      registry.clear();
      expect(registry.size).toBe(0);
      expect([...registry]).toEqual([]);
      expect(evicted).toEqual(['a', 'b', 'c']);
      expect(registry.get('a')?.state).toBe('closed');
    });

    it('lets a breaker go to make room, and its place at the host with it, and an event tells', () => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const http = new HttpCircuitBreaker({
        ...optionsWith(setTimer),
        level: 'endpoint',
        maxBreakers: 1,
        maxEndpointsPerHost: 1,
      });
      const sources = new Set<string>();
      http.on('error', ({ source }) => sources.add(source));
      const call = (url: string): unknown => http.admit({ method: 'GET', url }).responded(200);
      const keys = (): string[] => http.snapshot().breakers.map(({ key }) => key);
      call('http://one.example/first');
      http.find('GET http://one.example/first')?.transitionToOpenState();
      http.find('GET http://one.example/first')?.reset();

      call('http://other.example/');
      expect(keys()).toEqual(['GET http://other.example/']);
      call('http://one.example/second');
      expect(keys()).toEqual(['GET http://one.example/second']);
      expect(http.snapshot()).toMatchObject({ evictions: 2, overflows: 0, unguarded: 0 });
      expect(sources).toEqual(new Set(['clock']));
    });
  },
);

it.each([...noFunctions, ['nothing', () => undefined] as const])(
  'a clock.setTimer that answers %s is told of as soon as a breaker opens',
  (_, setTimer) => {
    const registry = new BreakerRegistry(optionsWith(setTimer));
    const errors: unknown[] = [];
    registry.on('error', ({ source, error }) => errors.push(source, error));
    registry.get('a')?.transitionToOpenState();
    expect(errors).toEqual(['clock', expect.any(TypeError)]);
  },
);
