import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../src/index.ts';
import { settings } from './breaker-settings.ts';
import { breakerFigures } from './model-rig.ts';
import { Rig } from './rig.ts';
import { check, printSeed } from './settings.ts';
import { manySteps } from './steps.ts';

printSeed('reading');

class ClockWithoutTimers extends ManualClock {
  override setTimer(): () => void {
    return () => {};
  }
}

describe('reading', () => {
  it('never changes an answer: a breaker read after every step ends as its twin that was not', () => {
    check('reading', fc.tuple(settings, manySteps), ([chosen, steps]) => {
      const read = new Rig(chosen, new ManualClock());
      const unread = new Rig(chosen, new ManualClock());
      for (const [index, step] of steps.entries()) {
        expect(read.perform(step), `step ${index}`).toBe(unread.perform(step));
        read.breaker.refusal();
        read.breaker.metrics();
        void read.breaker.state;
      }
      expect(breakerFigures(unread.breaker)).toEqual(breakerFigures(read.breaker));
      expect(unread.events).toEqual(read.events);
    });
  });

  it('takes the place of timers: a breaker whose timers never fire ends as its twin', () => {
    check('reading', fc.tuple(settings, manySteps), ([chosen, steps]) => {
      const timed = new Rig(chosen, new ManualClock());
      const asleep = new Rig(chosen, new ClockWithoutTimers());
      for (const [index, step] of steps.entries()) {
        expect(timed.perform(step), `step ${index}`).toBe(asleep.perform(step));
      }
      expect(breakerFigures(asleep.breaker)).toEqual(breakerFigures(timed.breaker));
      expect(asleep.events).toEqual(timed.events);
    });
  });

  it('twice at one instant gives the same', () => {
    check('reading', fc.tuple(settings, manySteps), ([chosen, steps]) => {
      const rig = new Rig(chosen, new ManualClock());
      for (const step of steps) {
        rig.perform(step);
        const metrics = rig.breaker.metrics();
        const events = rig.events.length;
        expect(rig.breaker.state).toBe(metrics.state);
        rig.breaker.refusal();
        expect(rig.breaker.metrics()).toEqual(metrics);
        expect(rig.events).toHaveLength(events);
      }
    });
  });
});
