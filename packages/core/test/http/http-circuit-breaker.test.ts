import { describe, expect, it } from 'vitest';
import { toHttpCircuitBreaker } from '../../src/adapter.ts';
import { HttpCircuitBreaker } from '../../src/index.ts';
import { coded, HOST, Rig, USERS, words } from './http-rig.ts';

describe('an HTTP breaker', () => {
  it('takes a whole URL as it takes an origin and a path', () => {
    const rig = new Rig();
    rig.http.admit({ method: 'get', url: `${HOST}/users?page=2#top` }).responded(200);
    rig.http.admit({ method: 'GET', url: new URL(`${HOST}/users`) }).responded(200);
    rig.respond(200);
    expect(rig.endpoint.metrics().numberOfBufferedCalls).toBe(3);
  });

  it('makes both breakers by default, or those of one level', () => {
    for (const [level, keys] of [
      [undefined, [HOST, USERS]],
      ['both', [HOST, USERS]],
      ['host', [HOST]],
      ['endpoint', [USERS]],
    ] as const) {
      const rig = new Rig(level === undefined ? {} : { level });
      rig.respond(200);
      expect(rig.keys).toEqual(keys);
    }
  });

  it('finds a breaker by its key, and makes none by looking', () => {
    const rig = new Rig();
    expect(rig.http.find(HOST)).toBeUndefined();
    rig.respond(200);
    expect(rig.http.find(HOST)?.name).toBe(HOST);
    expect(rig.http.find(USERS)?.name).toBe(USERS);
    expect(rig.http.find('constructor')).toBeUndefined();
    expect(rig.keys).toEqual([HOST, USERS]);
  });

  it('folds ids, and takes declared templates before that', () => {
    const rig = new Rig({ endpoints: ['/users/me', '/files/*'] });
    for (const path of ['/users/1', '/users/2', '/users/me', '/files/a/b'])
      rig.respond(200, { path });
    expect(rig.keys.filter((key) => key.startsWith('GET '))).toEqual([
      `GET ${HOST}/users/:id`,
      `GET ${HOST}/users/me`,
      `GET ${HOST}/files/*`,
    ]);
  });

  it('is what toHttpCircuitBreaker gives for options, and is itself given back', () => {
    const breaker = new HttpCircuitBreaker();
    expect(toHttpCircuitBreaker(breaker)).toBe(breaker);
    expect(toHttpCircuitBreaker({ level: 'host' })).toBeInstanceOf(HttpCircuitBreaker);
    expect(toHttpCircuitBreaker()).toBeInstanceOf(HttpCircuitBreaker);
    expect(() => toHttpCircuitBreaker(7 as never)).toThrow(TypeError);
  });
});

