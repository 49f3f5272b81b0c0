import { describe, expect, it } from 'vitest';
import { countGuard, httpGuard } from './guards.ts';
import { PendingCalls } from './pending-calls.ts';
import { Random } from '@recloser/test-support/random';
import { scenario } from './scenario.ts';
import { failingAt } from './server.ts';
import { simulate, type Simulation } from './simulate.ts';
import { steadyTimeline } from './traffic.ts';

const brownOut: Omit<Simulation<never>, 'guard'> = {
  scenario: scenario('half of it fails', failingAt(0.5)),
  callsPerSecond: 10,
  timeline: steadyTimeline(600_000),
  seed: 7,
};

describe('a simulation', () => {
  it('gives the same for the same seed, the jitter of the waits included', () => {
    const run = () => simulate({ ...brownOut, guard: httpGuard() });
    expect(run()).toEqual(run());
    expect(run().openings).toBeGreaterThan(0);
  });

  it('gives another for another seed', () => {
    const other = simulate({ ...brownOut, seed: 8, guard: httpGuard() });
    expect(other).not.toEqual(simulate({ ...brownOut, guard: httpGuard() }));
  });

  it('sends all guards the same calls', () => {
    const one = simulate({ ...brownOut, guard: httpGuard() });
    const other = simulate({ ...brownOut, guard: countGuard(5) });
    expect(other.reached).not.toBe(one.reached);
    expect([other.faulty, other.good]).toEqual([one.faulty, one.good]);
  });

  it('sends as many calls as it is told to, and the server fails its share', () => {
    const { faulty, good } = simulate({ ...brownOut, guard: countGuard(5) });
    expect(Math.abs(faulty - 6000)).toBeLessThan(4 * Math.sqrt(6000));
    expect(Math.abs(good / faulty - 0.5)).toBeLessThan(0.03);
  });
});

describe('pending calls', () => {
  it('come in the order in which they are due', () => {
    const random = new Random(1);
    const due = Array.from({ length: 500 }, () => random.between(0, 100));
    const pending = new PendingCalls<number>();
    for (const instant of due) pending.add(instant, instant);
    const order = due.map(() => [pending.nextDue, pending.take()]);
    expect(order).toEqual(due.toSorted((one, other) => one - other).map((at) => [at, at]));
    expect(pending.nextDue).toBe(Infinity);
  });
});
