import { describe, expect, test } from 'vitest';
import { reportFailure } from '@recloser/core';
import { CallStatistics } from '../src/index.ts';
import { HOST, Rig, USERS } from './rig.ts';

describe('calls', () => {
  test('are counted by how they ended, of the endpoint and of its host', () => {
    const rig = new Rig();
    rig.respond(200);
    rig.respond(204);
    rig.respond(503);
    rig.respond(200);

    const both = ["success 'the dependency answered' × 3", "failure 'server error' endpoint × 1"];
    expect(rig.calls(USERS)).toEqual(both);
    expect(rig.calls(HOST)).toEqual(both);
  });

  test('that ended in an error are counted by its kind, and by whose fault it is', () => {
    const rig = new Rig();
    rig.fail('ECONNRESET');
    rig.fail('ECONNREFUSED');
    rig.fail('ECONNREFUSED');

    expect(rig.calls(USERS)).toEqual([expect.stringMatching(/^failure reset '.*' endpoint × 1$/)]);
    expect(rig.calls(HOST)).toEqual([
      expect.stringMatching(/^failure reset '.*' endpoint × 1$/),
      expect.stringMatching(/^failure refused '.*' host × 2$/),
    ]);
  });

  test('that count nowhere, and those that held the breaker, are counted by their rows', () => {
    const rules = [
      { name: 'teapot', status: 418, outcome: 'ignore' },
      { name: 'calm', status: 420, outcome: 'hold', holdFor: 1000 },
    ] as const;
    const rig = new Rig({}, { rules, level: 'endpoint' });
    rig.respond(418, { ms: 30 });
    rig.respond(418);
    rig.respond(420);

    expect(rig.calls(USERS)).toEqual(["ignored 'teapot' × 2", "held 'calm' × 1"]);
    const { success, failure } = rig.series(USERS).durations;
    expect([success.count, failure.count]).toEqual([0, 0]);
  });

  test('that failed after their response are counted as both', () => {
    const rig = new Rig({}, { level: 'endpoint' });
    const response = {};
    rig.http.admit({ method: 'GET', url: `${HOST}/users` }).responded(200, {}, response);
    reportFailure(response, 'errors in its body');

    expect(rig.calls(USERS)).toEqual([
      "success 'the dependency answered' × 1",
      'amended reported × 1',
    ]);
    const { success, failure } = rig.series(USERS).durations;
    expect([success.count, failure.count]).toEqual([1, 0]);
  });

  test('take the time from admission to the end, in ms', () => {
    const rig = new Rig({ durationBounds: [10, 100] });
    for (const ms of [10, 11, 250]) rig.respond(200, { ms });
    rig.respond(503, { ms: 40 });

    const { success, failure } = rig.series(USERS).durations;
    expect(success).toMatchObject({ bounds: [10, 100], counts: [1, 1, 1], count: 3, sum: 271 });
    expect(failure).toMatchObject({ counts: [0, 1, 0], count: 1, sum: 40 });
  });

  test('that were refused are counted by the reason', () => {
    const rig = new Rig();
    for (let call = 0; call < 5; call++) rig.respond(503);
    rig.http.control(USERS).forceOpen({ reason: 'test' });
    rig.respond(503);

    expect([...rig.series(USERS).refused]).toEqual([
      ['open', 3],
      ['forced-open', 1],
    ]);
    expect(rig.series(HOST).refused.size).toBe(0);
  });
});

describe('moves', () => {
  test('are counted by from, to and reason', () => {
    const rig = new Rig();
    for (let outage = 0; outage < 2; outage++) {
      rig.respond(503);
      rig.respond(503);
      rig.clock.advance(1001);
      rig.respond(200);
    }

    expect(rig.series(USERS).transitions).toEqual([
      { from: 'closed', to: 'open', reason: 'consecutive-failures', count: 2 },
      { from: 'open', to: 'half-open', reason: 'wait-elapsed', count: 2 },
      { from: 'half-open', to: 'closed', reason: 'trial-calls', count: 2 },
    ]);
  });

  test('that end an outage tell how long it took, failed trial calls included', () => {
    const rig = new Rig({ recoveryBounds: [2000, 5000] });
    rig.respond(503);
    rig.respond(503);
    rig.clock.advance(1001);
    rig.respond(503);
    rig.clock.advance(1500);
    rig.respond(200);

    expect(rig.series(USERS).recoveries).toMatchObject({ counts: [0, 1, 0], count: 1, sum: 2501 });
  });

  test('by a reset are no recovery', () => {
    const rig = new Rig();
    rig.respond(503);
    rig.respond(503);
    rig.http.control('*').reset({ reason: 'test' });

    expect(rig.series(USERS).transitions).toHaveLength(2);
    expect(rig.series(USERS).recoveries.count).toBe(0);
  });
});

