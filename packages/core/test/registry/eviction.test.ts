import { describe, expect, it } from 'vitest';
import { BreakerRegistry, ManualClock, type CircuitBreaker } from '../../src/index.ts';

function registryOf(
  maxBreakers: number,
  breaker = {},
): { registry: BreakerRegistry; clock: ManualClock } {
  const clock = new ManualClock();
  return { registry: new BreakerRegistry({ maxBreakers, clock, breaker }), clock };
}

function keysOf(registry: BreakerRegistry): string[] {
  return [...registry].map(([key]) => key);
}

/** As many breakers, made in this order: `k0` is used the longest ago. */
function fill(
  registry: BreakerRegistry,
  count: number,
  prepare?: (breaker: CircuitBreaker) => void,
) {
  for (let index = 0; index < count; index++) {
    const breaker = registry.get(`k${index}`);
    if (breaker !== undefined) prepare?.(breaker);
  }
}

describe('to make room', () => {
  it('the least recently used breaker goes, exactly', () => {
    const { registry } = registryOf(3);
    for (const key of ['a', 'b', 'c', 'a', 'd', 'b', 'a', 'e']) registry.get(key);
    expect(keysOf(registry)).toEqual(['b', 'a', 'e']);
  });

  it('one goes, and no more', () => {
    const { registry } = registryOf(3);
    fill(registry, 10);
    expect(keysOf(registry)).toEqual(['k7', 'k8', 'k9']);
    expect(registry.snapshot().evictions).toBe(7);
  });

  it('a closed one goes, whatever it counted', () => {
    const { registry } = registryOf(2);
    registry.get('a')?.acquire().failure();
    fill(registry, 2);
    expect(registry.has('a')).toBe(false);
  });

  it.each<[what: string, prepare: (breaker: CircuitBreaker) => void]>([
    ['open', (breaker) => breaker.transitionToOpenState()],
    [
      'half-open',
      (breaker) => {
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
      },
    ],
    ['forced open', (breaker) => breaker.transitionToForcedOpenState()],
    ['disabled', (breaker) => breaker.transitionToDisabledState()],
    ['in metrics-only', (breaker) => breaker.transitionToMetricsOnlyState()],
    ['held', (breaker) => breaker.acquire().hold(60_000)],
    ['closed with a call in flight', (breaker) => void breaker.acquire()],
    [
      'disabled with a call in flight',
      (breaker) => {
        breaker.transitionToDisabledState();
        breaker.acquire();
      },
    ],
  ])('one that is %s never goes, but moves to the young end', (_, prepare) => {
    const { registry } = registryOf(3);
    prepare(registry.get('it')!);
    for (const key of ['a', 'b', 'c']) registry.get(key);
    expect(keysOf(registry)).toEqual(['b', 'it', 'c']);
    for (let key = 0; key < 20; key++) registry.get(`new ${key}`);
    expect(registry.has('it')).toBe(true);
  });

  it('one that is open goes once its wait is over, strictly', () => {
    const { registry, clock } = registryOf(1, { waitDurationInOpenState: 1000 });
    registry.get('a')?.transitionToOpenState();
    clock.advance(1000);
    expect(registry.get('b')).toBeUndefined();
    clock.advance(1);
    expect(registry.get('b')).toBeDefined();
    expect(keysOf(registry)).toEqual(['b']);
  });

  it('a closed one goes before an open one whose wait is over, however much younger', () => {
    const { registry, clock } = registryOf(3, { waitDurationInOpenState: 1000 });
    registry.get('elapsed')?.transitionToOpenState();
    for (const key of ['a', 'b']) registry.get(key);
    clock.advance(1001);
    registry.get('c');
    expect(keysOf(registry)).toEqual(['elapsed', 'b', 'c']);
  });

  it('an open one whose wait is over, but with a call in flight, does not go', () => {
    const { registry, clock } = registryOf(1, { waitDurationInOpenState: 1000 });
    const permit = registry.get('a')!.acquire();
    registry.get('a')?.transitionToOpenState();
    clock.advance(1001);
    expect(registry.get('b')).toBeUndefined();
    permit.failure();
    expect(registry.get('b')).toBeDefined();
  });

  it('deadlines are carried out before judging: a lease that is over frees its breaker', () => {
    const { registry, clock } = registryOf(1, { permitLease: 1000 });
    registry.get('a')?.acquire();
    clock.advance(1000);
    expect(registry.get('b')).toBeUndefined();
    clock.advance(1);
    expect(registry.get('b')).toBeDefined();
  });

  it('deadlines are carried out before judging: a limit of half-open that closes does so', () => {
    const { registry, clock } = registryOf(1, {
      maxWaitDurationInHalfOpenState: 1000,
      transitionToStateAfterWaitDuration: 'closed',
    });
    registry.get('a')?.transitionToOpenState();
    registry.get('a')?.transitionToHalfOpenState();
    expect(registry.get('b')).toBeUndefined();
    clock.advance(1001);
    expect(registry.get('b')).toBeDefined();
  });
});

describe('at most 64 are looked at for one new key', () => {
  const busy = (breaker: CircuitBreaker): void => void breaker.acquire();

  it('so that one found as the 64th goes', () => {
    const { registry } = registryOf(100);
    fill(registry, 63, busy);
    for (let index = 63; index < 100; index++) registry.get(`k${index}`);
    expect(registry.get('new')).toBeDefined();
    expect(registry.has('k63')).toBe(false);
    expect(registry.has('k64')).toBe(true);
  });

  it('and one behind them is not found, until the next new key', () => {
    const { registry } = registryOf(100);
    fill(registry, 64, busy);
    for (let index = 64; index < 100; index++) registry.get(`k${index}`);
    expect(registry.get('new')).toBeUndefined();
    expect(registry.size).toBe(100);
    // Those that were passed over have moved to the young end.
    expect(keysOf(registry)[0]).toBe('k64');
    expect(registry.get('new')).toBeDefined();
    expect(registry.has('k64')).toBe(false);
  });
});

describe('a registry that is full of what protects', () => {
  it('gives a new key no breaker, and goes on giving those that it has', () => {
    const { registry } = registryOf(2);
    fill(registry, 2, (breaker) => breaker.transitionToOpenState());
    for (let key = 0; key < 5; key++) expect(registry.get(`new ${key}`)).toBeUndefined();
    expect(registry.get('k0')?.state).toBe('open');
    expect(registry.size).toBe(2);
    expect(registry.snapshot().overflows).toBe(5);
  });

  it('has room again when one closes', () => {
    const { registry } = registryOf(1);
    registry.get('a')?.transitionToOpenState();
    expect(registry.get('b')).toBeUndefined();
    registry.get('a')?.transitionToClosedState();
    expect(registry.get('b')).toBeDefined();
  });
});
