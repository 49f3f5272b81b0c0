import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../src/index.ts';
import { settings } from './breaker-settings.ts';
import { ModelRig } from './model-rig.ts';
import { Rig } from './rig.ts';
import { check, printSeed } from './settings.ts';
import { endings, manySteps } from './steps.ts';

printSeed('permits');
const scenarios = fc.tuple(settings, manySteps);

describe('a permit', () => {
  it('that is settled changes nothing again', () => {
    check('permits', scenarios, ([chosen, steps]) => {
      const rig = new Rig(chosen, new ManualClock());
      for (const step of steps) {
        const call = step.do === 'end' ? rig.find(step) : undefined;
        rig.perform(step);
        if (step.do !== 'end' || !call) continue;
        const wasSuccess = ['success', 'good result', 'other error'].includes(step.how);
        const before = rig.breaker.metrics();
        const events = [...rig.events];
        for (const how of endings) {
          if (how === 'amend' && (wasSuccess || step.among === 'all')) continue;
          rig.end(call, { how, ms: 200 });
        }
        expect(rig.breaker.metrics()).toEqual(before);
        expect(rig.events).toEqual(events);
      }
    });
  });

  it('that is settled late changes no state and no count', () => {
    check('permits', scenarios, ([chosen, steps]) => {
      const rig = new ModelRig(chosen);
      for (const step of steps) {
        const call = step.do === 'end' ? rig.find(step) : undefined;
        const modelCall = call && rig.modelCall(call);
        const { lateOutcomes, callsInFlight, ...before } = rig.breaker.metrics();
        const events = rig.events.length;
        rig.model.touch(rig.clock.now());
        const late = modelCall?.out && modelCall.counts && modelCall.counts !== rig.model.counts;
        rig.perform(step);
        if (step.do !== 'end' || !late) continue;
        const {
          lateOutcomes: lateAfter,
          callsInFlight: inFlightAfter,
          ...after
        } = rig.breaker.metrics();
        expect(after).toEqual(before);
        expect(inFlightAfter).toBe(callsInFlight - 1);
        expect(rig.events.slice(events)).toEqual(step.how === 'release' ? [] : ['lateOutcome']);
        expect(lateAfter).toBe(lateOutcomes + (step.how === 'release' ? 0 : 1));
      }
    });
  });

  it('that is amended turns one success into one failure, once, and never adds a call', () => {
    check('permits', scenarios, ([chosen, steps]) => {
      const rig = new Rig({ ...chosen, initial: 'metrics-only' }, new ManualClock());
      for (const step of steps) {
        if (step.do === 'move' || step.do === 'reset') continue;
        rig.perform(step);
        const call = rig.acquire();
        if (!call) continue;
        rig.end(call, { how: 'success', ms: 0 });
        const before = rig.breaker.metrics();
        rig.end(call, { how: 'amend', ms: 0 });
        rig.end(call, { how: 'amend', ms: 0 });
        const after = rig.breaker.metrics();
        expect(after.numberOfBufferedCalls).toBe(before.numberOfBufferedCalls);
        expect(after.numberOfFailedCalls).toBe(before.numberOfFailedCalls + 1);
        expect(after.numberOfSuccessfulCalls).toBe(before.numberOfSuccessfulCalls - 1);
      }
    });
  });
});
