import { describe, expect, it } from 'vitest';
import type { CircuitBreakerOptions } from '../../src/index.ts';
import { fail, manualBreaker, only, succeed } from './manual-breaker.ts';

const options: CircuitBreakerOptions = {
  consecutiveFailureThreshold: 1,
  waitDurationInOpenState: 1000,
  permittedNumberOfCallsInHalfOpenState: 1,
};

/** Open since `ms` ago, with one trial call failed on the way. */
function brokenFor(ms: number) {
  const rig = manualBreaker(options);
  fail(rig.breaker);
  rig.clock.advance(1001);
  fail(rig.breaker);
  rig.clock.advance(ms - 1001);
  return rig;
}

describe('outageMs', () => {
  it('is undefined while closed, however many calls fail', () => {
    const { breaker, clock } = manualBreaker({ ...options, consecutiveFailureThreshold: 9 });
    fail(breaker, 5);
    clock.advance(500);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', outageMs: undefined });
  });

  it('begins with the opening', () => {
    const { breaker, clock } = manualBreaker(options);
    clock.advance(500);
    fail(breaker);
    expect(breaker.metrics().outageMs).toBe(0);
    clock.advance(300);
    expect(breaker.metrics().outageMs).toBe(300);
  });

  it('goes on through trial calls, failed ones and openings anew', () => {
    const { breaker, clock } = manualBreaker(options);
    fail(breaker);
    clock.advance(1001);
    const trial = breaker.acquire();
    clock.advance(9);
    expect(breaker.metrics()).toMatchObject({ state: 'half-open', timeInState: 9, outageMs: 1010 });
    trial.failure();
    clock.advance(90);
    expect(breaker.metrics()).toMatchObject({ state: 'open', timeInState: 90, outageMs: 1100 });
    clock.advance(911);
    fail(breaker);
    clock.advance(1);
    expect(breaker.metrics()).toMatchObject({ openingsInARow: 3, outageMs: 2012 });
  });

  it('ends as it closes, and the next outage begins at 0', () => {
    const { breaker, clock } = brokenFor(5000);
    succeed(breaker);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', outageMs: undefined });
    clock.advance(700);
    fail(breaker);
    clock.advance(20);
    expect(breaker.metrics().outageMs).toBe(20);
  });

  it('ends by a reset', () => {
    const { breaker } = brokenFor(5000);
    breaker.reset();
    expect(breaker.metrics().outageMs).toBeUndefined();
  });

  it.each([
    ['transitionToForcedOpenState', 'forced-open'],
    ['transitionToDisabledState', 'disabled'],
    ['transitionToMetricsOnlyState', 'metrics-only'],
  ] as const)("ends by the operator's %s", (move, state) => {
    const { breaker, clock } = brokenFor(5000);
    breaker[move]();
    clock.advance(100);
    expect(breaker.metrics()).toMatchObject({ state, outageMs: undefined });
  });

  it('begins by a move to open by hand', () => {
    const { breaker, clock } = manualBreaker(options);
    breaker.transitionToOpenState();
    clock.advance(10);
    expect(breaker.metrics().outageMs).toBe(10);
  });
});

describe('recoveryMs', () => {
  const recoveries = ({ events }: ReturnType<typeof manualBreaker>) =>
    only(events, 'stateTransition').map(({ from, to, recoveryMs }) => [from, to, recoveryMs]);

  it('stands on the move that ends an outage, and on no other', () => {
    const rig = brokenFor(5000);
    const trial = rig.breaker.acquire();
    rig.clock.advance(7);
    trial.success();
    expect(recoveries(rig)).toEqual([
      ['closed', 'open', undefined],
      ['open', 'half-open', undefined],
      ['half-open', 'open', undefined],
      ['open', 'half-open', undefined],
      ['half-open', 'closed', 5007],
    ]);
    const moves = only(rig.events, 'stateTransition');
    expect(moves.map((move) => 'recoveryMs' in move)).toEqual([false, false, false, false, true]);
    expect(rig.breaker.metrics().lastRecoveryMs).toBe(5007);
  });

  it('is of each outage alone', () => {
    const rig = brokenFor(5000);
    succeed(rig.breaker);
    rig.clock.advance(600);
    fail(rig.breaker);
    rig.clock.advance(1001);
    succeed(rig.breaker);
    expect(recoveries(rig).at(-1)).toEqual(['half-open', 'closed', 1001]);
  });

  it('stands on a close by hand, which ends it too', () => {
    const rig = brokenFor(5000);
    rig.breaker.transitionToClosedState();
    expect(recoveries(rig).at(-1)).toEqual(['open', 'closed', 5000]);
  });

  it('is not there after a reset, which is no recovery', () => {
    const rig = brokenFor(5000);
    rig.breaker.reset();
    expect(only(rig.events, 'stateTransition').at(-1)).not.toHaveProperty('recoveryMs');
    expect(rig.breaker.metrics().lastRecoveryMs).toBeUndefined();
  });

  it("is not there as it closes from an operator's state", () => {
    const rig = brokenFor(5000);
    rig.breaker.transitionToForcedOpenState();
    rig.breaker.transitionToClosedState();
    expect(only(rig.events, 'stateTransition').at(-1)).toMatchObject({ to: 'closed' });
    expect(only(rig.events, 'stateTransition').at(-1)).not.toHaveProperty('recoveryMs');
  });
});
