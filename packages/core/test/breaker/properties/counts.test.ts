import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../src/index.ts';
import { type Settings, settings } from './breaker-settings.ts';
import { breakerFigures } from './model-rig.ts';
import { Rig } from './rig.ts';
import { check, printSeed } from './settings.ts';
import { manySteps, step } from './steps.ts';

printSeed('counts');

interface Counted {
  second: number;
  failed: boolean;
  slow: boolean;
}

describe('counts', () => {
  it('equal a recount of the window from the events', () => {
    const plain = settings.map((chosen): Settings => ({
      ...chosen,
      stalls: false,
      lease: undefined,
    }));
    const steps = manySteps.map((all) =>
      all.filter((each) => each.do !== 'end' || each.how !== 'amend'),
    );
    check('counts', fc.tuple(plain, steps), ([chosen, all]) => {
      const rig = new Rig(chosen, new ManualClock());
      const { breaker, clock } = rig;
      let counted: Counted[] = [];
      const add = (failed: boolean) => (event: { elapsed: number }) => {
        counted.push({
          second: Math.floor(clock.now() / 1000),
          failed,
          slow: event.elapsed > chosen.slowAfter,
        });
      };
      breaker.on('success', add(false));
      breaker.on('failure', add(true));
      breaker.on('stateTransition', ({ to }) => {
        if (to !== 'open') counted = [];
      });
      let size = chosen.initial === 'half-open' ? chosen.permitted : undefined;
      breaker.on('stateTransition', ({ to }) => {
        if (to !== 'open') size = to === 'half-open' ? chosen.permitted : undefined;
      });

      for (const each of all) {
        const answer = rig.perform(each);
        if (each.do === 'reset' || (each.do === 'move' && answer === 'done' && each.to !== 'open'))
          counted = [];
        if (each.do === 'reset') size = undefined;
        breaker.metrics();
        const now = Math.floor(clock.now() / 1000);
        const window =
          size === undefined && chosen.type === 'time-based'
            ? counted.filter(({ second }) => second > now - chosen.size)
            : counted.slice(-(size ?? chosen.size));
        expect(breaker.metrics()).toMatchObject({
          numberOfBufferedCalls: window.length,
          numberOfFailedCalls: window.filter(({ failed }) => failed).length,
          numberOfSuccessfulCalls: window.filter(({ failed }) => !failed).length,
          numberOfSlowCalls: window.filter(({ slow }) => slow).length,
          numberOfSlowFailedCalls: window.filter(({ slow, failed }) => slow && failed).length,
        });
      }
    });
  });

  it('of calls in flight equal the permits out, neither settled nor written off', () => {
    check('counts', fc.tuple(settings, manySteps), ([chosen, all]) => {
      // Never at an instant of the steps: a deadline of the state's own would have the lease end with it.
      const lease = (chosen.lease ?? Infinity) + 1 / 32;
      const ends = chosen.lease === undefined ? chosen : { ...chosen, lease };
      const rig = new Rig(ends, new ManualClock());
      for (const each of all) {
        rig.perform(each);
        const out = rig.calls.filter(
          (call) => !call.ended && rig.clock.now() - call.admittedAt <= lease,
        );
        expect(rig.breaker.metrics().callsInFlight).toBe(out.length);
      }
    });
  });

  it('answer the same after any idle gap, whether read all along or only at the end', () => {
    const gaps = fc.oneof(fc.nat({ max: 12_000 }), fc.constantFrom(999, 1000, 1001, 4_000_000));
    const counting = settings.map((chosen): Settings => ({
      ...chosen,
      initial: 'metrics-only',
      automatic: false,
    }));
    const own = fc.array(
      step.filter(({ do: what }) => what === 'acquire' || what === 'end' || what === 'advance'),
      { maxLength: 25 },
    );
    check(
      'counts',
      fc.tuple(counting, fc.array(fc.tuple(own, gaps), { minLength: 1, maxLength: 3 })),
      ([chosen, parts]) => {
        const watched = new Rig(chosen, new ManualClock());
        const left = new Rig(chosen, new ManualClock());
        for (const [steps, gap] of parts) {
          for (const each of steps) expect(watched.perform(each)).toBe(left.perform(each));
          const pieces = gap < 5000 ? 250 : 1000;
          for (let passed = 0; passed < gap; passed += Math.max(pieces, Math.ceil(gap / 20))) {
            watched.clock.advance(Math.min(Math.max(pieces, Math.ceil(gap / 20)), gap - passed));
            watched.breaker.metrics();
          }
          left.clock.advance(watched.clock.now() - left.clock.now());
          expect(breakerFigures(left.breaker)).toEqual(breakerFigures(watched.breaker));
        }
      },
    );
  });
});
