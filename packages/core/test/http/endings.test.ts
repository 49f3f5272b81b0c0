import { describe, expect, it } from 'vitest';
import type { Admission } from '../../src/index.ts';
import { coded, HOST, Rig, USERS } from './http-rig.ts';

const terminated = new TypeError('terminated', { cause: coded('UND_ERR_SOCKET') });

function counts(rig: Rig): number[][] {
  return [rig.endpoint, rig.host].map((breaker) => {
    const { numberOfSuccessfulCalls, numberOfFailedCalls } = breaker.metrics();
    return [numberOfSuccessfulCalls, numberOfFailedCalls];
  });
}

describe('an admission ends once', () => {
  const endings: [name: string, end: (admission: Admission) => void][] = [
    ['a response', (admission) => admission.responded(200)],
    ['a bad response', (admission) => admission.responded(500)],
    ['an error', (admission) => admission.failed(coded('ECONNRESET'))],
    ['the release', (admission) => admission.released()],
  ];

  it.each(endings)('by %s, and any ending after that is not heard of', (_, end) => {
    const once = new Rig();
    end(once.admit());
    for (const [, endAgain] of endings) {
      const rig = new Rig();
      const events = rig.hear('lateOutcome');
      const admission = rig.admit();
      end(admission);
      endAgain(admission);
      expect(counts(rig)).toEqual(counts(once));
      expect(rig.host.metrics().callsInFlight).toBe(0);
      expect(rig.endpoint.metrics().callsInFlight).toBe(0);
      expect(events).toEqual([]);
    }
  });

  it('and gives no trial call back twice', () => {
    const rig = new Rig();
    rig.respond(200);
    rig.host.transitionToOpenState();
    rig.host.transitionToHalfOpenState();
    const admission = rig.admit();
    for (let time = 0; time < 3; time++) admission.released();
    for (let trial = 0; trial < 3; trial++) rig.admit();
    expect(rig.refusal()?.reason).toBe('half-open-full');
  });
});

describe('a body that fails', () => {
  it('amends the record of the endpoint, and of the endpoint only', () => {
    const rig = new Rig();
    const events = rig.hear('amended', 'failure');
    const admission = rig.admit();
    admission.responded(200);
    expect(counts(rig)).toEqual([[1, 0], [1, 0]]); // prettier-ignore
    admission.bodyFailed(terminated);
    expect(counts(rig)).toEqual([[0, 1], [1, 0]]); // prettier-ignore
    expect(events).toMatchObject([
      { type: 'amended', breaker: USERS, kind: 'body', status: 200, error: terminated },
    ]);
  });

  it('amends once', () => {
    const rig = new Rig();
    const admission = rig.admit();
    admission.responded(200);
    admission.bodyFailed(terminated);
    admission.bodyFailed(terminated);
    expect(counts(rig)).toEqual([[0, 1], [1, 0]]); // prettier-ignore
  });

  it('is one of the body where the client has one timeout for all', () => {
    const rig = new Rig();
    const events = rig.hear('amended');
    const admission = rig.admit();
    admission.responded(200);
    admission.bodyFailed(Object.assign(new Error('timed out'), { name: 'TimeoutError' }));
    expect(events).toMatchObject([{ kind: 'body-timeout', status: 200 }]);
  });

  it('can open the endpoint, as any failure in a row', () => {
    const rig = new Rig();
    for (let call = 0; call < 10; call++) {
      const admission = rig.admit();
      admission.responded(200);
      admission.bodyFailed(terminated);
    }
    expect(rig.endpoint.state).toBe('open');
    expect(rig.host.state).toBe('closed');
  });

  it('leaves the record where the caller left, or a row says that it is no failure', () => {
    const rig = new Rig({
      rules: [
        { status: 206, error: 'body', outcome: 'ignore' },
        { status: 203, error: 'body', outcome: 'success' },
        { status: 202, error: 'body', outcome: 'hold', holdFor: 1000 },
      ],
    });
    const calls = [200, 206, 203, 202].map((status) => {
      const admission = rig.admit();
      admission.responded(status);
      return admission;
    });
    const reason = new DOMException('gone', 'AbortError');
    calls[0]?.bodyFailed(reason, { aborted: true, reason });
    for (const call of calls.slice(1)) call.bodyFailed(terminated);
    expect(counts(rig)).toEqual([[4, 0], [4, 0]]); // prettier-ignore
    expect(rig.endpoint.state).toBe('closed');
  });

  it('amends the endpoint where a row trips, or speaks of the host', () => {
    const rig = new Rig({
      rules: [
        { status: 206, error: 'body', outcome: 'failure', domain: 'host' },
        { status: 203, error: 'body', outcome: 'trip' },
      ],
    });
    for (const status of [206, 203]) {
      const admission = rig.admit();
      admission.responded(status);
      admission.bodyFailed(terminated);
    }
    expect(counts(rig)).toEqual([[0, 2], [2, 0]]); // prettier-ignore
  });

  it('changes nothing after a bad response, an error or the release', () => {
    const rig = new Rig();
    const [bad, failed, released] = [rig.admit(), rig.admit(), rig.admit()];
    bad?.responded(500);
    failed?.failed(coded('ECONNRESET'));
    released?.released();
    for (const admission of [bad, failed, released]) admission?.bodyFailed(terminated);
    expect(counts(rig)).toEqual([[0, 2], [0, 2]]); // prettier-ignore
  });

  it('ends a call of which no response was told', () => {
    const rig = new Rig();
    rig.admit().bodyFailed(terminated);
    expect(counts(rig)).toEqual([[0, 1], [0, 1]]); // prettier-ignore
    expect(rig.host.metrics().callsInFlight).toBe(0);
  });

  it('amends a host that guards alone', () => {
    const rig = new Rig({ level: 'host' });
    const admission = rig.admit();
    admission.responded(200);
    admission.bodyFailed(terminated);
    expect(rig.host.metrics()).toMatchObject({
      numberOfFailedCalls: 1,
      numberOfSuccessfulCalls: 0,
    });
  });
});

