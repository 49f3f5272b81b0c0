import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/index.ts';

describe('ManualClock', () => {
  it('stands still until it is moved, and moves both clocks', () => {
    const clock = new ManualClock({ now: 10, date: 1000 });
    expect([clock.now(), clock.date()]).toEqual([10, 1000]);
    clock.advance(2.5);
    clock.advance(0);
    expect([clock.now(), clock.date()]).toEqual([12.5, 1002.5]);
  });

  it('begins at 0, and its date where its time does', () => {
    const clock = new ManualClock();
    expect([clock.now(), clock.date()]).toEqual([0, 0]);
    expect(new ManualClock({ now: 7 }).date()).toBe(7);
  });

  it('runs timers in the order of their instants, each at its own', () => {
    const clock = new ManualClock();
    const ran: [string, number][] = [];
    clock.setTimer(() => ran.push(['late', clock.now()]), 20);
    clock.setTimer(() => {
      ran.push(['early', clock.now()]);
      clock.setTimer(() => ran.push(['set by a timer', clock.now()]), 5);
    }, 10);
    clock.setTimer(() => ran.push(['never', clock.now()]), 31);
    clock.setTimer(() => ran.push(['cancelled', clock.now()]), 15)();
    clock.advance(30);
    expect(ran).toEqual([
      ['early', 10],
      ['set by a timer', 15],
      ['late', 20],
    ]);
    expect(clock.now()).toBe(30);
    expect(clock.timers).toBe(1);
  });

  it.each([-1, NaN, Infinity, '5', undefined])('is not moved by %s', (ms) => {
    const clock = new ManualClock();
    expect(() => clock.advance(ms as number)).toThrow(RangeError);
    expect(clock.now()).toBe(0);
  });

  it('does not begin at what is no finite number', () => {
    expect(() => new ManualClock({ now: NaN })).toThrow(/now/);
    expect(() => new ManualClock({ date: Infinity })).toThrow(/date/);
  });
});
