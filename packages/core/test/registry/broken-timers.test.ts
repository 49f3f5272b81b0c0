import { afterEach, describe, expect, it, vi } from 'vitest';
import { BreakerRegistry, HttpCircuitBreaker, type Clock } from '../../src/index.ts';

const brokenTimers: [what: string, setTimer: () => unknown][] = [
  ['an object that is no function', () => ({ unref: () => {} })],
  ['nothing', () => undefined],
  ['a promise', async () => () => {}],
  [
    'a cancel that throws',
    () => () => {
      throw new Error('it can not be cancelled');
    },
  ],
];

function clockWith(setTimer: () => unknown): Clock {
  return { now: () => 0, date: () => 0, setTimer: setTimer as () => never };
}

const breaker = { automaticTransitionFromOpenToHalfOpenEnabled: true };

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(brokenTimers)('a clock.setTimer that answers %s', (_, setTimer) => {
  const clock = clockWith(setTimer);

  /** A registry with open breakers, whose timers are set or were to be, and what it told of them. */
  function registryOf(...keys: string[]) {
    const registry = new BreakerRegistry({ clock, breaker });
    const sources: string[] = [];
    const evicted: string[] = [];
    registry.on('error', ({ source }) => sources.push(source));
    registry.on('breakerEvicted', ({ key }) => evicted.push(key));
    for (const key of keys) registry.get(key)?.transitionToOpenState();
    return { registry, sources, evicted };
  }

  it('lets delete take the breaker away, and an event tells', () => {
    const { registry, sources, evicted } = registryOf('a', 'b');
    expect(registry.delete('a')).toBe(true);
    expect(registry.size).toBe(1);
    expect([...registry].map(([key]) => key)).toEqual(['b']);
    expect(evicted).toEqual(['a']);
    expect(sources).toContain('clock');
    expect(new Set(sources)).toEqual(new Set(['clock']));
  });

  it('lets clear take all away', () => {
    const { registry, evicted } = registryOf('a', 'b', 'c');
    registry.clear();
    expect(registry.size).toBe(0);
    expect([...registry]).toEqual([]);
    expect(evicted).toEqual(['a', 'b', 'c']);
    expect(registry.get('a')?.state).toBe('closed');
  });

  it('lets a breaker go to make room, and its place at the host with it', () => {
    const http = new HttpCircuitBreaker({
      clock,
      breaker,
      level: 'endpoint',
      maxBreakers: 1,
      maxEndpointsPerHost: 1,
    });
    const sources: string[] = [];
    http.on('error', ({ source }) => sources.push(source));
    const call = (url: string): void => http.admit({ method: 'GET', url }).responded(200);
    const keys = (): string[] => http.snapshot().breakers.map(({ key }) => key);
    call('http://one.example/first');
    http.find('GET http://one.example/first')?.transitionToOpenState();
    http.find('GET http://one.example/first')?.reset();

    call('http://other.example/');
    expect(keys()).toEqual(['GET http://other.example/']);
    call('http://one.example/second');
    expect(keys()).toEqual(['GET http://one.example/second']);
    expect(http.snapshot()).toMatchObject({ evictions: 2, overflows: 0, unguarded: 0 });
    expect(sources).toContain('clock');
  });
});
