import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker, ManualClock } from '../../../src/index.ts';
import { type Settings, settings } from './breaker-settings.ts';
import { breakerFigures } from './model-rig.ts';
import { Rig, type RigClock } from './rig.ts';
import { check, printSeed } from './settings.ts';
import { manySteps } from './steps.ts';

printSeed('time');

/** A clock that can be set back. */
class JumpingClock implements RigClock {
  #now = 0;
  now(): number {
    return this.#now;
  }
  date(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
  }
}

describe('a clock that steps back', () => {
  it('never shortens a wait, and puts it off by no more than the time since the last touch', () => {
    const jumps = fc.array(fc.integer({ min: -400, max: 400 }), { maxLength: 40 });
    check('time', fc.tuple(fc.integer({ min: 1, max: 2000 }), jumps), ([wait, all]) => {
      const clock = new JumpingClock();
      const breaker = new CircuitBreaker('jumps', {
        initialState: 'open',
        waitDurationInOpenState: wait,
        clock,
      });
      let lived = 0;
      for (const jump of all) {
        clock.advance(jump);
        lived += Math.max(0, jump);
        expect(breaker.refusal() === undefined).toBe(lived > wait);
      }
    });
  });

  it('is read as one that stood still and goes on from there', () => {
    const backwards = fc.integer({ min: 1, max: 5000 });
    const own = settings.map((chosen): Settings => ({ ...chosen, automatic: false }));
    // A breaker has its own time, the user's wall clock another: no dates here.
    const steps = manySteps.map((all) => all.filter((each) => each.do !== 'openUntil'));
    check(
      'time',
      fc.tuple(own, steps, fc.array(backwards, { minLength: 1 })),
      ([chosen, all, setBack]) => {
        const jumping = new Rig(chosen, new JumpingClock());
        const steady = new Rig(chosen, new ManualClock());
        for (const [index, each] of all.entries()) {
          expect(jumping.perform(each), `step ${index}`).toBe(steady.perform(each));
          expect(breakerFigures(jumping.breaker)).toEqual(breakerFigures(steady.breaker));
          if (index % 3 !== 0) continue;
          jumping.clock.advance(-(setBack[(index / 3) % setBack.length] as number));
          void jumping.breaker.state;
        }
        expect(jumping.events).toEqual(steady.events);
      },
    );
  });
});

describe('a deadline', () => {
  it('is carried out as of its own instant, however late the breaker is touched', () => {
    check(
      'time',
      fc.tuple(settings, manySteps, fc.integer({ min: 1, max: 50_000 })),
      ([chosen, steps, late]) => {
        const rig = new Rig({ ...chosen, automatic: false }, new ManualClock());
        for (const step of steps) rig.perform(step);
        const touched = rig.clock.date();
        const instants: number[] = [];
        for (const type of ['stateTransition', 'stalledCall', 'failure'] as const) {
          rig.breaker.on(type, (event) => instants.push(event.at));
        }
        rig.clock.advance(late);
        rig.breaker.metrics();
        expect(instants).toEqual(instants.toSorted((a, b) => a - b));
        for (const at of instants) expect(at).toBeLessThan(touched + late + 1);
      },
    );
  });

  it('is carried out by a timer, untouched, where the automatic move is set, and by none elsewhere', () => {
    const lasting = settings.map((chosen): Settings => ({
      ...chosen,
      stalls: false,
      lease: undefined,
    }));
    // Timers know whole milliseconds only: they fire up to one late for any other instant.
    const whole = manySteps.map((all) =>
      all.map((each) => (each.do === 'advance' ? { ...each, ms: Math.ceil(each.ms) } : each)),
    );
    check('time', fc.tuple(lasting, whole), ([chosen, steps]) => {
      const clock = new ManualClock();
      const rig = new Rig(chosen, clock);
      for (const step of steps) {
        rig.perform(step);
        clock.advance(0);
        const untouched = [...rig.events];
        const { state } = rig.breaker;
        if (chosen.automatic) expect(untouched).toEqual(rig.events);
        const mayWait = chosen.automatic && (state === 'open' || state === 'half-open');
        expect(clock.timers).toBeLessThanOrEqual(mayWait ? 1 : 0);
      }
    });
  });

  it('moves a breaker at most 1,000 times in one touch, and once more as of now', () => {
    const spans = fc.integer({ min: 1, max: 50 });
    check('time', fc.tuple(spans, spans, fc.integer({ min: 0, max: 1e9 })), (values) => {
      const [wait, limit, asleep] = values;
      const clock = new JumpingClock();
      const suspended = {
        now: () => clock.now(),
        date: () => clock.date(),
        setTimer: () => () => {},
      };
      const breaker = new CircuitBreaker('suspended', {
        initialState: 'open',
        waitDurationInOpenState: wait,
        maxWaitDurationInHalfOpenState: limit,
        automaticTransitionFromOpenToHalfOpenEnabled: true,
        clock: suspended,
      });
      const instants: number[] = [];
      breaker.on('stateTransition', (event) => instants.push(event.at));
      clock.advance(asleep);
      void breaker.state;
      const due =
        2 * Math.floor(asleep / (wait + limit)) + (asleep % (wait + limit) >= wait ? 1 : 0);
      expect(instants).toHaveLength(Math.min(due, 1001));
      if (due > 1000) expect(instants.at(-1)).toBe(asleep);
    });
  });
});
