import { describe, expect, it } from 'vitest';
import { Rig } from './http-rig.ts';

const HOSTS = 20_000;
const BOUND = 100;
const dead = Array.from({ length: 10 }, (_, index) => `https://dead-${index}.example.com`);

/** A registry of 100 with ten hosts that are out of reach, for an hour to come. */
function floodable(): Rig {
  const rig = new Rig({ maxBreakers: BOUND, rules: [{ status: 523, outcome: 'trip', domain: 'host' }] }); // prettier-ignore
  for (const origin of dead) {
    rig.respond(523, { origin });
    rig.breaker(origin).transitionToOpenStateFor(3_600_000);
  }
  return rig;
}

/** Whole numbers below 2 ** 32 that look random and are the same each time. */
function* numbers(): Generator<number> {
  for (let state = 1; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

function flood(rig: Rig, end: boolean): void {
  const random = numbers();
  for (let call = 0; call < HOSTS; call++) {
    const origin = `https://h${random.next().value}.example.org`;
    const admission = rig.admit('/x', { origin });
    if (end) admission.responded(200);
    if (call % 500 === 0) expect(rig.http.snapshot().breakers.length).toBeLessThanOrEqual(BOUND);
  }
}

describe('a flood of 20,000 new hosts at a bound of 100 breakers', () => {
  it.each([
    ['that answer', true],
    ['that never answer', false],
  ])('%s refuses no caller, evicts no open breaker and keeps to the bound', (_, answers) => {
    const rig = floodable();
    const lost = rig.hear('breakerEvicted');
    // Any refusal would throw.
    flood(rig, answers);
    expect(rig.http.snapshot().breakers.length).toBeLessThanOrEqual(BOUND);
    for (const origin of dead) {
      expect(rig.refusal('/x', origin)).toMatchObject({ breaker: origin, reason: 'open' });
    }
    expect(lost.filter(({ openingsInARow }) => openingsInARow > 0)).toEqual([]);
    expect(lost.filter(({ key }) => dead.includes(key))).toEqual([]);
  });

  it('that answer leaves none of them unguarded', () => {
    const rig = floodable();
    flood(rig, true);
    expect(rig.http.snapshot()).toMatchObject({ unguarded: 0, overflows: 0 });
  });

  it('that never answer leaves most of them unguarded, and says so', () => {
    const rig = floodable();
    let told = 0;
    rig.http.on('registryFull', () => told++);
    flood(rig, false);
    const { unguarded, overflows } = rig.http.snapshot();
    expect(unguarded).toBeGreaterThan(HOSTS - BOUND);
    expect(told).toBe(overflows);
  });
});
