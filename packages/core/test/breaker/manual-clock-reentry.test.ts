import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/index.ts';

describe('a ManualClock that a timer advances, too', () => {
  it('does not step back to where the outer advance was to end', () => {
    const clock = new ManualClock({ date: 1_000_000 });
    clock.setTimer(() => clock.advance(100), 5);
    clock.advance(10);
    expect([clock.now(), clock.date()]).toEqual([105, 1_000_105]);
  });

  it('never shows an earlier time to a later timer', () => {
    const clock = new ManualClock();
    const seen: number[] = [];
    const see = (): void => void seen.push(clock.now());
    clock.setTimer(() => {
      see();
      clock.advance(50);
      see();
    }, 5);
    for (const ms of [3, 7, 40, 54, 60]) clock.setTimer(see, ms);
    clock.advance(10);
    see();
    clock.advance(10);
    see();
    expect(seen).toEqual([3, 5, 7, 40, 54, 55, 55, 60, 65]);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  });
});
