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
 * function, which uses the registry once.
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
  for (const key of ['a', 'b', 'c']) registry.get(key);
  clock.advance(2000);
  isUsed = false;
  return { registry, clock };
}

function expectWhole(registry: BreakerRegistry): void {
  expect(registry.size).toBeLessThanOrEqual(MOST);
  const entries = [...registry];
  expect(entries).toHaveLength(registry.size);
  for (const [key, breaker] of entries) expect(registry.get(key)).toBe(breaker);
}

/** Every new key is served, once nothing in the registry protects anything. */
function expectServing(registry: BreakerRegistry): void {
  for (let later = 0; later < 20; later++) {
    for (const [, breaker] of registry) breaker.reset();
    const made = registry.get(`later ${later}`);
    expect(made).toBeDefined();
    expect(registry.get(`later ${later}`)).toBe(made);
    expectWhole(registry);
  }
  expect(registry.size).toBe(MOST);
}

describe.each(uses)('a wait function that %s', (_, use) => {
  it('while the registry makes room leaves it whole', () => {
    const { registry } = registryOf(use);
    const made = registry.get('new');
    expectWhole(registry);
    expect(registry.get('new')).toBe(made);
    expectServing(registry);
  });

  it('while idle breakers expire leaves the registry whole', () => {
    const { registry, clock } = registryOf(use, { idleTimeout: 10 });
    registry.get('c');
    expectWhole(registry);
    clock.advance(2000);
    expectServing(registry);
  });
});

it('a wait function that calls other hosts has no more breakers than may be', () => {
  const clock = new ManualClock();
  let isUsed = true;
  const call = (host: string): void => {
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
  for (const host of ['first', 'second', 'third']) call(host);
  clock.advance(2000);
  isUsed = false;
  call('new');
  expect(http.snapshot().breakers.length).toBeLessThanOrEqual(MOST);
  for (let later = 0; later < 20; later++) {
    clock.advance(100);
    call(`later-${later}`);
    expect(http.snapshot().breakers.length).toBeLessThanOrEqual(MOST);
  }
  expect(http.snapshot()).toMatchObject({ overflows: 0, unguarded: 0 });
});
