import { describe, expect, it } from 'vitest';
import {
  HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
  type HttpBreakerOptions,
} from '../../src/index.ts';
import { HOST, Rig, USERS } from './http-rig.ts';

/** The options in force for this request, at either level. */
function inForce(options: HttpCircuitBreakerOptions, path = '/users', method = 'GET') {
  const http = new HttpCircuitBreaker(options);
  http.admit({ method, origin: HOST, path });
  return {
    endpoint: http.find(`${method} ${HOST}${path}`)?.machine.options,
    host: http.find(HOST)?.machine.options,
  };
}

/** How an override of these options alone changes an endpoint's. */
function merged(
  breaker: HttpBreakerOptions,
  over: HttpBreakerOptions,
): ReturnType<typeof inForce>['endpoint'] {
  return inForce({ breaker, overrides: [{ breaker: over }] }).endpoint;
}

describe('an override', () => {
  it('that changes one property keeps all the others', () => {
    const general = inForce({ breaker: { failureRateThreshold: 40 } }).endpoint;
    const { clock: _, ...rest } = general!;
    expect(merged({ failureRateThreshold: 40 }, { minimumNumberOfCalls: 7 })).toMatchObject({
      ...rest,
      waitDurationInOpenState: expect.any(Function) as unknown,
      minimumNumberOfCalls: 7,
    });
  });

  it('with an undefined property keeps what it inherits', () => {
    const over = { failureRateThreshold: undefined } as unknown as HttpBreakerOptions;
    expect(merged({ failureRateThreshold: 40 }, over)?.failureRateThreshold).toBe(40);
  });

  it.each<[over: HttpBreakerOptions, type: string, size: number]>([
    [{}, 'time-based', 60],
    [{ slidingWindowSize: 20 }, 'time-based', 20],
    [{ slidingWindowType: 'count-based' }, 'count-based', 100],
    [{ slidingWindowType: 'time-based' }, 'time-based', 30],
    [{ slidingWindowType: 'count-based', slidingWindowSize: 20 }, 'count-based', 20],
  ])('of the window: %j over 60 s is %s, %i', (over, slidingWindowType, slidingWindowSize) => {
    const options = merged({ slidingWindowSize: 60 }, over);
    expect(options).toMatchObject({ slidingWindowType, slidingWindowSize });
  });

  it.each<[condition: object, changed: string[]]>([
    [{}, ['GET /users', 'POST /users', 'GET /orders', 'GET /users/:id']],
    [{ method: 'post' }, ['POST /users']],
    [{ path: '/users/:id' }, ['GET /users/:id']],
    [{ path: '/users', method: 'GET' }, ['GET /users']],
    [{ host: 'api.example.com', path: '/orders' }, ['GET /orders']],
    [{ host: '*.example.com:443' }, ['GET /users', 'POST /users', 'GET /orders', 'GET /users/:id']],
    [{ host: 'example.com' }, []],
    [{ host: 'api.example.com:8443' }, []],
  ])('%j changes %j', (condition, changed) => {
    const breaker = { consecutiveFailureThreshold: 3 };
    const requests = ['GET /users', 'POST /users', 'GET /orders', 'GET /users/:id'];
    const hit = requests.filter((request) => {
      const [method = '', path = ''] = request.split(' ');
      const { endpoint } = inForce({ overrides: [{ ...condition, breaker }] }, path, method);
      return endpoint?.consecutiveFailureThreshold === 3;
    });
    expect(hit).toEqual(changed);
  });

  it('is held against the path, not against the route that it shares', () => {
    const rig = new Rig({
      overrides: [{ path: '/users/42', breaker: { consecutiveFailureThreshold: 3 } }],
    });
    rig.respond(500, { path: '/users/42', times: 3 });
    expect(rig.refusal('/users/43')?.breaker).toBe(`GET ${HOST}/users/:id`);
  });

  it('that matches first wins, at each level', () => {
    const { endpoint, host } = inForce({
      overrides: [
        { level: 'host', breaker: { minimumNumberOfCalls: 1 } },
        { path: '/other', breaker: { minimumNumberOfCalls: 2 } },
        { path: '/users', breaker: { minimumNumberOfCalls: 3 } },
        { level: 'both', breaker: { minimumNumberOfCalls: 4 } },
      ],
    });
    expect(host?.minimumNumberOfCalls).toBe(1);
    expect(endpoint?.minimumNumberOfCalls).toBe(3);
  });

  it.each([
    [undefined, 20, 3],
    ['endpoint', 20, 3],
    ['host', 3, 20],
    ['both', 3, 3],
  ] as const)('of the level %s', (level, host, endpoint) => {
    const breaker = { minimumNumberOfCalls: 3 };
    const options = inForce({
      overrides: [level === undefined ? { breaker } : { level, breaker }],
    });
    expect(options.host?.minimumNumberOfCalls).toBe(host);
    expect(options.endpoint?.minimumNumberOfCalls).toBe(endpoint);
  });
});

