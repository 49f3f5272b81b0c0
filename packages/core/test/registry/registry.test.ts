import { describe, expect, it } from 'vitest';
import { BreakerRegistry, CircuitBreaker, ManualClock } from '../../src/index.ts';

function keysOf(registry: BreakerRegistry): string[] {
  return [...registry].map(([key]) => key);
}

describe('a registry', () => {
  it('makes the breaker of a key at the first call, and gives the same one ever after', () => {
    const registry = new BreakerRegistry();
    const breaker = registry.get('inventory');
    expect(breaker).toBeInstanceOf(CircuitBreaker);
    expect(breaker?.name).toBe('inventory');
    expect(registry.get('inventory')).toBe(breaker);
    expect(registry.size).toBe(1);
  });

  it('keeps keys apart, those of every object among them', () => {
    const registry = new BreakerRegistry();
    const keys = ['a', 'A', ' a', '__proto__', 'constructor', 'toString'];
    const breakers = new Set(keys.map((key) => registry.get(key)));
    expect(breakers.size).toBe(keys.length);
    expect(keysOf(registry)).toEqual(keys);
  });

  it('tells what is there without making or using it', () => {
    const registry = new BreakerRegistry();
    expect(registry.has('a')).toBe(false);
    expect(registry.size).toBe(0);
    for (const key of ['a', 'b']) registry.get(key);
    expect(registry.has('a')).toBe(true);
    expect(keysOf(registry)).toEqual(['a', 'b']);
  });

  it('protects calls', async () => {
    const registry = new BreakerRegistry({ breaker: { minimumNumberOfCalls: 2 } });
    const fail = () => Promise.reject(new Error('down'));
    for (let call = 0; call < 2; call++) {
      await expect(registry.get('a')?.execute(fail)).rejects.toThrow('down');
    }
    await expect(registry.get('a')?.execute(fail)).rejects.toThrow("'a' is open");
    await expect(registry.get('b')?.execute(() => 'fine')).resolves.toBe('fine');
  });

  it('gives its breakers the bare defaults', () => {
    const options = new BreakerRegistry().get('a')?.machine.options;
    expect(options).toMatchObject({
      slidingWindowType: 'count-based',
      slidingWindowSize: 100,
      minimumNumberOfCalls: 100,
      failureRateThreshold: 50,
      consecutiveFailureThreshold: Infinity,
    });
  });
});

describe('iteration', () => {
  it('goes from the least to the most recently used', () => {
    const registry = new BreakerRegistry();
    for (const key of ['a', 'b', 'c', 'a', 'b']) registry.get(key);
    expect(keysOf(registry)).toEqual(['c', 'a', 'b']);
  });

  it('uses none, nor does the snapshot', () => {
    const registry = new BreakerRegistry();
    for (const key of ['a', 'b', 'c']) registry.get(key);
    for (const [, breaker] of registry) breaker.metrics();
    registry.snapshot();
    expect(keysOf(registry)).toEqual(['a', 'b', 'c']);
  });

  it('is safe while breakers are used, made and removed', () => {
    const registry = new BreakerRegistry();
    for (const key of ['a', 'b', 'c', 'd']) registry.get(key);
    const seen: string[] = [];
    for (const [key] of registry) {
      seen.push(key);
      registry.get(key);
      registry.get(`new ${key}`);
      if (key === 'a') registry.delete('c');
    }
    expect(seen).toEqual(['a', 'b', 'd']);
  });
});

describe('removing', () => {
  it('forgets a breaker: the next one of that key is fresh', () => {
    const registry = new BreakerRegistry();
    const old = registry.get('a');
    old?.transitionToForcedOpenState();
    expect(registry.delete('a')).toBe(true);
    expect(registry.delete('a')).toBe(false);
    expect(registry.size).toBe(0);
    expect(registry.get('a')).not.toBe(old);
    expect(registry.get('a')?.state).toBe('closed');
  });

  it('takes any breaker, be it open or have it calls in flight', () => {
    const registry = new BreakerRegistry();
    registry.get('open')?.transitionToOpenState();
    registry.get('busy')?.acquire();
    registry.clear();
    expect(registry.size).toBe(0);
    expect(keysOf(registry)).toEqual([]);
    registry.clear();
  });

  it.each(['delete', 'clear'] as const)('by %s lets calls in flight settle harmlessly', (how) => {
    const registry = new BreakerRegistry();
    const breaker = registry.get('a');
    const permits = Array.from({ length: 7 }, () => breaker!.acquire());
    if (how === 'delete') registry.delete('a');
    else registry.clear();
    permits[0]?.success();
    permits[1]?.failure(new Error('late'));
    permits[2]?.ignore();
    permits[3]?.release();
    permits[4]?.hold(10);
    permits[5]?.trip();
    permits[6]?.result(7);
    expect(breaker?.metrics().callsInFlight).toBe(0);
    expect(registry.get('a')?.metrics()).toMatchObject({
      numberOfBufferedCalls: 0,
      state: 'closed',
    });
  });

  it('closes listeners: those of the breaker, and those of the registry for it', () => {
    const registry = new BreakerRegistry();
    const heard: string[] = [];
    const breaker = registry.get('a');
    breaker?.on('success', () => heard.push('own'));
    registry.on('success', () => heard.push('all'));
    const permits = [breaker!.acquire(), breaker!.acquire()];
    permits[0]?.success();
    registry.delete('a');
    permits[1]?.success();
    expect(heard).toEqual(['all', 'own']);
  });

  it('leaves no timer behind', () => {
    const clock = new ManualClock();
    const breaker = { automaticTransitionFromOpenToHalfOpenEnabled: true };
    const registry = new BreakerRegistry({ clock, breaker });
    for (const key of ['a', 'b']) registry.get(key)?.transitionToOpenState();
    expect(clock.timers).toBe(2);
    registry.delete('a');
    expect(clock.timers).toBe(1);
    registry.clear();
    expect(clock.timers).toBe(0);
  });
});

describe('the snapshot', () => {
  it('is plain JSON: every breaker with its metrics, and what the registry did', () => {
    const registry = new BreakerRegistry({ maxBreakers: 2, clock: new ManualClock({ date: 9 }) });
    for (const key of ['a', 'b', 'c']) registry.get(key);
    registry.get('b')?.transitionToOpenState();
    registry.get('c')?.acquire();
    registry.get('d');
    const snapshot = registry.snapshot();
    expect(snapshot).toMatchObject({
      breakers: [
        { key: 'b', state: 'open', retryAfterMs: 60_001, totalOpenings: 1, lastOpenedAt: 9 },
        { key: 'c', state: 'closed', callsInFlight: 1, failureRate: -1 },
      ],
      evictions: 1,
      overflows: 1,
    });
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  it('counts what was removed by hand as no eviction', () => {
    const registry = new BreakerRegistry();
    registry.get('a');
    registry.clear();
    expect(registry.snapshot()).toEqual({ breakers: [], evictions: 0, overflows: 0 });
  });
});
