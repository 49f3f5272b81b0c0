import { describe, expect, it } from 'vitest';
import type { Permit } from '../../src/index.ts';
import { manualBreaker, only, typesOf } from './manual-breaker.ts';

const endings = {
  success: (permit: Permit) => permit.success(),
  failure: (permit: Permit) => permit.failure(new Error('busy')),
  ignore: (permit: Permit) => permit.ignore(new Error('not yours')),
  result: (permit: Permit) => permit.result('value'),
  error: (permit: Permit) => permit.error(new Error('busy')),
  trip: (permit: Permit) => permit.trip(new Error('gone')),
  hold: (permit: Permit) => permit.hold(500),
  release: (permit: Permit) => permit.release(),
  amend: (permit: Permit) => permit.amend(new Error('broke off')),
};
type Ending = keyof typeof endings;
const names = Object.keys(endings) as Ending[];

const pairs = names.flatMap((first) =>
  names
    .filter((second) => second !== 'amend' || (first !== 'success' && first !== 'result'))
    .map((second): [Ending, Ending] => [first, second]),
);

describe('a permit', () => {
  it.each<[ending: Ending, events: string[], buffered: number, failed: number, state: string]>([
    ['success', ['success'], 1, 0, 'closed'],
    ['failure', ['failure'], 1, 1, 'closed'],
    ['ignore', ['ignored'], 0, 0, 'closed'],
    ['result', ['success'], 1, 0, 'closed'],
    ['error', ['failure'], 1, 1, 'closed'],
    ['trip', ['failure', 'stateTransition'], 1, 1, 'open'],
    ['hold', ['held', 'stateTransition'], 0, 0, 'open'],
    ['release', [], 0, 0, 'closed'],
    ['amend', ['failure'], 1, 1, 'closed'],
  ])('ends by %s, which announces %j', (ending, types, buffered, failed, state) => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    expect(breaker.metrics().callsInFlight).toBe(1);
    endings[ending](permit);
    expect(typesOf(events)).toEqual(types);
    expect(breaker.metrics()).toMatchObject({
      state,
      callsInFlight: 0,
      numberOfBufferedCalls: buffered,
      numberOfFailedCalls: failed,
    });
  });

  it.each(pairs)('that ended by %s is not ended again by %s', (first, second) => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    endings[first](permit);
    const [before, heard] = [breaker.metrics(), events.length];
    endings[second](permit);
    expect(breaker.metrics()).toEqual(before);
    expect(events).toHaveLength(heard);
  });

  it('measures the elapsed time itself', () => {
    const { breaker, clock, events } = manualBreaker();
    clock.advance(17);
    const permit = breaker.acquire();
    clock.advance(40);
    expect(permit.elapsed()).toBe(40);
    clock.advance(2.5);
    permit.success();
    expect(only(events, 'success')).toMatchObject([{ elapsed: 42.5 }]);
  });

  it('is slow by its own time, also where it fails', () => {
    const { breaker, clock } = manualBreaker({ slowCallDurationThreshold: 100 });
    const [early, late] = [breaker.acquire(), breaker.acquire()];
    clock.advance(100);
    early.failure();
    expect(breaker.metrics().numberOfSlowCalls).toBe(0);
    clock.advance(0.5);
    late.failure();
    expect(breaker.metrics()).toMatchObject({ numberOfSlowCalls: 1, numberOfSlowFailedCalls: 1 });
  });
});

describe('a permit of a trial call', () => {
  const halfOpen = { initialState: 'half-open', permittedNumberOfCallsInHalfOpenState: 2 } as const;

  it.each<Ending>(['ignore', 'release'])('goes back by %s', (ending) => {
    const { breaker } = manualBreaker(halfOpen);
    const permit = breaker.acquire();
    breaker.acquire();
    expect(breaker.tryAcquire()).toBeUndefined();
    endings[ending](permit);
    expect(breaker.tryAcquire()).toBeDefined();
    expect(breaker.tryAcquire()).toBeUndefined();
  });

  it.each<Ending>(['success', 'failure', 'result', 'error', 'amend'])('is used by %s', (ending) => {
    const { breaker } = manualBreaker(halfOpen);
    endings[ending](breaker.acquire());
    expect(breaker.state).toBe('half-open');
    breaker.acquire();
    expect(breaker.tryAcquire()).toBeUndefined();
  });

  it.each<Ending>(['trip', 'hold'])('opens the breaker by %s', (ending) => {
    const { breaker } = manualBreaker(halfOpen);
    endings[ending](breaker.acquire());
    expect(breaker.state).toBe('open');
  });
});

describe('a permit that ends after its period', () => {
  const loud = names.filter((name) => name !== 'release');

  it.each(loud)('by %s changes nothing but lateOutcomes, and says so', (ending) => {
    const { breaker, clock, events } = manualBreaker({ minimumNumberOfCalls: 1 });
    const permit = breaker.acquire();
    breaker.reset();
    const before = breaker.metrics();
    events.length = 0;
    clock.advance(30);
    endings[ending](permit);
    expect(breaker.metrics()).toEqual({
      ...before,
      callsInFlight: 0,
      lateOutcomes: 1,
      timeInState: 30,
    });
    expect(events).toMatchObject([{ type: 'lateOutcome', state: 'closed', elapsed: 30 }]);
    endings[ending](permit);
    expect(events).toHaveLength(1);
  });

  it('by release is silent', () => {
    const { breaker, events } = manualBreaker();
    const permit = breaker.acquire();
    breaker.transitionToForcedOpenState();
    const heard = events.length;
    permit.release();
    expect(events).toHaveLength(heard);
    expect(breaker.metrics()).toMatchObject({ lateOutcomes: 0, callsInFlight: 0 });
  });

  it.each(names)('gives no half-open permit back by %s', (ending) => {
    const { breaker } = manualBreaker({ permittedNumberOfCallsInHalfOpenState: 1 });
    const early = breaker.acquire();
    breaker.transitionToOpenState();
    breaker.transitionToHalfOpenState();
    breaker.acquire();
    endings[ending](early);
    expect(breaker.state).toBe('half-open');
    expect(breaker.tryAcquire()).toBeUndefined();
  });

  it.each(names)('is silent by %s, where it was admitted in disabled', (ending) => {
    const { breaker, events } = manualBreaker({ initialState: 'disabled' });
    const [within, after] = [breaker.acquire(), breaker.acquire()];
    endings[ending](within);
    expect(events).toEqual([]);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 0, lateOutcomes: 0 });
    breaker.transitionToClosedState();
    events.length = 0;
    endings[ending](after);
    expect(events).toEqual([]);
    expect(breaker.metrics()).toMatchObject({
      state: 'closed',
      numberOfBufferedCalls: 0,
      lateOutcomes: 0,
      callsInFlight: 0,
    });
  });
});

describe('outcomes that come while open', () => {
  it('count in the window of the period before, and move nothing', () => {
    const { breaker, clock } = manualBreaker({ slidingWindowSize: 4 });
    const [good, bad] = [breaker.acquire(), breaker.acquire()];
    breaker.acquire().trip();
    const { retryAfterMs } = breaker.metrics();
    good.success();
    bad.failure();
    expect(breaker.metrics()).toMatchObject({
      state: 'open',
      retryAfterMs,
      numberOfBufferedCalls: 3,
      numberOfFailedCalls: 2,
      lateOutcomes: 0,
    });
    clock.advance(60_001);
    breaker.acquire();
    expect(breaker.metrics().numberOfBufferedCalls).toBe(0);
  });
});
