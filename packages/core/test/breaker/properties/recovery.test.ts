import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../src/index.ts';
import { settings } from './breaker-settings.ts';
import { Rig } from './rig.ts';
import { check, printSeed } from './settings.ts';
import { manySteps } from './steps.ts';

printSeed('recovery');

describe('recovery', () => {
  it('is always reached by healthy calls, with no call in flight and the wait over', () => {
    check('recovery', fc.tuple(settings, manySteps), ([chosen, steps]) => {
      const rig = new Rig(chosen, new ManualClock());
      const { breaker } = rig;
      for (const step of steps) rig.perform(step);
      for (const call of rig.calls) call.permit.release();
      expect(breaker.metrics().callsInFlight).toBe(0);
      if (breaker.state === 'metrics-only') breaker.transitionToClosedState();
      else if (breaker.state === 'forced-open' || breaker.state === 'disabled')
        breaker.transitionToOpenState();

      // Trials that failed before may open it once more; the next half-open period has none.
      for (let round = 0; round < 2; round++) {
        rig.clock.advance(breaker.refusal()?.retryAfterMs ?? 0);
        for (let trial = 0; trial < chosen.permitted && breaker.state !== 'closed'; trial++) {
          const permit = breaker.tryAcquire();
          if (!permit) break;
          permit.success();
        }
      }
      expect(breaker.state).toBe('closed');
    });
  });
});