describe('series', () => {
  test('tell key, name and level', () => {
    const rig = new Rig({}, { overrides: [{ path: '/users', name: 'users' }] });
    rig.respond(200);

    expect(rig.series(USERS)).toMatchObject({ key: USERS, name: 'users', level: 'endpoint' });
    expect(rig.series(HOST)).toMatchObject({ key: HOST, name: HOST, level: 'host' });
  });

  test("of the caller's own keys have no level", () => {
    const rig = new Rig({}, { key: () => 'prices' });
    rig.respond(200);

    expect(rig.series('prices')).toMatchObject({ name: 'prices', level: undefined });
  });

  test('may be walked through again, and are the same objects', () => {
    const rig = new Rig();
    const { series } = rig.statistics;
    rig.respond(200);
    const first = [...series];
    rig.respond(200);

    expect(first).toHaveLength(2);
    expect([...series]).toEqual(first);
    expect([...series][0]).toBe(first[0]);
  });

  test('are found by their key, while their breaker lives', () => {
    const rig = new Rig({}, { level: 'endpoint' });
    expect(rig.statistics.seriesOf(USERS)).toBeUndefined();

    rig.respond(200);
    expect(rig.statistics.seriesOf(USERS)).toBe(rig.series(USERS));
    expect(rig.statistics.seriesOf(HOST)).toBeUndefined();
  });

  test('end with their breaker, and begin anew with the next of the key', () => {
    const rig = new Rig({}, { maxBreakers: 2 });
    rig.respond(200);
    rig.respond(200);
    const former = rig.series(USERS);
    rig.respond(200, { origin: 'https://other.example.com' });
    expect(rig.keys).toEqual(['GET https://other.example.com/users', 'https://other.example.com']);

    rig.respond(200);
    expect(rig.keys.toSorted()).toEqual([USERS, HOST].toSorted());
    expect(rig.series(USERS)).not.toBe(former);
    expect(rig.calls(USERS)).toEqual(["success 'the dependency answered' × 1"]);
  });

  test('are not brought back by what an evicted breaker tells at last', () => {
    const breaker = {
      consecutiveFailureThreshold: 1,
      waitDurationInOpenState: 10,
      maxWaitDurationInHalfOpenState: 1000,
      transitionToStateAfterWaitDuration: 'closed',
    } as const;
    const rig = new Rig({}, { maxBreakers: 1, level: 'endpoint', breaker });
    rig.respond(503);
    rig.clock.advance(11);
    rig.http.admit({ method: 'GET', url: `${HOST}/users` }).released();
    const later = new CallStatistics(rig.http);
    rig.clock.advance(5000);
    const moves: string[] = [];
    rig.http.on('stateTransition', ({ breaker: name, to }) => moves.push(`${name} ${to}`));
    rig.respond(200, { origin: 'https://other.example.com' });

    expect(moves).toEqual([`${USERS} closed`]);
    expect([...later.series].map(({ key }) => key)).toEqual([
      'GET https://other.example.com/users',
    ]);
    expect(rig.keys).toEqual(['GET https://other.example.com/users']);
  });

  test('are not brought back by a call of the evicted breaker that fails after all', () => {
    const rig = new Rig({}, { maxBreakers: 1, level: 'endpoint' });
    const response = {};
    rig.http.admit({ method: 'GET', url: `${HOST}/users` }).responded(200, {}, response);
    rig.respond(200, { origin: 'https://other.example.com' });
    expect(rig.http.find(USERS)).toBeUndefined();
    reportFailure(response, 'errors in its body');

    expect(rig.keys).toEqual(['GET https://other.example.com/users']);
  });

  test('are no more than the breakers, however many keys come and go', () => {
    const rig = new Rig({}, { maxBreakers: 10 });
    for (let host = 0; host < 500; host++) rig.respond(200, { origin: `https://h${host}.test` });

    expect(rig.keys.toSorted()).toEqual(
      rig.http
        .snapshot()
        .breakers.map(({ key }) => key)
        .toSorted(),
    );
  });

  test('begin with what is told from then on', () => {
    const rig = new Rig();
    rig.respond(503);
    const later = new CallStatistics(rig.http);
    expect([...later.series]).toEqual([]);
    rig.respond(200);

    expect([...later.series].map(({ calls }) => calls.map(({ outcome }) => outcome))).toEqual([
      ['success'],
      ['success'],
    ]);
  });
});

test('stop ends the counting, and keeps what was counted', () => {
  const rig = new Rig();
  rig.respond(503);
  rig.statistics.stop();
  rig.statistics.stop();
  for (let call = 0; call < 3; call++) rig.respond(503);

  expect(rig.calls(USERS)).toEqual(["failure 'server error' endpoint × 1"]);
  expect(rig.series(USERS)).toMatchObject({ transitions: [], refused: new Map() });
});
