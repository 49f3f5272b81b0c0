import { describe, expect, it } from 'vitest';
import { HOST, Rig } from './http-rig.ts';

const OTHER = 'https://other.example.com';

describe('maxEndpointsPerHost', () => {
  it('lets further endpoints of a host share one breaker per method', () => {
    const rig = new Rig({ maxEndpointsPerHost: 2 });
    for (const path of ['/a', '/b', '/c', '/d', '/a']) rig.respond(200, { path });
    rig.admit('/c', { method: 'POST' }).responded(200);
    expect(rig.keys).toEqual([
      `GET ${HOST}/b`,
      `GET ${HOST}*`,
      `GET ${HOST}/a`,
      HOST,
      `POST ${HOST}*`,
    ]);
    expect(rig.breaker(`GET ${HOST}*`).metrics().numberOfBufferedCalls).toBe(2);
    expect(rig.http.snapshot().unguarded).toBe(0);
  });

  it('counts for each host by itself', () => {
    const rig = new Rig({ maxEndpointsPerHost: 1 });
    rig.respond(200, { path: '/a' });
    rig.respond(200, { path: '/a', origin: OTHER });
    expect(rig.http.find(`GET ${OTHER}/a`)).toBeDefined();
  });

  it('counts for each partition by itself', () => {
    let tenant: string | undefined = 'a';
    const rig = new Rig({ maxEndpointsPerHost: 1, partition: () => tenant });
    for (tenant of ['a', 'b', undefined]) {
      rig.respond(200, { path: '/x' });
      rig.respond(200, { path: '/y' });
    }
    const shared = rig.keys.filter((key) => key.includes('*'));
    expect(shared).toEqual([`GET ${HOST}* [a]`, `GET ${HOST}* [b]`, `GET ${HOST}*`]);
    expect(rig.keys).toHaveLength(9);
  });

  it('is told once per host', () => {
    const rig = new Rig({ maxEndpointsPerHost: 1 });
    const events = rig.hear('endpointLimitReached');
    for (const path of ['/a', '/b', '/c', '/b']) rig.respond(200, { path });
    for (const path of ['/a', '/b', '/c']) rig.respond(200, { path, origin: OTHER });
    const at = rig.clock.date();
    expect(events).toEqual([
      { type: 'endpointLimitReached', breaker: HOST, limit: 1, at },
      { type: 'endpointLimitReached', breaker: OTHER, limit: 1, at },
    ]);
  });

  it('counts the living: an idle endpoint frees its place', () => {
    const rig = new Rig({ maxEndpointsPerHost: 1, idleTimeout: 60_000 });
    rig.respond(200, { path: '/a' });
    rig.clock.advance(60_001);
    rig.respond(200, { path: '/b' });
    expect(rig.keys).toEqual([HOST, `GET ${HOST}/b`]);
  });

  it('does not count the shared breaker itself', () => {
    const rig = new Rig({ maxEndpointsPerHost: 1, idleTimeout: 60_000 });
    rig.respond(200, { path: '/a' });
    rig.clock.advance(40_000);
    rig.respond(200, { path: '/b' });
    rig.clock.advance(30_000);
    rig.respond(200, { path: '/c' });
    expect(rig.keys).toEqual([`GET ${HOST}*`, HOST, `GET ${HOST}/c`]);
  });

  it('counts the living: an evicted endpoint frees its place', () => {
    const rig = new Rig({ maxEndpointsPerHost: 2, maxBreakers: 3 });
    for (const path of ['/a', '/b']) rig.respond(200, { path });
    rig.respond(200, { path: '/x', origin: OTHER });
    rig.respond(200, { path: '/c' });
    expect(rig.keys).toContain(`GET ${HOST}/c`);
    expect(rig.keys.some((key) => key.includes('*'))).toBe(false);
  });
});

