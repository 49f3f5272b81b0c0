import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../src/index.ts';
import { settings } from './breaker-settings.ts';
import { ModelRig } from './model-rig.ts';
import { type OneCall, Rig } from './rig.ts';
import { check, printSeed } from './settings.ts';
import { manySteps } from './steps.ts';

printSeed('admission');
const scenarios = fc.tuple(settings, manySteps);

describe('admission', () => {
  it('lets no call pass while open before its wait ends', () => {
    check('admission', scenarios, ([chosen, steps]) => {
      const rig = new ModelRig(chosen);
      for (const step of steps) {
        rig.model.touch(rig.clock.now());
        const waiting = rig.model.state === 'open' && rig.clock.now() <= rig.model.openUntil;
        const answer = rig.perform(step);
        if (waiting && step.do === 'acquire') expect(answer).toBe('refused');
      }
    });
  });

  it('never has more trial calls out in one half-open period than are permitted', () => {
    check('admission', scenarios, ([chosen, steps]) => {
      const rig = new Rig(chosen, new ManualClock());
      let trials: OneCall[] = [];
      for (const step of steps) {
        const before = rig.events.length;
        const answer = rig.perform(step);
        const moved = rig.events
          .slice(before)
          .some((line) => /^(stateTransition|reset)/.test(line));
        const byHand = ['move', 'openFor', 'openUntil'].includes(step.do) && answer === 'done';
        if (moved || byHand) trials = [];
        if (answer === 'passed' && rig.breaker.state === 'half-open')
          trials.push(rig.calls.at(-1) as OneCall);
        expect(trials.filter((call) => !call.ended).length).toBeLessThanOrEqual(chosen.permitted);
        if (chosen.stalls || chosen.lease !== undefined) continue;
        expect(trials.filter((call) => !call.ended).length).toBeLessThanOrEqual(
          chosen.trialsAtOnce ?? Infinity,
        );
      }
    });
  });

  it('never gives more half-open permits than are configured, but for those given back without an outcome', () => {
    check('admission', scenarios, ([chosen, steps]) => {
      const rig = new ModelRig(chosen);
      for (const step of steps) {
        rig.perform(step);
        const { counts, calls, state } = rig.model;
        if (state !== 'half-open') continue;
        const used = calls.filter(
          (call) => call.counts === counts && (call.out || call.outcome !== undefined),
        );
        expect(used.length).toBeLessThanOrEqual(chosen.permitted);
      }
    });
  });

  it('is refused exactly where refusal() says so, and for the same reason', () => {
    check('admission', scenarios, ([chosen, steps]) => {
      const rig = new Rig(chosen, new ManualClock());
      for (const step of steps) {
        if (step.do !== 'acquire') {
          rig.perform(step);
          continue;
        }
        const why = rig.breaker.refusal();
        const again = rig.breaker.refusal();
        const answer = rig.perform(step);
        expect(answer).toBe(why ? 'refused' : 'passed');
        expect(again?.message).toBe(why?.message);
        if (why) expect(rig.events.at(-1)).toBe(`notPermitted ${why.reason}`);
      }
    });
  });
});