describe('what an ending tells', () => {
  it('is in the events: status, kind, code, row and time', () => {
    const rig = new Rig({ rules: [{ name: 'teapot', status: 418, outcome: 'failure' }] });
    const events = rig.hear('failure', 'success');
    const [answered, broke, teapot] = [rig.admit(), rig.admit(), rig.admit()];
    rig.clock.advance(12);
    answered?.responded(200);
    broke?.failed(coded('ECONNRESET'));
    teapot?.responded(418);
    expect(events.filter(({ breaker }) => breaker === USERS)).toMatchObject([
      { type: 'success', elapsed: 12, status: 200, rule: 'the dependency answered' },
      {
        type: 'failure',
        elapsed: 12,
        kind: 'reset',
        code: 'ECONNRESET',
        rule: 'no whole response',
      },
      { type: 'failure', elapsed: 12, status: 418, rule: 'teapot' },
    ]);
    expect(events.filter(({ breaker }) => breaker === HOST)).toHaveLength(3);
  });

  it('leaves out a refusal of another breaker: it is recorded nowhere', () => {
    const rig = new Rig();
    rig.respond(200);
    rig.endpoint.transitionToForcedOpenState();
    const refusal = rig.refusal();
    const other = new Rig();
    other.fail(new Error('wrapped', { cause: refusal }));
    expect(counts(other)).toEqual([[0, 0], [0, 0]]); // prettier-ignore
    expect(other.host.metrics().callsInFlight).toBe(0);
  });
});

describe('a request that no breaker guards', () => {
  it.each([
    { method: 'GET', url: '/relative' },
    { method: 'GET', url: 'data:text/plain,x' },
    { method: 'GET', origin: 'file://', path: '/etc/hosts' },
    { method: 'not a token', url: HOST },
  ])('passes, and is counted as such: %j', (request) => {
    const rig = new Rig();
    const admission = rig.http.admit(request);
    admission.responded(500);
    admission.bodyFailed(terminated);
    rig.http.admit(request).failed(coded('ECONNRESET'));
    rig.http.admit(request).released();
    expect(rig.http.snapshot()).toMatchObject({ breakers: [], unguarded: 3 });
  });
});