describe('its listeners', () => {
  it('hear of all its breakers, present and future, and of the registry', () => {
    const rig = new Rig();
    const events = rig.hear('breakerAdded', 'success');
    rig.respond(200);
    rig.respond(200, { path: '/orders' });
    expect(words(events)).toEqual([
      'breakerAdded of the host',
      'breakerAdded of the endpoint',
      'success of the endpoint',
      'success of the host',
      `breakerAdded of GET ${HOST}/orders`,
      `success of GET ${HOST}/orders`,
      'success of the host',
    ]);
  });

  it('hear no more once they are removed', () => {
    const rig = new Rig();
    const heard: unknown[] = [];
    const remove = rig.http.on('success', (event) => heard.push(event));
    rig.respond(200);
    remove();
    remove();
    rig.respond(200);
    expect(heard).toHaveLength(2);
  });

  it('of one breaker hear of that one alone', () => {
    const rig = new Rig();
    rig.respond(200);
    const heard: string[] = [];
    rig.endpoint.on('failure', ({ breaker }) => heard.push(breaker));
    rig.respond(500);
    rig.respond(500, { path: '/orders' });
    expect(heard).toEqual([USERS]);
  });

  it('are refused for a type that is none, with the nearest right name', () => {
    const { http } = new Rig();
    expect(() => http.on('stateTransitions' as never, () => {})).toThrow("'stateTransition'?");
    expect(() => http.on('endpointLimitReach' as never, () => {})).toThrow(
      "'endpointLimitReached'?",
    );
    expect(() => http.on('success', 7 as never)).toThrow(TypeError);
  });

  it('find both breakers as the whole step left them', () => {
    const rig = new Rig();
    const inFlight: number[][] = [];
    rig.http.on('success', () =>
      inFlight.push([rig.host, rig.endpoint].map((breaker) => breaker.metrics().callsInFlight)),
    );
    rig.respond(200);
    expect(inFlight).toEqual([[0, 0], [0, 0]]); // prettier-ignore
  });

  it('may admit further requests, which are guarded as ever', () => {
    const rig = new Rig({ breaker: { waitDurationInOpenState: 5000 } });
    const reasons: (string | undefined)[] = [];
    rig.http.on('stateTransition', ({ to }) => reasons.push(`${to}: ${rig.refusal()?.reason}`));
    rig.respond(503, { times: 10 });
    rig.clock.advance(5001);
    rig.respond(200, { times: 3 });
    expect(reasons).toEqual(['open: open', 'half-open: undefined', 'closed: undefined']);
    expect(rig.host.metrics().callsInFlight).toBe(0);
    expect(rig.endpoint.metrics().callsInFlight).toBe(0);
  });

  it('may end other calls, and change breakers by hand', () => {
    const rig = new Rig();
    const others = [rig.admit('/a'), rig.admit('/b')];
    rig.http.on('failure', () => {
      for (const other of others) other.failed(coded('ECONNRESET'));
      rig.host.transitionToForcedOpenState();
    });
    rig.respond(500);
    expect(rig.refusal('/c')?.reason).toBe('forced-open');
    const { breakers } = rig.http.snapshot();
    expect(breakers.filter(({ callsInFlight }) => callsInFlight > 0)).toEqual([]);
  });

  it('hear on after a wait function that made the registry evict its own breaker', () => {
    const rig: Rig = new Rig({
      maxBreakers: 2,
      level: 'both',
      breaker: {
        waitDurationInOpenState: () => {
          for (const name of ['a', 'b', 'c']) {
            rig.http.admit({ method: 'GET', url: `https://${name}/x` }).released();
          }
          return 5000;
        },
      },
    });
    rig.respond(503, { times: 10 });
    const events = rig.hear('success');
    rig.respond(200, { origin: 'https://later.example.com' });
    expect(events.length).toBeGreaterThan(0);
  });
});

describe('its snapshot', () => {
  it('is plain JSON', () => {
    const rig = new Rig({ maxEndpointsPerHost: 2 });
    for (const path of ['/a', '/b', '/c']) rig.respond(200, { path });
    rig.respond(503, { path: '/a', times: 10 });
    rig.fail(coded('ECONNREFUSED'), { path: '/b' });
    rig.refusal('/a');
    const snapshot = rig.http.snapshot();
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  it('tells keys, names, levels, states, counts and the last failure, least recently used first', () => {
    const rig = new Rig();
    rig.respond(200, { path: '/a' });
    rig.respond(503, { path: '/b', times: 10 });
    const { breakers, ...rest } = rig.http.snapshot();
    expect(rest).toEqual({ evictions: 0, overflows: 0, unguarded: 0, orders: [] });
    const lastFailure = { status: 503, at: rig.clock.date() };
    expect(breakers).toMatchObject([
      { key: `GET ${HOST}/a`, level: 'endpoint', state: 'closed', numberOfSuccessfulCalls: 1 },
      {
        key: HOST,
        name: HOST,
        level: 'host',
        state: 'closed',
        numberOfFailedCalls: 9,
        lastFailure,
      },
      { key: `GET ${HOST}/b`, level: 'endpoint', state: 'open', totalOpenings: 1, lastFailure },
    ]);
  });

  it('is a copy: what is done to it changes nothing', () => {
    const rig = new Rig();
    rig.respond(200);
    (rig.http.snapshot().breakers as unknown[]).length = 0;
    expect(rig.http.snapshot().breakers).toHaveLength(2);
  });
});
