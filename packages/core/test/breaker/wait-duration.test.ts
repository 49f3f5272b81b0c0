import { describe, expect, it, vi } from 'vitest';
import type { WaitDuration } from '../../src/index.ts';
import { manualBreaker, only, typesOf, type ManualBreaker } from './manual-breaker.ts';

/** Opens it so many times in a row, and answers the waits. */
function waitsOf(rig: ManualBreaker, openings: number): (number | undefined)[] {
  for (let opening = 0; opening < openings; opening++) {
    if (rig.breaker.state === 'open') rig.breaker.transitionToHalfOpenState();
    rig.breaker.acquire().trip();
  }
  return only(rig.events, 'stateTransition')
    .filter(({ to }) => to === 'open')
    .map(({ wait }) => wait);
}

const waits = (waitDurationInOpenState: WaitDuration, openings: number): (number | undefined)[] =>
  waitsOf(manualBreaker({ waitDurationInOpenState }), openings);

describe('waitDurationInOpenState', () => {
  it('may be fixed', () => {
    expect(waits(250, 3)).toEqual([250, 250, 250]);
  });

  it('grows by half where only the first wait is given', () => {
    expect(waits({ initial: 100 }, 4)).toEqual([100, 150, 225, 337]);
  });

  it('grows by each step cut to whole ms', () => {
    expect(waits({ initial: 333, multiplier: 1.5 }, 4)).toEqual([333, 499, 748, 1122]);
    expect(waits({ initial: 1, multiplier: 1.5 }, 4)).toEqual([1, 1, 1, 1]);
  });

  it('never exceeds its cap, and the cap does not slow the steps', () => {
    expect(waits({ initial: 100, multiplier: 10, max: 5000 }, 5)).toEqual([
      100, 1000, 5000, 5000, 5000,
    ]);
  });

  it('stays a finite number after very many openings', () => {
    const rig = manualBreaker({ waitDurationInOpenState: { initial: 1000, multiplier: 1000 } });
    const last = waitsOf(rig, 500).at(-1) as number;
    expect(Number.isFinite(last)).toBe(true);
    expect(rig.breaker.metrics().retryAfterMs).toSatisfy(Number.isFinite);
    rig.clock.advance(last + 1);
    expect(rig.breaker.tryAcquire()).toBeDefined();
  });

  it('starts anew after the breaker has closed', () => {
    const rig = manualBreaker({ waitDurationInOpenState: { initial: 100, multiplier: 2 } });
    expect(waitsOf(rig, 2)).toEqual([100, 200]);
    rig.breaker.transitionToClosedState();
    expect(waitsOf(rig, 1)).toEqual([100, 200, 100]);
  });

  it('is spread evenly within its bounds, in whole ms', () => {
    const seen = new Set(waits({ initial: 10, multiplier: 1, randomizationFactor: 0.5 }, 2000));
    expect([...seen].toSorted((a, b) => Number(a) - Number(b))).toEqual([
      5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]);
  });

  it('is spread after the cap, so that instances at the cap do not come back together', () => {
    const seen = waits({ initial: 100, multiplier: 2, max: 100, randomizationFactor: 0.2 }, 1000);
    const numbers = seen.map(Number);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(80);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(120);
    expect(numbers.some((wait) => wait > 100)).toBe(true);
    expect(numbers.some((wait) => wait < 100)).toBe(true);
  });

  it('may be a function of the openings in a row, counted from 1', () => {
    const asked: number[] = [];
    const wait = (openings: number): number => {
      asked.push(openings);
      return openings * 7;
    };
    expect(waits(wait, 3)).toEqual([7, 14, 21]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('may be a function that answers 0', () => {
    const { breaker, clock } = manualBreaker({ waitDurationInOpenState: () => 0 });
    breaker.acquire().trip();
    expect(breaker.refusal()?.retryAfterMs).toBe(1);
    clock.advance(1);
    expect(breaker.refusal()).toBeUndefined();
  });

  it.each([NaN, Infinity, -1, '100', undefined, null, Promise.resolve(100)])(
    'reads a function that answers %s as a minute, and tells',
    (answer) => {
      const rig = manualBreaker({ waitDurationInOpenState: () => answer as number });
      expect(waitsOf(rig, 1)).toEqual([60_000]);
      expect(typesOf(rig.events)).toEqual(['failure', 'error', 'stateTransition']);
      const [event] = only(rig.events, 'error');
      expect(event).toMatchObject({ source: 'waitDurationInOpenState', breaker: 'test' });
    },
  );

  it('reads a function that throws as a minute, and tells', () => {
    const thrown = new Error('bug');
    const rig = manualBreaker({
      waitDurationInOpenState: () => {
        throw thrown;
      },
    });
    expect(waitsOf(rig, 1)).toEqual([60_000]);
    expect(only(rig.events, 'error')).toMatchObject([{ error: thrown }]);
  });

  it('is asked for at construction, where the breaker begins open', () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const thrown = new Error('bug');
    const { breaker } = manualBreaker({
      initialState: 'open',
      waitDurationInOpenState: (openings) => {
        if (openings === 1) throw thrown;
        return 10;
      },
    });
    expect(breaker.metrics().retryAfterMs).toBe(60_001);
    // Nobody can listen yet.
    expect(print.mock.calls).toEqual([
      [expect.stringContaining('waitDurationInOpenState'), thrown],
    ]);
    print.mockRestore();
  });
});
