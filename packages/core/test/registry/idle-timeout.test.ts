import { describe, expect, it } from 'vitest';
import { BreakerRegistry, ManualClock } from '../../src/index.ts';

function registryWith(idleTimeout?: number) {
  const clock = new ManualClock();
  const breaker = { waitDurationInOpenState: 100 };
  const timeout = idleTimeout === undefined ? {} : { idleTimeout };
  const registry = new BreakerRegistry({ clock, breaker, ...timeout });
  return { clock, registry, keys: () => [...registry].map(([key]) => key) };
}

describe('a breaker that is idle', () => {
  it('for longer than idleTimeout goes, as another is used', () => {
    const { clock, registry, keys } = registryWith(1000);
    for (const key of ['a', 'b', 'c']) registry.get(key);
    clock.advance(1000);
    registry.get('c');
    expect(keys()).toEqual(['a', 'b', 'c']);
    clock.advance(1);
    registry.get('c');
    expect(keys()).toEqual(['c']);
    expect(registry.snapshot().evictions).toBe(2);
  });

  it('stays as long as nothing is used: there is no timer', () => {
    const { clock, registry, keys } = registryWith(1000);
    registry.get('a');
    expect(clock.timers).toBe(0);
    clock.advance(1_000_000);
    expect(keys()).toEqual(['a']);
  });

  it('stays without idleTimeout', () => {
    const { clock, registry, keys } = registryWith();
    registry.get('a');
    clock.advance(1e12);
    registry.get('b');
    expect(keys()).toEqual(['a', 'b']);
  });

  it('is idle from its last use on, not from its first', () => {
    const { clock, registry, keys } = registryWith(1000);
    for (const key of ['a', 'b']) registry.get(key);
    clock.advance(900);
    registry.get('a');
    clock.advance(200);
    registry.get('c');
    expect(keys()).toEqual(['a', 'c']);
  });

  it('that is used again before it was found stays', () => {
    const { clock, registry } = registryWith(1000);
    const breaker = registry.get('a');
    clock.advance(5000);
    expect(registry.get('a')).toBe(breaker);
  });

  it('does not go while it is open, half-open, moved by hand, or has a call in flight', () => {
    const { clock, registry, keys } = registryWith(1000);
    registry.get('open')?.transitionToOpenStateFor(10_000);
    registry.get('half-open')?.transitionToOpenState();
    registry.get('half-open')?.transitionToHalfOpenState();
    registry.get('forced')?.transitionToForcedOpenState();
    const permit = registry.get('busy')!.acquire();
    clock.advance(2000);
    registry.get('x');
    expect(keys().toSorted()).toEqual(['busy', 'forced', 'half-open', 'open', 'x']);
    permit.success();
    clock.advance(2000);
    registry.get('x');
    expect(keys().toSorted()).toEqual(['forced', 'half-open', 'open', 'x']);
  });

  it('goes when it is open with its wait over', () => {
    const { clock, registry, keys } = registryWith(1000);
    registry.get('a')?.transitionToOpenState();
    clock.advance(1001);
    registry.get('b');
    expect(keys()).toEqual(['b']);
  });

  it('goes with all others of its kind, however many, as a few are used', () => {
    const { clock, registry } = registryWith(1000);
    for (let index = 0; index < 1000; index++) registry.get(`k${index}`);
    clock.advance(1001);
    for (let use = 0; use < 1000 && registry.size > 1; use++) registry.get('used');
    expect(registry.size).toBe(1);
  });
});
