import { describe, expect, it } from 'vitest';
import { CallNotPermittedError, type OutcomeRow } from '../../src/index.ts';
import { coded, HOST, Rig, USERS, words } from './http-rig.ts';

const rules: OutcomeRow[] = [
  { status: 211, outcome: 'success', domain: 'host' },
  { status: 520, outcome: 'failure', domain: 'host' },
  { status: 521, outcome: 'trip' },
  { status: 522, outcome: 'trip', domain: 'host' },
  { status: 523, outcome: 'hold', holdFor: 1000 },
  { status: 524, outcome: 'hold', holdFor: 1000, domain: 'host' },
  { status: 525, outcome: 'ignore' },
  { status: 526, outcome: 'ignore', domain: 'host' },
];

const endings = [
  'success',
  'failure',
  'held',
  'ignored',
  'lateOutcome',
  'stateTransition',
] as const;

describe('what each level is told', () => {
  it.each<[ending: string, status: number, told: string[]]>([
    ['a success', 200, ['success of the endpoint', 'success of the host']],
    ['a success of the domain host', 211, ['success of the endpoint', 'success of the host']],
    ['a failure of the domain endpoint', 500, ['failure of the endpoint', 'failure of the host']],
    ['a failure of the domain host', 520, ['failure of the host']],
    [
      'a trip of the domain endpoint, which opens it',
      521,
      ['failure of the endpoint', 'stateTransition of the endpoint'],
    ],
    ['a trip of the domain host', 522, ['failure of the host', 'stateTransition of the host']],
    [
      'a hold of the domain endpoint, whose host answered',
      523,
      ['held of the endpoint', 'stateTransition of the endpoint', 'success of the host'],
    ],
    ['a hold of the domain host', 524, ['held of the host', 'stateTransition of the host']],
    ['what is ignored', 525, ['ignored of the endpoint']],
    ['what is ignored, of the domain host', 526, ['ignored of the endpoint']],
  ])('%s', (_, status, told) => {
    const rig = new Rig({ rules });
    const events = rig.hear(...endings);
    rig.respond(status);
    expect(words(events)).toEqual(told);
    expect(rig.endpoint.metrics().callsInFlight).toBe(0);
    expect(rig.host.metrics().callsInFlight).toBe(0);
  });

  it('nothing sent: nothing, at either', () => {
    const rig = new Rig();
    const events = rig.hear(...endings);
    rig.admit().released();
    expect(events).toEqual([]);
    for (const { metrics } of [rig.endpoint, rig.host].map((b) => ({ metrics: b.metrics() }))) {
      expect(metrics).toMatchObject({
        callsInFlight: 0,
        numberOfBufferedCalls: 0,
        lateOutcomes: 0,
      });
    }
  });

  it('an error of the host: the host alone, whatever the endpoint', () => {
    const rig = new Rig();
    rig.fail(coded('ECONNREFUSED'), { times: 3 });
    rig.fail(coded('ENOTFOUND'), { path: '/orders', times: 2 });
    expect(rig.host.metrics().numberOfFailedCalls).toBe(5);
    expect(rig.endpoint.metrics().numberOfBufferedCalls).toBe(0);
  });

  it('a trip of the endpoint opens no host, and is a plain failure where an operator keeps it', () => {
    const rig = new Rig({ rules });
    rig.respond(200);
    rig.endpoint.transitionToMetricsOnlyState();
    const events = rig.hear('failure');
    rig.respond(521);
    expect(events).toMatchObject([{ breaker: USERS, trip: true }, { breaker: HOST }]);
    expect(events[1]).not.toHaveProperty('trip');
    expect(rig.host.state).toBe('closed');
  });
});

