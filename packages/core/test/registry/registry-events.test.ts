import { describe, expect, it } from 'vitest';
import {
  BreakerRegistry,
  ManualClock,
  type BreakerEvictedEvent,
  type BreakerRegistryEvents,
  type BreakerRegistryOptions,
} from '../../src/index.ts';

function listen<Type extends keyof BreakerRegistryEvents>(
  options: BreakerRegistryOptions,
  ...types: Type[]
) {
  const clock = new ManualClock({ now: 50, date: 1000 });
  const registry = new BreakerRegistry({ clock, ...options });
  const events: BreakerRegistryEvents[Type][] = [];
  for (const type of types) registry.on(type, (event) => events.push(event));
  return { registry, clock, events };
}

describe('the events of a registry', () => {
  it('tell of a breaker that was added', () => {
    const { registry, events } = listen({}, 'breakerAdded');
    for (const key of ['a', 'a', 'b']) registry.get(key);
    expect(events).toEqual([
      { type: 'breakerAdded', breaker: 'a', key: 'a', at: 1000 },
      { type: 'breakerAdded', breaker: 'b', key: 'b', at: 1000 },
    ]);
  });

  it('tell of a breaker that was evicted, before the one that takes its place', () => {
    const { registry, events } = listen({ maxBreakers: 1 }, 'breakerAdded', 'breakerEvicted');
    registry.get('a');
    registry.get('b');
    expect(events.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'breakerAdded a',
      'breakerEvicted a',
      'breakerAdded b',
    ]);
    expect(events[1]).toEqual({
      type: 'breakerEvicted',
      breaker: 'a',
      key: 'a',
      at: 1000,
      reason: 'room',
      openingsInARow: 0,
      consecutiveFailures: 0,
    });
  });

  it('tell which openings and which row of failures were lost with it', () => {
    const breaker = { waitDurationInOpenState: 10, minimumNumberOfCalls: 10 };
    const { registry, clock, events } = listen({ breaker, maxBreakers: 2 }, 'breakerEvicted');
    for (let call = 0; call < 3; call++) registry.get('failing')?.acquire().failure();
    registry.get('opened')?.transitionToOpenState();
    clock.advance(11);
    for (const key of ['x', 'y']) registry.get(key)?.transitionToForcedOpenState();
    expect(events).toMatchObject([
      { key: 'failing', reason: 'room', openingsInARow: 0, consecutiveFailures: 3 },
      { key: 'opened', reason: 'room', openingsInARow: 1, consecutiveFailures: 0 },
    ] satisfies Partial<BreakerEvictedEvent>[]);
  });

  it('tell why it went: for room, for being idle, or by hand', () => {
    const { registry, clock, events } = listen(
      { maxBreakers: 2, idleTimeout: 1000 },
      'breakerEvicted',
    );
    for (const key of ['a', 'b', 'c']) registry.get(key);
    registry.delete('b');
    clock.advance(1001);
    registry.get('d');
    registry.clear();
    expect(events.map(({ key, reason }) => `${key} ${reason}`)).toEqual([
      'a room',
      'b deleted',
      'c idle',
      'd deleted',
    ]);
  });

  it('tell of each new key that got no breaker', () => {
    const { registry, events } = listen({ maxBreakers: 1 }, 'registryFull');
    registry.get('a')?.transitionToOpenState();
    registry.get('b');
    expect(events).toEqual([
      { type: 'registryFull', breaker: 'b', key: 'b', maxBreakers: 1, at: 1000 },
    ]);
  });

  it('are refused for a type that is none, with the nearest right name', () => {
    const registry = new BreakerRegistry();
    expect(() => registry.on('breakerEvict' as never, () => {})).toThrow("'breakerEvicted'?");
    expect(() => registry.on('breakerAdded', null as never)).toThrow(TypeError);
  });
});

describe('a listener', () => {
  it('of the registry hears of all breakers, present and future', () => {
    const { registry, events } = listen({}, 'failure');
    for (const key of ['a', 'b']) registry.get(key)?.acquire().failure();
    expect(events.map(({ breaker }) => breaker)).toEqual(['a', 'b']);
  });

  it('of one breaker hears of that one alone', () => {
    const { registry } = listen({});
    const heard: string[] = [];
    registry.get('a')?.on('failure', ({ breaker }) => heard.push(breaker));
    for (const key of ['a', 'b', 'a']) registry.get(key)?.acquire().failure();
    expect(heard).toEqual(['a', 'a']);
  });

  it('of one breaker can be removed by itself', () => {
    const { registry } = listen({});
    const heard: string[] = [];
    const remove = registry.get('a')?.on('failure', () => heard.push('removed'));
    registry.get('a')?.on('failure', () => heard.push('kept'));
    remove?.();
    registry.get('a')?.acquire().failure();
    expect(heard).toEqual(['kept']);
  });

  it('that throws harms neither the call nor the others: an error event tells', () => {
    const { registry, events } = listen({}, 'error');
    const error = new Error('a bug of the user’s');
    registry.on('breakerAdded', () => {
      throw error;
    });
    let others = 0;
    registry.on('breakerAdded', () => others++);
    expect(registry.get('a')).toBeDefined();
    expect(others).toBe(1);
    expect(events).toMatchObject([
      { breaker: 'a', error, source: "a listener for 'breakerAdded'" },
    ]);
  });
});

describe('a listener that acts on the registry', () => {
  it('may get and delete breakers, in events about breakers', () => {
    const { registry } = listen({});
    registry.on('breakerAdded', ({ key }) => {
      if (!key.startsWith('shadow of ')) registry.get(`shadow of ${key}`);
    });
    registry.on('breakerEvicted', ({ key }) => registry.delete(`shadow of ${key}`));
    for (const key of ['a', 'b']) registry.get(key);
    registry.delete('a');
    expect([...registry].map(([key]) => key)).toEqual(['b', 'shadow of b']);
  });

  it('may delete the very breaker that the event is about', () => {
    const { registry } = listen({ breaker: { minimumNumberOfCalls: 1 } });
    registry.on('stateTransition', ({ breaker }) => registry.delete(breaker));
    const breaker = registry.get('a')!;
    const other = breaker.acquire();
    breaker.acquire().failure();
    expect(registry.has('a')).toBe(false);
    other.failure();
    expect(breaker.metrics().callsInFlight).toBe(0);
    expect(registry.get('a')?.state).toBe('closed');
  });

  it('may clear it while it makes room', () => {
    const { registry } = listen({ maxBreakers: 2 });
    registry.on('breakerEvicted', ({ reason }) => {
      if (reason === 'room') registry.clear();
    });
    for (const key of ['a', 'b', 'c']) expect(registry.get(key)).toBeDefined();
    expect(registry.size).toBe(0);
    expect([...registry]).toEqual([]);
    registry.get('d');
    expect(registry.size).toBe(1);
  });
});