describe('the order of options', () => {
  const configs = {
    root: { failureRateThreshold: 11, slowCallRateThreshold: 12, minimumNumberOfCalls: 13 },
    patient: { base: 'root', slowCallRateThreshold: 22, minimumNumberOfCalls: 23 },
  };

  it('is HTTP defaults, breaker, base from its root down, override', () => {
    const { endpoint } = inForce({
      configs,
      breaker: { permitLease: 1000, failureRateThreshold: 1 },
      hostBreaker: { permitLease: 99 },
      overrides: [{ base: 'patient', breaker: { minimumNumberOfCalls: 33 } }],
    });
    expect(endpoint).toMatchObject({
      consecutiveFailureThreshold: 10,
      permitLease: 1000,
      failureRateThreshold: 11,
      slowCallRateThreshold: 22,
      minimumNumberOfCalls: 33,
    });
  });

  it('has the host defaults and hostBreaker after breaker, for hosts', () => {
    const { host } = inForce({
      configs,
      breaker: { failureRateThreshold: 40, permitLease: 1000, consecutiveFailureThreshold: 5 },
      hostBreaker: { consecutiveFailureThreshold: 50, slowCallRateThreshold: 60 },
      overrides: [{ level: 'host', base: 'patient', breaker: { minimumNumberOfCalls: 33 } }],
    });
    expect(host).toMatchObject({
      permitLease: 1000,
      consecutiveFailureThreshold: 50,
      failureRateThreshold: 11,
      slowCallRateThreshold: 22,
      minimumNumberOfCalls: 33,
    });
    expect(inForce({ breaker: { failureRateThreshold: 40 } }).host?.failureRateThreshold).toBe(80);
  });

  it('lets each layer bring the size of the type that it sets', () => {
    const { endpoint } = inForce({
      breaker: { slidingWindowSize: 60 },
      configs: { counted: { slidingWindowType: 'count-based' } },
      overrides: [{ base: 'counted', breaker: { failureRateThreshold: 40 } }],
    });
    expect(endpoint).toMatchObject({ slidingWindowType: 'count-based', slidingWindowSize: 100 });
  });

  it('takes the limit of half-open from the slow threshold in force', () => {
    const over = { slowCallDurationThreshold: 120_000 };
    expect(merged({}, over)?.maxWaitDurationInHalfOpenState).toBe(120_000);
    expect(merged({ maxWaitDurationInHalfOpenState: 7 }, over)).toMatchObject({
      maxWaitDurationInHalfOpenState: 7,
    });
  });
});

describe('breaker: false', () => {
  it('leaves those requests out, and they are counted as unguarded', () => {
    const rig = new Rig({ overrides: [{ path: '/users', breaker: false }] });
    rig.respond(500, { times: 30 });
    rig.respond(200, { path: '/orders' });
    expect(rig.keys).toEqual([HOST, `GET ${HOST}/orders`]);
    expect(rig.host.metrics().numberOfBufferedCalls).toBe(1);
    expect(rig.http.snapshot().unguarded).toBe(30);
  });

  it('of one level leaves that level out', () => {
    const hostless = new Rig({ overrides: [{ level: 'host', breaker: false }] });
    hostless.respond(500, { times: 10 });
    expect(hostless.keys).toEqual([USERS]);
    expect(hostless.refusal()?.breaker).toBe(USERS);
    const unguarded = new Rig({ overrides: [{ level: 'both', breaker: false }] });
    unguarded.respond(500);
    expect(unguarded.http.snapshot()).toMatchObject({ breakers: [], unguarded: 1 });
  });
});

describe('the name of an override', () => {
  it('stands in errors, events and the snapshot; the key remains what finds it', () => {
    const rig = new Rig({ overrides: [{ name: 'pricing', host: 'api.example.com' }] });
    const moves = rig.hear('stateTransition', 'breakerAdded');
    rig.respond(500, { times: 10 });
    expect(rig.refusal()?.breaker).toBe('pricing');
    expect(rig.refusal()?.message).toContain("'pricing'");
    expect(moves.map(({ breaker }) => breaker)).toEqual([HOST, 'pricing', 'pricing']);
    expect(rig.http.snapshot().breakers).toMatchObject([
      { key: HOST, name: HOST },
      { key: USERS, name: 'pricing', state: 'open' },
    ]);
    expect(rig.endpoint.name).toBe('pricing');
  });
});
