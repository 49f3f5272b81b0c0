import { describe, expect, it } from 'vitest';
import { coded, Rig } from './http-rig.ts';

const shared = {
  slidingWindowType: 'time-based',
  slidingWindowSize: 30,
  minimumNumberOfCalls: 20,
  slowCallDurationThreshold: 30_000,
  permittedNumberOfCallsInHalfOpenState: 3,
  maxConcurrentCallsInHalfOpenState: Infinity,
  maxWaitDurationInHalfOpenState: 30_000,
  transitionToStateAfterWaitDuration: 'evaluate',
  detectStalledCalls: true,
  permitLease: 360_000,
  failureCountThreshold: Infinity,
  maxConcurrentCalls: Infinity,
  automaticTransitionFromOpenToHalfOpenEnabled: false,
  initialState: 'closed',
  writableStackTraceEnabled: false,
};

describe('the HTTP defaults', () => {
  it('of endpoints are those of the table', () => {
    const rig = new Rig();
    rig.respond(200);
    expect(rig.endpoint.machine.options).toMatchObject({
      ...shared,
      failureRateThreshold: 50,
      consecutiveFailureThreshold: 10,
      slowCallRateThreshold: 80,
    });
  });

  it('of hosts are those of the table', () => {
    const rig = new Rig();
    rig.respond(200);
    expect(rig.host.machine.options).toMatchObject({
      ...shared,
      failureRateThreshold: 80,
      consecutiveFailureThreshold: 20,
      slowCallRateThreshold: 100,
    });
  });

  it('take the slow threshold of endpoints, not of hosts, for the limit of half-open', () => {
    const rig = new Rig({ breaker: { slowCallDurationThreshold: 2000 } });
    rig.respond(200);
    expect(rig.endpoint.machine.options.maxWaitDurationInHalfOpenState).toBe(2000);
    expect(rig.host.machine.options.maxWaitDurationInHalfOpenState).toBe(30_000);
  });

  it.each([
    [1, 5000],
    [2, 10_000],
    [3, 20_000],
    [4, 30_000],
    [9, 30_000],
  ])('wait after %i openings in a row for %i ms ± 20 %, never the same', (openings, middle) => {
    const rig = new Rig();
    rig.respond(200);
    for (const { machine } of [rig.endpoint, rig.host]) {
      const waits = Array.from({ length: 500 }, () =>
        machine.options.waitDurationInOpenState(openings),
      );
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(middle * 0.8);
      expect(Math.max(...waits)).toBeLessThanOrEqual(middle * 1.2 + 1);
      expect(Math.min(...waits)).toBeLessThan(middle * 0.85);
      expect(Math.max(...waits)).toBeGreaterThan(middle * 1.15);
    }
  });

  it('do without idleTimeout, and keep breakers that nobody has used for days', () => {
    const rig = new Rig();
    rig.respond(200);
    rig.clock.advance(7 * 86_400_000);
    rig.respond(200, { origin: 'https://other.example.com' });
    expect(rig.keys).toHaveLength(4);
  });
});

