import { describe, expect, it } from 'vitest';
import { coded, HOST, Rig, USERS } from './http-rig.ts';

const BAD = 'https://bad.example.com';

/** All places but so many are taken by hosts that are out of reach. */
function fullBut(free: number, maxBreakers = 10): Rig {
  const rig = new Rig({
    maxBreakers,
    overrides: [{ host: '*.down.example.com', breaker: false, level: 'endpoint' }],
    rules: [{ host: '*.down.example.com', status: 500, outcome: 'trip', domain: 'host' }],
  });
  for (let host = 0; host < maxBreakers - free; host++) {
    rig.respond(500, { origin: `https://h${host}.down.example.com` });
  }
  return rig;
}

describe('a registry that is full of what protects', () => {
  it('lets a new host pass unguarded: an event and two counters say so', () => {
    const rig = fullBut(0);
    const events = rig.hear('registryFull');
    rig.respond(500, { times: 3 });
    const { breakers, overflows, unguarded } = rig.http.snapshot();
    expect(breakers).toHaveLength(10);
    expect(unguarded).toBe(3);
    expect(overflows).toBeGreaterThan(0);
    expect(events[0]).toEqual({
      type: 'registryFull',
      breaker: HOST,
      key: HOST,
      maxBreakers: 10,
      at: rig.clock.date(),
    });
  });

  it('guards an endpoint by its host alone, which then takes every ending as its own', () => {
    const rig = fullBut(1);
    rig.admit();
    expect(rig.keys).toContain(HOST);
    expect(rig.keys).not.toContain(USERS);
    rig.respond(500, { times: 20 });
    expect(rig.refusal()).toMatchObject({ breaker: HOST, reason: 'open' });
    expect(rig.http.snapshot().unguarded).toBe(0);
  });

  it('never evicts the host to make room for the endpoint of the same request', () => {
    const rig = fullBut(1);
    rig.respond(500, { times: 20 });
    expect(rig.refusal()).toMatchObject({ breaker: HOST, reason: 'open' });
    expect(rig.keys).not.toContain(USERS);
  });

  it('of one place guards hosts, one at a time', () => {
    const rig = new Rig({ maxBreakers: 1 });
    rig.respond(500, { times: 20 });
    expect(rig.keys).toEqual([HOST]);
    expect(rig.refusal()?.breaker).toBe(HOST);
  });

  it('guards an endpoint alone where its host got no place: it then takes all as its own', () => {
    const rig = new Rig({ maxBreakers: 2 });
    rig.respond(200);
    rig.endpoint.transitionToMetricsOnlyState();
    rig.respond(200, { origin: BAD });
    for (const key of rig.keys) if (key !== USERS) rig.breaker(key).transitionToForcedOpenState();
    rig.fail(coded('ECONNREFUSED'));
    expect(rig.keys).not.toContain(HOST);
    expect(rig.endpoint.metrics()).toMatchObject({ numberOfFailedCalls: 1, callsInFlight: 0 });
  });

  it('refuses no caller but those of what is open', () => {
    const rig = fullBut(0);
    for (let host = 0; host < 100; host++) {
      expect(rig.refusal('/users', `https://n${host}.example.com`)).toBeUndefined();
    }
    for (let host = 0; host < 10; host++) {
      expect(rig.refusal('/users', `https://h${host}.down.example.com`)?.reason).toBe('open');
    }
  });

  it('has room again as soon as the waits are over', () => {
    const rig = fullBut(0);
    rig.clock.advance(6001);
    rig.respond(200);
    expect(rig.keys).toContain(HOST);
    expect(rig.keys).toContain(USERS);
    expect(rig.http.snapshot().evictions).toBe(2);
  });
});

describe('a call in flight on a breaker', () => {
  it('keeps both of its breakers from being evicted', () => {
    const rig = new Rig({ maxBreakers: 4 });
    const admission = rig.admit();
    for (let host = 0; host < 10; host++) {
      rig.respond(200, { origin: `https://n${host}.example.com` });
    }
    expect(rig.keys).toEqual(expect.arrayContaining([HOST, USERS]));
    admission.responded(500);
    expect(rig.host.metrics().numberOfFailedCalls).toBe(1);
    expect(rig.endpoint.metrics().numberOfFailedCalls).toBe(1);
  });

  it('keeps them until its lease is over', () => {
    const rig = new Rig({ maxBreakers: 2 });
    rig.admit();
    rig.respond(200, { origin: BAD });
    expect(rig.keys).toEqual([HOST, USERS]);
    rig.clock.advance(360_001);
    rig.respond(200, { origin: BAD });
    expect(rig.keys).toEqual([BAD, `GET ${BAD}/users`]);
  });
});
