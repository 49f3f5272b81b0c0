import { describe, expect, it } from 'vitest';
import { BreakerRegistry, HttpCircuitBreaker, ManualClock } from '../../src/index.ts';

const MOST = 3;

type Use = (registry: BreakerRegistry) => void;

const uses: [what: string, use: Use][] = [
  [
    'gets others',
    (registry) => {
      for (const key of ['x', 'y', 'z', 'b', 'c']) registry.get(key);
    },
  ],
  ['gets the key that room is made for', (registry) => void registry.get('new')],
  ['deletes its own', (registry) => void registry.delete('a')],
  ['deletes the next', (registry) => void registry.delete('b')],
  [
    'deletes its own and gets it again',
    (registry) => {
      registry.delete('a');
      registry.get('a');
    },
  ],
  ['clears it', (registry) => registry.clear()],
  [
    'clears and refills it',
    (registry) => {
      registry.clear();
      for (const key of ['a', 'p', 'q', 'r', 's']) registry.get(key);
    },
  ],
];

/**
 * A full registry of breakers that move when they are judged, and so ask their wait function, which
 * uses the registry.
 */
function registryOf(use: Use, options: { idleTimeout?: number } = {}) {
  const clock = new ManualClock();
  // Each use may have further breakers judged, whose wait functions use it again.
  let usesLeft = 0;
  const registry: BreakerRegistry = new BreakerRegistry({
    maxBreakers: MOST,
    clock,
    ...options,
    breaker: {
      initialState: 'half-open',
      maxWaitDurationInHalfOpenState: 1000,
      waitDurationInOpenState: () => {
        if (usesLeft-- > 0) use(registry);
        return 60_000;
      },
    },
  });
  for (const key of ['a', 'b', 'c']) registry.get(key);
  clock.advance(2000);
  usesLeft = 4;
  return { registry, clock };
}

function expectWhole(registry: BreakerRegistry): void {
  expect(registry.size).toBeLessThanOrEqual(MOST);
  const entries = [...registry];
  expect(entries).toHaveLength(registry.size);
  for (const [key, breaker] of entries) {
    expect(registry.has(key)).toBe(true);
    expect(registry.get(key)).toBe(breaker);
  }
}

/** Every new key is served, once nothing in the registry protects anything. */
function expectServing(registry: BreakerRegistry): void {
  for (let key = 0; key < 20; key++) {
    for (const [, breaker] of registry) breaker.reset();
    const made = registry.get(`later ${key}`);
    expect(made).toBeDefined();
    expect(registry.get(`later ${key}`)).toBe(made);
    expectWhole(registry);
  }
  expect(registry.size).toBe(MOST);
}

describe.each(uses)('a wait function that %s', (_, use) => {
  it('while the registry makes room leaves it whole', () => {
    const { registry } = registryOf(use);
    registry.get('new');
    expectWhole(registry);
    expectServing(registry);
  });

  it('while idle breakers expire leaves the registry whole', () => {
    const { registry, clock } = registryOf(use, { idleTimeout: 10 });
    registry.get('b');
    expectWhole(registry);
    clock.advance(2000);
    expectServing(registry);
  });

  it('while the registry makes room leaves one breaker to each key', () => {
    const { registry } = registryOf(use);
    const made = registry.get('new');
    if (made !== undefined) expect(registry.get('new')).toBe(made);
  });
});

it('a wait function that calls guarded URLs never has more breakers than may be', () => {
  const clock = new ManualClock();
  let hosts = 0;
  let callsLeft = 0;
  const call = (): void => {
    http.admit({ method: 'GET', url: `http://host-${hosts++}.example/` }).released();
  };
  const http: HttpCircuitBreaker = new HttpCircuitBreaker({
    clock,
    maxBreakers: MOST,
    level: 'host',
    breaker: {
      initialState: 'half-open',
      maxWaitDurationInHalfOpenState: 1000,
      transitionToStateAfterWaitDuration: 'open',
      waitDurationInOpenState: () => {
        if (callsLeft-- > 0) call();
        return 1;
      },
    },
  });
  for (let made = 0; made < MOST; made++) call();
  clock.advance(2000);
  callsLeft = 4;
  call();
  expect(http.snapshot().breakers.length).toBeLessThanOrEqual(MOST);
  for (let later = 0; later < 50; later++) {
    clock.advance(5000);
    call();
    expect(http.snapshot().breakers.length).toBeLessThanOrEqual(MOST);
  }
});