describe('by the HTTP defaults', () => {
  it.each([
    ['50 a second', 20, 200],
    ['10 a second', 100, 1000],
    ['one a second', 1000, 10_000],
    ['one a minute', 60_000, 600_000],
  ])('a dead dependency is found in 10 calls, at %s', (_, gap, within) => {
    const rig = new Rig();
    rig.respond(200, { times: 5 });
    const began = rig.clock.now();
    let reached = 0;
    for (; rig.endpoint.state === 'closed'; rig.clock.advance(gap)) {
      rig.respond(503);
      reached++;
    }
    expect(reached).toBe(10);
    expect(rig.clock.now() - began).toBeLessThanOrEqual(within);
  });

  it('a host that is out of reach is found in 20 calls, whatever their endpoints', () => {
    const rig = new Rig();
    for (let call = 0; call < 20; call++) {
      expect(rig.refusal('/x')).toBeUndefined();
      rig.fail(coded('ECONNREFUSED'), { path: `/${'abcdefg'[call % 7]}` });
    }
    expect(rig.refusal('/x')?.reason).toBe('open');
  });

  it('a rate of 50 % opens an endpoint from 20 calls on, and not before', () => {
    const rig = new Rig();
    for (let call = 0; call < 19; call++) rig.respond(call % 2 === 0 ? 500 : 200);
    expect(rig.endpoint.state).toBe('closed');
    rig.respond(200);
    expect(rig.endpoint.state).toBe('open');
    expect(rig.host.state).toBe('closed');
  });

  it('a dependency that recovers is used again after the wait and three good calls', () => {
    const rig = new Rig();
    rig.respond(503, { times: 10 });
    rig.clock.advance(3999);
    expect(rig.refusal()?.reason).toBe('open');
    rig.clock.advance(2003);
    const trials = [rig.admit(), rig.admit(), rig.admit()];
    expect(rig.refusal()?.reason).toBe('half-open-full');
    for (const trial of trials) trial.responded(200);
    expect(rig.endpoint.state).toBe('closed');
    expect(rig.endpoint.metrics().lastRecoveryMs).toBe(6002);
  });

  it('one that stays broken is tried with three calls and waits longer each time', () => {
    const rig = new Rig();
    const moves = rig.hear('stateTransition');
    rig.respond(503, { times: 10 });
    for (let round = 0; round < 4; round++) {
      rig.clock.advance(rig.refusal()?.retryAfterMs ?? 0);
      rig.respond(503, { times: 3 });
    }
    const waits = moves.flatMap(({ wait }) => (wait === undefined ? [] : [wait]));
    expect(waits).toHaveLength(5);
    for (const [index, middle] of [5000, 10_000, 20_000, 30_000, 30_000].entries()) {
      expect(Math.abs(waits[index]! - middle)).toBeLessThanOrEqual(middle * 0.2 + 1);
    }
  });

  it.each([1, 10, 50])('a hang is found by stalled calls alone, at %i a second', (rate) => {
    const rig = new Rig();
    rig.respond(200, { times: 5 });
    const moves = rig.hear('stateTransition');
    const began = rig.clock.now();
    while (rig.refusal() === undefined && rig.clock.now() - began < 120_000) {
      rig.admit();
      rig.clock.advance(1000 / rate);
    }
    expect(moves).toMatchObject([{ to: 'open', reason: 'consecutive-failures' }]);
    expect(rig.clock.now() - began).toBeLessThanOrEqual(30_000 + (11 * 1000) / rate);
    expect(rig.host.state).toBe('closed');
  });

  it('calls that never return are forgotten after six minutes, at both levels', () => {
    const rig = new Rig();
    for (let call = 0; call < 9; call++) rig.admit();
    rig.clock.advance(360_000);
    expect(rig.endpoint.metrics().callsInFlight).toBe(9);
    rig.clock.advance(1);
    expect(rig.endpoint.metrics().callsInFlight).toBe(0);
    expect(rig.host.metrics().callsInFlight).toBe(0);
  });

  it('one healthy trial call closes at little traffic, at the limit of half-open', () => {
    const rig = new Rig();
    rig.respond(503, { times: 10 });
    rig.clock.advance(600_000);
    rig.respond(200);
    rig.clock.advance(29_999);
    expect(rig.endpoint.state).toBe('half-open');
    rig.clock.advance(1);
    expect(rig.endpoint.state).toBe('closed');
  });

  it('one trial call that hangs opens again, at the limit of half-open', () => {
    const rig = new Rig();
    rig.respond(503, { times: 10 });
    rig.clock.advance(6002);
    rig.admit();
    rig.clock.advance(30_000);
    expect(rig.endpoint.state).toBe('open');
    expect(rig.endpoint.metrics().openingsInARow).toBe(2);
  });

  it('no noise of 5 % opens anything in ten thousand calls', () => {
    const rig = new Rig();
    for (let call = 0; call < 10_000; call++) {
      rig.respond(call % 20 === 0 ? 500 : 200);
      rig.clock.advance(100);
    }
    expect(rig.endpoint.metrics().totalOpenings).toBe(0);
    expect(rig.host.metrics().totalOpenings).toBe(0);
  });
});
