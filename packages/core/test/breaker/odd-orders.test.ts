import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type Permit } from '../../src/index.ts';
import { manualBreaker, only, recordEvents } from './manual-breaker.ts';

describe('permits in odd orders', () => {
  it('may be settled by thousands, twice, and in any order', () => {
    const { breaker, events } = manualBreaker({
      initialState: 'metrics-only',
      slidingWindowSize: 10_000,
      detectStalledCalls: true,
      permitLease: 100_000,
    });
    const permits = Array.from({ length: 6000 }, () => breaker.acquire());
    const settle = (permit: Permit, n: number): void =>
      n % 3 ? permit.success() : permit.failure();
    permits.forEach((permit, n) => {
      if (n % 2) settle(permit, n);
    });
    permits.toReversed().forEach((permit, n) => settle(permit, n));
    permits.forEach((permit) => permit.ignore());
    expect(breaker.metrics()).toMatchObject({
      callsInFlight: 0,
      numberOfBufferedCalls: 6000,
      lateOutcomes: 0,
    });
    expect(only(events, 'success').length + only(events, 'failure').length).toBe(6000);
  });

  it('belong to the breaker that gave them', () => {
    const [first, second] = [manualBreaker(), manualBreaker({ initialState: 'half-open' })];
    const permit = first.breaker.acquire();
    second.breaker.acquire();
    permit.trip();
    expect(first.breaker.state).toBe('open');
    expect(second.breaker.metrics()).toMatchObject({
      state: 'half-open',
      callsInFlight: 1,
      numberOfBufferedCalls: 0,
    });
    expect(second.events).toEqual([]);
  });

  it('that end in each half-open period of another leave the permits of this one alone', () => {
    const { breaker } = manualBreaker({ permittedNumberOfCallsInHalfOpenState: 2 });
    const early: Permit[] = [];
    breaker.transitionToOpenState();
    for (let period = 0; period < 20; period++) {
      breaker.transitionToHalfOpenState();
      for (const permit of early.splice(0)) permit.ignore();
      const trials = [breaker.acquire(), breaker.acquire()];
      expect(breaker.tryAcquire()).toBeUndefined();
      early.push(...trials);
    }
    expect(breaker.metrics()).toMatchObject({ callsInFlight: 2, lateOutcomes: 38 });
  });
});

describe('names and values from strangers', () => {
  it.each(['__proto__', 'constructor', 'toString', '\u0000', '🔥', 'x'.repeat(100_000)])(
    'the name %s does no harm',
    (name) => {
      const breaker = new CircuitBreaker(name, { initialState: 'forced-open' });
      const events = recordEvents(breaker);
      expect(breaker.refusal()?.breaker).toBe(name);
      breaker.tryAcquire();
      expect(events).toMatchObject([{ breaker: name }]);
    },
  );

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('the option %s is unknown', (name) => {
    const options = JSON.parse(`{"${name}": 5}`) as object;
    expect(() => new CircuitBreaker('test', options)).toThrow(TypeError);
  });

  it('the event __proto__ is unknown', () => {
    const { breaker } = manualBreaker();
    expect(() => breaker.on('__proto__' as never, () => {})).toThrow(TypeError);
  });
});

describe('a clock from strangers', () => {
  it('whose timers cannot be cancelled harms no move, and tells', () => {
    const { clock } = manualBreaker();
    const setTimer = (): never => 'no function' as never;
    const odd = new CircuitBreaker('odd', {
      automaticTransitionFromOpenToHalfOpenEnabled: true,
      clock: { now: () => clock.now(), date: () => clock.date(), setTimer },
    });
    const oddEvents = recordEvents(odd);
    odd.transitionToOpenState();
    odd.transitionToClosedState();
    expect(odd.state).toBe('closed');
    expect(only(oddEvents, 'error')).toMatchObject([{ source: 'clock' }]);
  });
});
