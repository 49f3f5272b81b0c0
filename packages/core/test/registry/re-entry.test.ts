import { describe, expect, it } from 'vitest';
import { BreakerRegistry, HttpCircuitBreaker, ManualClock } from '../../src/index.ts';

const MOST = 3;

type Use = (registry: BreakerRegistry) => void;

const uses: [what: string, use: Use][] = [
  [
    'gets two others',
    (registry) => {
      for (const key of ['x', 'y']) registry.get(key);
    },
  ],
  ['gets the key that room is made for', (registry) => void registry.get('new')],
  ['deletes its own breaker', (registry) => void registry.delete('a')],
  ['deletes the next breaker', (registry) => void registry.delete('b')],
  [
    'deletes its own breaker and gets it again',
    (registry) => {
      registry.delete('a');
      registry.get('a');
    },
  ],
  ['clears it', (registry) => registry.clear()],
  [
    'clears it and fills it again',
    (registry) => {
      registry.clear();
      for (const key of ['a', 'p', 'q', 'r', 's']) registry.get(key);
    },
  ],
];

/**
 * A full registry, the oldest breaker of which moves when it is judged, and so asks its wait
 * function, which uses the registry once. `told` are the keys that it holds by its events.
 */
function registryOf(use: Use, options: { idleTimeout?: number } = {}) {
  const clock = new ManualClock();
  let isUsed = true;
  const registry: BreakerRegistry = new BreakerRegistry({
    maxBreakers: MOST,
    clock,
    ...options,
    configs: {
      a: {
        initialState: 'half-open',
        maxWaitDurationInHalfOpenState: 1000,
        waitDurationInOpenState: () => {
          if (!isUsed) use(registry);
          isUsed = true;
          return 60_000;
        },
      },
    },
  });
  const told: string[] = [];
  registry.on('breakerAdded', ({ key }) => told.push(key));
  registry.on('breakerEvicted', ({ key }) => {
    expect(told).toContain(key);
    told.splice(told.indexOf(key), 1);
  });
  const errors: unknown[] = [];
  registry.on('error', ({ error }) => errors.push(error));
  for (const key of ['a', 'b', 'c']) registry.get(key);
  clock.advance(2000);
  isUsed = false;
  return { registry, clock, told, errors };
}

type Rig = ReturnType<typeof registryOf>;

function expectWhole({ registry, told, errors }: Rig): void {
  expect(registry.size).toBeLessThanOrEqual(MOST);
  const entries = [...registry];
  expect(entries).toHaveLength(registry.size);
  expect(entries.map(([key]) => key).toSorted()).toEqual(told.toSorted());
  for (const [key, breaker] of entries) expect(registry.get(key)).toBe(breaker);
  expect(errors).toEqual([]);
}

/** Every new key is served, once nothing in the registry protects anything. */
function expectServing(rig: Rig): void {
  const { registry, clock } = rig;
  for (let later = 0; later < 20; later++) {
    for (const [, breaker] of registry) breaker.reset();
    clock.advance(70_000);
    const made = registry.get(`later ${later}`);
    expect(made).toBeDefined();
    expect(registry.get(`later ${later}`)).toBe(made);
    expectWhole(rig);
  }
}

describe('a registry that makes room', () => {
  it.each(uses)('stays whole where a wait function %s', (_, use) => {
    const rig = registryOf(use);
    const made = rig.registry.get('new');
    expectWhole(rig);
    expect(rig.registry.get('new')).toBe(made);
    expectServing(rig);
    expect(rig.registry.size).toBe(MOST);
  });
});

describe('a registry whose idle breakers go', () => {
  // To delete the next is what going does, too.
  it.each(uses.filter(([what]) => what !== 'deletes the next breaker'))(
    'stays whole where a wait function %s',
    (_, use) => {
      const rig = registryOf(use, { idleTimeout: 10 });
      rig.registry.get('c');
      expectWhole(rig);
      expectServing(rig);
    },
  );
});

it('a wait function that calls other hosts has no more breakers than may be', () => {
  const clock = new ManualClock();
  const hosts: string[] = [];
  let isUsed = true;
  const call = (host: string): void => {
    hosts.push(host);
    http.admit({ method: 'GET', url: `http://${host}.example/` }).responded(200);
  };
  const http: HttpCircuitBreaker = new HttpCircuitBreaker({
    clock,
    maxBreakers: MOST,
    level: 'host',
    overrides: [
      {
        host: 'first.example',
        level: 'host',
        breaker: {
          initialState: 'half-open',
          maxWaitDurationInHalfOpenState: 1000,
          transitionToStateAfterWaitDuration: 'open',
          waitDurationInOpenState: () => {
            if (!isUsed) for (const host of ['one', 'two']) call(host);
            isUsed = true;
            return 1;
          },
        },
      },
    ],
  });
  const expectBounded = (): void => {
    const living = hosts.filter((host) => http.find(`http://${host}.example`) !== undefined);
    expect(living.length).toBeLessThanOrEqual(MOST);
    expect(http.snapshot().breakers).toHaveLength(living.length);
  };
  for (const host of ['first', 'second', 'third']) call(host);
  clock.advance(2000);
  isUsed = false;
  call('new');
  expectBounded();
  for (let later = 0; later < 20; later++) {
    clock.advance(100);
    call(`later-${later}`);
    expectBounded();
  }
  expect(http.snapshot()).toMatchObject({ overflows: 0, unguarded: 0 });
});
