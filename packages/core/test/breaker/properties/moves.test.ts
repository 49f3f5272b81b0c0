import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IllegalStateTransitionError, ManualClock } from '../../../src/index.ts';
import { settings, states } from './breaker-settings.ts';
import { isLegal } from './model/model-options.ts';
import { moveByHand, Rig } from './rig.ts';
import { check, printSeed } from './settings.ts';
import { manySteps } from './steps.ts';

printSeed('moves');
const scenarios = fc.tuple(settings, manySteps);

describe('a move by hand', () => {
  it('that is not legal throws and changes nothing', () => {
    check('moves', scenarios, ([chosen, steps]) => {
      const rig = new Rig(chosen, new ManualClock());
      const { breaker } = rig;
      for (const step of steps) {
        rig.perform(step);
        const before = breaker.metrics();
        const events = rig.events.length;
        for (const to of states.filter((state) => !isLegal(breaker.state, state))) {
          expect(() => moveByHand(breaker, to)).toThrow(IllegalStateTransitionError);
        }
        if (!isLegal(breaker.state, 'open')) {
          expect(() => breaker.transitionToOpenStateFor(5)).toThrow(IllegalStateTransitionError);
          expect(() => breaker.transitionToOpenStateUntil(new Date(1e9))).toThrow(
            IllegalStateTransitionError,
          );
        }
        expect(breaker.metrics()).toEqual(before);
        expect(rig.events).toHaveLength(events);
      }
    });
  });

  it('that is legal is made, and begins a period without counts but for open', () => {
    check('moves', fc.tuple(scenarios, fc.constantFrom(...states)), ([[chosen, steps], to]) => {
      const rig = new Rig(chosen, new ManualClock());
      const { breaker } = rig;
      for (const step of steps) rig.perform(step);
      const before = breaker.metrics();
      if (!isLegal(breaker.state, to)) return;
      moveByHand(breaker, to);
      const after = breaker.metrics();
      expect(after.state).toBe(to);
      const kept = to === 'open' ? before.numberOfBufferedCalls : 0;
      expect(after.numberOfBufferedCalls).toBe(kept);
      expect(after.callsInFlight).toBe(before.callsInFlight);
    });
  });

  it('or a reset gives every call out a late outcome, but for a move to open', () => {
    check('moves', scenarios, ([chosen, steps]) => {
      const rig = new Rig({ ...chosen, lease: undefined }, new ManualClock());
      const { breaker } = rig;
      for (const step of steps) rig.perform(step);
      breaker.reset();
      const outside = rig.calls.filter((call) => !call.ended && call.admittedIn !== 'disabled');
      const { lateOutcomes } = breaker.metrics();
      for (const call of outside) call.permit.failure();
      expect(breaker.metrics().lateOutcomes).toBe(lateOutcomes + outside.length);
      expect(breaker.metrics()).toMatchObject({ state: 'closed', numberOfBufferedCalls: 0 });
    });
  });
});