describe('a partition', () => {
  const tenants = (...names: (string | undefined)[]) => {
    let call = -1;
    return (): string | undefined => names[Math.min((call += 1), names.length - 1)];
  };

  it('splits both keys, as if each tenant called a host of its own', () => {
    const rig = new Rig({ partition: tenants('acme', 'globex', undefined, '') });
    for (let call = 0; call < 4; call++) rig.respond(200);
    expect(rig.keys).toEqual([
      `${HOST} [acme]`,
      `GET ${HOST}/users [acme]`,
      `${HOST} [globex]`,
      `GET ${HOST}/users [globex]`,
      HOST,
      `GET ${HOST}/users`,
    ]);
    expect(rig.http.snapshot().breakers[0]).toMatchObject({ level: 'host' });
  });

  it('keeps a trip of the host with the tenant', () => {
    const rules = [{ status: 401, outcome: 'trip', domain: 'host' }] as const;
    let tenant = 'acme';
    const rig = new Rig({ rules, partition: () => tenant });
    rig.respond(401);
    expect(rig.refusal('/orders')?.breaker).toBe(`${HOST} [acme]`);
    tenant = 'globex';
    expect(rig.refusal('/orders')).toBeUndefined();
  });

  it('is given the request as the adapter told it', () => {
    const seen: unknown[] = [];
    const rig = new Rig({ partition: (request) => void seen.push(request) as undefined });
    const request = { method: 'GET', url: `${HOST}/users`, tenant: 'acme' };
    rig.http.admit(request);
    expect(seen).toEqual([request]);
    expect(seen[0]).toBe(request);
  });

  it.each([
    ['acme-1.x~y@z:7_', 'acme-1.x~y@z:7_'],
    ['a b', 'a%20b'],
    ['a]\n[b', 'a%5D%0A%5Bb'],
    ['ä', '%C3%A4'],
    ['\ud800', '%EF%BF%BD'],
    ['x'.repeat(100), 'x'.repeat(64)],
    [`${'x'.repeat(63)}😀`, `${'x'.repeat(63)}%EF%BF%BD`],
  ])('is escaped, and cut at 64 characters: %j', (tenant, shown) => {
    const rig = new Rig({ partition: () => tenant });
    rig.respond(200);
    expect(rig.keys).toEqual([`${HOST} [${shown}]`, `GET ${HOST}/users [${shown}]`]);
  });
});

describe('maxPartitions', () => {
  let tenant: string | undefined;
  const partition = (): string | undefined => tenant;

  it('lets further partitions of a host share the unpartitioned breakers', () => {
    const rig = new Rig({ maxPartitions: 2, partition });
    for (tenant of ['a', 'b', 'c', 'd', 'a']) rig.respond(200);
    expect(rig.breaker(HOST).metrics().numberOfBufferedCalls).toBe(2);
    expect(rig.breaker(`${HOST} [a]`).metrics().numberOfBufferedCalls).toBe(2);
    expect(rig.keys).toHaveLength(6);
    for (tenant of ['c', 'd']) rig.respond(500, { times: 5 });
    tenant = 'e';
    expect(rig.refusal()?.breaker).toBe(`GET ${HOST}/users`);
  });

  it('does not count the unpartitioned, nor the partitions of another host', () => {
    const rig = new Rig({ maxPartitions: 1, partition });
    tenant = undefined;
    rig.respond(200);
    tenant = 'a';
    rig.respond(200);
    tenant = 'b';
    rig.respond(200, { origin: OTHER });
    expect(rig.keys).toContain(`${HOST} [a]`);
    expect(rig.keys).toContain(`${OTHER} [b]`);
  });

  it('is told once per host', () => {
    const rig = new Rig({ maxPartitions: 1, partition });
    const events = rig.hear('partitionLimitReached');
    for (tenant of ['a', 'b', 'c', 'b']) rig.respond(200);
    expect(events).toMatchObject([{ type: 'partitionLimitReached', breaker: HOST, limit: 1 }]);
    for (tenant of ['a', 'b']) rig.respond(200, { origin: OTHER });
    expect(events.map(({ breaker }) => breaker)).toEqual([HOST, OTHER]);
  });

  it('counts the living: a partition that is idle for 10 minutes frees its place', () => {
    const rig = new Rig({ maxPartitions: 1, partition });
    tenant = 'a';
    rig.respond(200);
    rig.clock.advance(600_001);
    tenant = 'b';
    rig.respond(200, { origin: OTHER });
    rig.respond(200);
    expect(rig.keys).toContain(`${HOST} [b]`);
    expect(rig.keys).not.toContain(`${HOST} [a]`);
  });

  it('keeps a flood of tenants from leaving others, or a new host, unguarded', () => {
    const rig = new Rig({ maxBreakers: 1000, partition });
    for (let call = 0; call < 5000; call++) {
      tenant = `tenant-${call}`;
      rig.admit(`/${'abc'[call % 3]}`);
    }
    tenant = 'late';
    rig.respond(200, { origin: OTHER });
    expect(rig.http.snapshot()).toMatchObject({ unguarded: 0, overflows: 0 });
    expect(rig.http.find(`${OTHER} [late]`)).toBeDefined();
  });
});
