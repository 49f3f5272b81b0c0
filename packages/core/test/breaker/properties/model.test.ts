import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settings } from './breaker-settings.ts';
import { breakerFigures, ModelRig, modelFigures } from './model-rig.ts';
import { check, printSeed, runs } from './settings.ts';
import { manySteps } from './steps.ts';

printSeed('model');

describe('a breaker and a model of its specification', () => {
  it('give the same answers, figures and events at every step', () => {
    check('model', fc.tuple(settings, manySteps), ([chosen, steps]) => {
      const rig = new ModelRig(chosen);
      for (const [index, step] of steps.entries()) {
        rig.events.length = 0;
        rig.model.events.length = 0;
        const answer = rig.perform(step);
        // All that a step causes is delivered by its end; only time may leave something to carry out.
        if (step.do !== 'advance') expect(rig.events, `${index}`).toEqual(rig.model.events);
        const breaker = { answer, ...breakerFigures(rig.breaker), events: rig.events };
        rig.model.touch(rig.clock.now());
        const model = {
          answer: rig.modelAnswer,
          ...modelFigures(rig.model),
          events: rig.model.events,
        };
        expect(breaker, `after step ${index}, ${JSON.stringify(step)}`).toEqual(model);
      }
    });
  });
});

describe('the properties', () => {
  it('are tried in at least 10,000 runs', () => {
    const total = Object.values(runs).reduce((sum, each) => sum + each, 0);
    expect(total).toBeGreaterThanOrEqual(10_000);
  });
});
