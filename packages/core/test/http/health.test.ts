import { describe, expect, it } from 'vitest';
import { HOST, Rig, USERS } from './http-rig.ts';

describe('health', () => {
  it('of breakers that have judged nothing yet is up, and shows them as such', () => {
    const rig = new Rig();
    rig.respond(200);

    expect(rig.http.health()).toEqual({
      status: 'up',
      breakers: [
        { key: HOST, name: HOST, state: 'closed', health: 'not-evaluated' },
        { key: USERS, name: USERS, state: 'closed', health: 'not-evaluated' },
      ],
    });
  });

  it('is up once the windows have judged', () => {
    const rig = new Rig();
    rig.respond(200, { times: 20 });

    expect(rig.http.health().breakers.map(({ health }) => health)).toEqual(['up', 'up']);
  });

  it.each(['open', 'half-open', 'forced-open'] as const)(
    'is degraded by a breaker that is %s',
    (state) => {
      const rig = new Rig();
      rig.respond(200, { times: 20 });
      if (state === 'forced-open') rig.endpoint.transitionToForcedOpenState();
      else rig.endpoint.transitionToOpenState();
      if (state === 'half-open') rig.endpoint.transitionToHalfOpenState();

      const { status, breakers } = rig.http.health();

      expect(status).toBe('degraded');
      expect(breakers.map(({ key, health }) => [key, health])).toEqual([
        [HOST, 'up'],
        [USERS, 'degraded'],
      ]);
    },
  );

  it('is not degraded by what an operator lets pass', () => {
    const rig = new Rig();
    rig.respond(200, { times: 20 });
    rig.endpoint.transitionToDisabledState();
    rig.host.transitionToMetricsOnlyState();

    expect(rig.http.health().status).toBe('up');
  });

  it('without any breaker is up', () => {
    expect(new Rig().http.health()).toEqual({ status: 'up', breakers: [] });
  });

  it('and the snapshot are the same again after a round trip through JSON', () => {
    const rig = new Rig();
    rig.respond(503, { times: 10 });
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

    expect(plain(rig.http.health())).toEqual(rig.http.health());
    expect(plain(rig.http.snapshot())).toEqual(rig.http.snapshot());
  });
});
