import { describe, expect, it } from 'vitest';
import {
  honestRetryAfter,
  type HttpCircuitBreakerOptions,
  type OutcomeRow,
} from '../../src/index.ts';
import { HOST, retryAfter, Rig, USERS } from './http-rig.ts';

const fixedWait = { breaker: { waitDurationInOpenState: 5000 } };

/** What a caller is told after ten such failures: the wait of the endpoint that opened. */
function waitAfter(header: string | undefined, options: HttpCircuitBreakerOptions = {}) {
  const rig = new Rig({ ...fixedWait, ...options });
  const headers = header === undefined ? {} : retryAfter(header);
  rig.respond(503, { times: 10, headers });
  return rig.refusal()?.retryAfterMs;
}

describe('a breaker that opens', () => {
  it.each<[header: string | undefined, wait: number]>([
    [undefined, 5001],
    ['0', 5001],
    ['2', 5001],
    ['60', 60_001],
    ['300', 300_001],
    ['301', 300_001],
    ['99999999999999999999', 300_001],
    ['Mon, 30 Nov 2026 12:01:00 GMT', 60_001],
    ['Mon, 30 Nov 2026 11:59:00 GMT', 5001],
    ['Fri, 31 Dec 2027 00:00:00 GMT', 300_001],
    ['soon', 5001],
    ['-60', 5001],
    ['60.5', 5001],
  ])('waits at least as long as the dependency asked, up to 5 minutes: %s', (header, wait) => {
    expect(waitAfter(header)).toBe(wait);
  });

  it('believes no more than maxRetryAfter', () => {
    expect(waitAfter('60', { maxRetryAfter: 20_000 })).toBe(20_001);
    expect(waitAfter('600', { maxRetryAfter: 900_000 })).toBe(600_001);
  });

  it('waits by itself alone without honorRetryAfter', () => {
    expect(waitAfter('60', { honorRetryAfter: false })).toBe(5001);
  });

  it('waits until the latest instant that it was told in this period', () => {
    const rig = new Rig(fixedWait);
    rig.respond(429, { headers: retryAfter('60') });
    rig.clock.advance(20_000);
    rig.respond(503, { times: 9, headers: retryAfter('10') });
    expect(rig.refusal()?.retryAfterMs).toBe(40_001);
  });

  it('forgets what it was told before it closed', () => {
    const rig = new Rig(fixedWait);
    rig.respond(429, { headers: retryAfter('300') });
    rig.endpoint.reset();
    rig.respond(503, { times: 10 });
    expect(rig.refusal()?.retryAfterMs).toBe(5001);
  });

  it('reads the header of any kind of headers, in any case', () => {
    const kinds = [
      new Headers({ 'Retry-After': '60' }),
      new Map([['retry-after', '60']]),
      { 'RETRY-AFTER': '60' },
      { 'retry-after': ['30', '60'] },
      { 'retry-after': 60 },
    ];
    for (const headers of kinds) {
      const rig = new Rig(fixedWait);
      for (let call = 0; call < 10; call++) rig.admit().responded(503, headers);
      expect(rig.refusal()?.retryAfterMs).toBe(60_001);
    }
  });

  it('does so as a host, where the failure is the host’s', () => {
    const rules = [{ status: 503, outcome: 'failure', domain: 'host' }] as const;
    const rig = new Rig({ ...fixedWait, rules });
    rig.respond(503, { times: 20, headers: retryAfter('60') });
    expect(rig.refusal('/orders')).toMatchObject({ breaker: HOST, retryAfterMs: 60_001 });
  });

  it('does so where a trip opened it', () => {
    const rig = new Rig({ ...fixedWait, rules: [{ status: 503, outcome: 'trip' }] });
    rig.respond(503, { headers: retryAfter('60') });
    expect(rig.refusal()?.retryAfterMs).toBe(60_001);
  });

  it('takes a success with the header for a success', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200, { headers: retryAfter('60') });
    rig.respond(503, { times: 10 });
    expect(rig.refusal()?.retryAfterMs).toBe(5001);
  });
});

describe('a hold', () => {
  const withHolds = (rules: readonly OutcomeRow[] = honestRetryAfter, options = {}) =>
    new Rig({ ...fixedWait, rules, ...options });

  it('opens at once for as long as the header says, and is reported as held', () => {
    const rig = withHolds();
    const events = rig.hear('held', 'failure', 'stateTransition');
    rig.respond(429, { headers: retryAfter('20') });
    expect(rig.refusal()).toMatchObject({ breaker: USERS, reason: 'held', retryAfterMs: 20_001 });
    expect(events).toMatchObject([
      { type: 'held', breaker: USERS, holdFor: 20_000, status: 429, rule: 'asked to wait' },
      { type: 'stateTransition', breaker: USERS, to: 'open', reason: 'hold', wait: 20_000 },
    ]);
  });

  it('counts as no failure, and at the host as a success', () => {
    const rig = withHolds();
    rig.respond(429, { headers: retryAfter('20') });
    expect(rig.endpoint.metrics()).toMatchObject({ numberOfBufferedCalls: 0, openingsInARow: 0 });
    expect(rig.host.metrics()).toMatchObject({ numberOfSuccessfulCalls: 1, state: 'closed' });
    expect(rig.endpoint.lastFailure).toBeUndefined();
  });

  it.each(['0', 'Mon, 30 Nov 2026 12:00:00 GMT', 'soon', '-1', ''])(
    'needs a usable header, else the next row decides: %j',
    (header) => {
      const rig = withHolds();
      rig.respond(429, { headers: retryAfter(header) });
      expect(rig.endpoint.metrics()).toMatchObject({ state: 'closed', numberOfFailedCalls: 1 });
    },
  );

  it('is clamped as the header is, but holds for as long as the row itself says', () => {
    const rig = withHolds(honestRetryAfter, { maxRetryAfter: 9000 });
    rig.respond(429, { headers: retryAfter('3600') });
    expect(rig.refusal()?.retryAfterMs).toBe(9001);
    const own = withHolds([{ status: 429, outcome: 'hold', holdFor: 3_600_000 }]);
    own.respond(429);
    expect(own.refusal()?.retryAfterMs).toBe(3_600_001);
  });

  it('of the host stops all of its endpoints', () => {
    const rig = withHolds([{ status: 429, retryAfter: true, outcome: 'hold', domain: 'host' }]);
    rig.respond(429, { headers: retryAfter('20') });
    expect(rig.refusal('/orders')).toMatchObject({
      breaker: HOST,
      reason: 'held',
      retryAfterMs: 20_001,
    });
    expect(rig.endpoint.state).toBe('closed');
  });

  it('never shortens a wait, and can put its end off', () => {
    const rig = withHolds();
    const [short, long] = [rig.admit(), rig.admit()];
    rig.respond(429, { headers: retryAfter('20') });
    short.responded(429, retryAfter('10'));
    expect(rig.refusal()?.retryAfterMs).toBe(20_001);
    long.responded(429, retryAfter('30'));
    expect(rig.refusal()?.retryAfterMs).toBe(30_001);
  });

  it('is over by itself: then trial calls decide as ever', () => {
    const rig = withHolds();
    rig.respond(429, { headers: retryAfter('20') });
    rig.clock.advance(20_000);
    expect(rig.refusal()?.reason).toBe('held');
    rig.clock.advance(1);
    rig.respond(200, { times: 3 });
    expect(rig.endpoint.state).toBe('closed');
  });
});