describe('a failing endpoint speaks for its host', () => {
  it('only until its own breaker opens: it adds at most its first failures', () => {
    const rig = new Rig();
    rig.respond(500, { times: 10 });
    expect(rig.endpoint.state).toBe('open');
    expect(rig.host.metrics()).toMatchObject({ numberOfFailedCalls: 9, callsInFlight: 0 });
  });

  it('no more while it is open: calls that were in flight are released at the host', () => {
    const rig = new Rig();
    const inFlight = [rig.admit(), rig.admit()];
    rig.respond(500, { times: 10 });
    for (const admission of inFlight) admission.responded(500);
    expect(rig.endpoint.metrics().numberOfFailedCalls).toBe(12);
    expect(rig.host.metrics()).toMatchObject({ numberOfFailedCalls: 9, callsInFlight: 0 });
  });

  it('no more while it is half-open: a failed trial is released at the host', () => {
    const rig = new Rig();
    rig.respond(200);
    rig.endpoint.transitionToOpenState();
    rig.endpoint.transitionToHalfOpenState();
    rig.respond(500);
    expect(rig.endpoint.state).toBe('half-open');
    expect(rig.host.metrics()).toMatchObject({ numberOfFailedCalls: 0, numberOfBufferedCalls: 1 });
  });

  it('and again once it has closed', () => {
    const rig = new Rig();
    rig.respond(500, { times: 10 });
    rig.endpoint.transitionToClosedState();
    rig.respond(500);
    expect(rig.host.metrics().numberOfFailedCalls).toBe(10);
  });

  it('its successes count while it is half-open, and so close its host', () => {
    const rig = new Rig();
    rig.respond(200);
    for (const breaker of [rig.endpoint, rig.host]) {
      breaker.transitionToOpenState();
      breaker.transitionToHalfOpenState();
    }
    rig.respond(200, { times: 3 });
    expect([rig.endpoint.state, rig.host.state]).toEqual(['closed', 'closed']);
  });

  it('together with others: where all 50 endpoints fail, few of 9,000 calls reach them', () => {
    const rig = new Rig();
    let reached = 0;
    for (let call = 0; call < 9000; call++) {
      const answer = rig.tryAdmit(
        `/route/${'abcde'[call % 5]}/${'abcdefghij'[call % 10]}x${call % 7}`,
      );
      if (!(answer instanceof CallNotPermittedError)) {
        answer.responded(503);
        reached++;
      }
      rig.clock.advance(20);
    }
    expect(rig.host.metrics().totalOpenings).toBeGreaterThan(0);
    expect(reached).toBeLessThan(200);
  });

  it('never so that a good endpoint is refused for one bad one with nearly all the traffic', () => {
    const rig = new Rig();
    for (let call = 0; call < 2000; call++) {
      if (call % 33 === 0) rig.respond(200, { path: '/good' });
      else if (rig.refusal('/bad') === undefined) rig.respond(503, { path: '/bad' });
      rig.clock.advance(20);
    }
    expect(rig.host.metrics().totalOpenings).toBe(0);
    expect(rig.breaker(`GET ${HOST}/bad`).metrics().totalOpenings).toBeGreaterThan(1);
  });
});

describe('one breaker that guards alone', () => {
  it.each<[status: number, told: string[]]>([
    [200, ['success']],
    [500, ['failure']],
    [520, ['failure']],
    [521, ['failure', 'stateTransition']],
    [522, ['failure', 'stateTransition']],
    [523, ['held', 'stateTransition']],
    [524, ['held', 'stateTransition']],
    [525, ['ignored']],
    [526, ['ignored']],
  ])('takes %i as its own, whatever the domain', (status, told) => {
    for (const level of ['host', 'endpoint'] as const) {
      const rig = new Rig({ rules, level });
      const events = rig.hear(...endings);
      rig.respond(status);
      expect(events.map(({ type }) => type)).toEqual(told);
      expect(rig.keys).toEqual([level === 'host' ? HOST : USERS]);
      expect(rig.http.snapshot().breakers[0]?.callsInFlight).toBe(0);
    }
  });

  it('takes an error of the host too, as an endpoint', () => {
    const rig = new Rig({ level: 'endpoint' });
    rig.fail(coded('ECONNREFUSED'), { times: 10 });
    expect(rig.endpoint.state).toBe('open');
  });
});
