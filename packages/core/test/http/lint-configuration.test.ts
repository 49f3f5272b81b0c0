import { describe, expect, it } from 'vitest';
import {
  lintConfiguration,
  type HttpCircuitBreakerOptions,
  type LintContext,
} from '../../src/index.ts';

function found(options: HttpCircuitBreakerOptions, context: LintContext = {}): string[] {
  return lintConfiguration(options, context).map(({ where, kind }) => `${where} ${kind}`);
}

describe('the lint of a configuration', () => {
  it('finds nothing in the defaults, of which nothing is known', () => {
    expect(lintConfiguration({})).toEqual([]);
  });

  it.each<[options: HttpCircuitBreakerOptions, context: LintContext, expected: string[]]>([
    // A slow threshold that the client's timeout hides.
    [{}, { timeout: 2000 }, ['breaker slow-threshold-above-timeout']],
    [{}, { timeout: 30_000 }, ['breaker slow-threshold-above-timeout']],
    [
      {},
      { timeout: 30_001 },
      ['breaker window-shorter-than-timeout', 'hostBreaker window-shorter-than-timeout'],
    ],
    [{ breaker: { slowCallDurationThreshold: 500 } }, { timeout: 2000 }, []],
    [{ level: 'host' }, { timeout: 2000 }, ['hostBreaker slow-threshold-above-timeout']],
    [
      {
        breaker: { slowCallDurationThreshold: 500 },
        overrides: [{ path: '/reports', breaker: { slowCallDurationThreshold: 9000 } }],
      },
      { timeout: 2000 },
      ['overrides[0] slow-threshold-above-timeout'],
    ],
    // A minimum that the traffic never reaches.
    [
      {},
      { callsPerSecond: 0.5 },
      ['breaker minimum-never-reached', 'hostBreaker minimum-never-reached'],
    ],
    [{}, { callsPerSecond: 1 }, []],
    [{ breaker: { slidingWindowType: 'count-based' } }, { callsPerSecond: 0.01 }, []],
    // A window shorter than the timeout.
    [
      { breaker: { slidingWindowSize: 10, slowCallDurationThreshold: 500 } },
      { timeout: 20_000 },
      ['breaker window-shorter-than-timeout', 'hostBreaker window-shorter-than-timeout'],
    ],
    // Trial calls of a fleet.
    [{}, { instances: 6 }, []],
    [{}, { instances: 7 }, ['breaker many-trial-calls', 'hostBreaker many-trial-calls']],
    [{}, { instances: 100, callsPerSecond: 5 }, []],
    // Fewer than one cannot be had, however little the traffic is.
    [
      { breaker: { slidingWindowType: 'count-based', permittedNumberOfCallsInHalfOpenState: 1 } },
      { instances: 2, callsPerSecond: 1 / 60 },
      [],
    ],
    [
      {},
      { instances: 100, callsPerSecond: 2 },
      ['breaker many-trial-calls', 'hostBreaker many-trial-calls'],
    ],
    // What is lowered for all, and not for hosts.
    [{ breaker: { consecutiveFailureThreshold: 3 } }, {}, ['breaker host-default-in-force']],
    [
      { level: 'host', breaker: { consecutiveFailureThreshold: 3 } },
      {},
      ['breaker host-default-in-force'],
    ],
    [{ level: 'endpoint', breaker: { consecutiveFailureThreshold: 3 } }, {}, []],
    [{ breaker: { consecutiveFailureThreshold: 20, failureRateThreshold: 30 } }, {}, []],
    [
      {
        breaker: { consecutiveFailureThreshold: 3 },
        hostBreaker: { consecutiveFailureThreshold: 10 },
      },
      {},
      [],
    ],
    // A limit that judges healthy calls as hung.
    [
      { level: 'endpoint', breaker: { maxWaitDurationInHalfOpenState: 1000 } },
      {},
      ['breaker limit-below-slow-threshold'],
    ],
    [
      { level: 'endpoint', breaker: { permitLease: 30_000 } },
      {},
      ['breaker lease-below-slow-threshold'],
    ],
    // Overrides that never apply.
    [
      {
        overrides: [
          { host: 'api.example.com', name: 'all' },
          { host: 'api.example.com', path: '/charge', name: 'hidden' },
          { host: 'pay.example.com', name: 'other' },
          { level: 'host', host: 'api.example.com', name: 'of hosts' },
        ],
      },
      {},
      ['overrides[1] override-hidden'],
    ],
    [
      {
        overrides: [
          { host: '*.a.com', name: '1' },
          { host: 'b.a.com', name: '2' },
        ],
      },
      {},
      ['overrides[1] override-hidden'],
    ],
    [
      {
        overrides: [
          { host: 'A.com', name: '1' },
          { host: 'a.com', name: '2' },
        ],
      },
      {},
      ['overrides[1] override-hidden'],
    ],
    [
      {
        overrides: [
          { path: '/x/*', name: '1' },
          { path: '/x/y', name: '2' },
        ],
      },
      {},
      ['overrides[1] override-hidden'],
    ],
    [
      {
        overrides: [
          { path: '/u/:id', name: '1' },
          { path: '/u/:x', name: '2' },
        ],
      },
      {},
      ['overrides[1] override-hidden'],
    ],
    [
      {
        overrides: [
          { path: '/x/y', name: '1' },
          { path: '/x/*', name: '2' },
        ],
      },
      {},
      [],
    ],
    // Rows that contradict each other.
    [
      {
        rules: [
          { status: 404, outcome: 'success' },
          { status: 404, outcome: 'failure' },
        ],
      },
      {},
      ['rules[1] rule'],
    ],
  ])('%o, %o: %o', (options, context, expected) => {
    expect(found(options, context)).toEqual(expected);
  });

  it('says what will happen, with the numbers, and what to do', () => {
    const [warning] = lintConfiguration({}, { timeout: 2000 });

    expect(warning?.message).toBe(
      "slowCallDurationThreshold (30000 ms) is not below the client's timeout (2000 ms): no answer " +
        'is ever slow, since it has failed by then; lower it to a few times the 99th percentile',
    );
  });

  it('says of low traffic what can still open the breaker', () => {
    const [warning] = lintConfiguration({}, { callsPerSecond: 0.1 });

    expect(warning?.message).toContain('only consecutiveFailureThreshold (10) can open it');
  });

  it.each<[options: unknown, context: unknown, words: string]>([
    [{ breaker: { failureRateThreshold: 0 } }, {}, 'breaker.failureRateThreshold'],
    [{ overrides: [{ base: 'x', breaker: {} }] }, {}, "base 'x' is not known"],
    [{ rulez: 1 }, {}, "did you mean 'rules'?"],
    [{ maxBreakers: -1 }, {}, 'maxBreakers'],
    [{ level: 'hots' }, {}, 'level'],
    [null, {}, 'options must be an object'],
    [{}, { timeOut: 1 }, "did you mean 'timeout'?"],
    [{}, { timeout: '2s' }, 'context.timeout'],
    [{}, { callsPerSecond: 0 }, 'context.callsPerSecond'],
    [{}, { instances: 1.5 }, 'context.instances'],
  ])('refuses %o, %o', (options, context, words) => {
    expect(() =>
      lintConfiguration(options as HttpCircuitBreakerOptions, context as LintContext),
    ).toThrow(words);
  });
});

describe('a value in another unit than is asked for', () => {
  it.each<[options: HttpCircuitBreakerOptions, expected: string[]]>([
    [{ breaker: { failureRateThreshold: 0.5 } }, ['breaker']],
    [{ breaker: { failureRateThreshold: 1 } }, []],
    [{ hostBreaker: { slowCallRateThreshold: 0.8 } }, ['hostBreaker']],
    [{ breaker: { waitDurationInOpenState: 5 } }, ['breaker']],
    [{ breaker: { waitDurationInOpenState: 100 } }, []],
    [{ breaker: { waitDurationInOpenState: { initial: 99 } } }, ['breaker']],
    [{ breaker: { waitDurationInOpenState: { initial: 100 } } }, []],
    [{ breaker: { waitDurationInOpenState: { initial: 1, max: 30 } } }, ['breaker', 'breaker']],
    [{ breaker: { waitDurationInOpenState: (openings) => openings } }, []],
    [{ breaker: { slowCallDurationThreshold: 2, permitLease: 1000 } }, ['breaker']],
    [{ breaker: { slowCallDurationThreshold: 10 } }, []],
    [{ breaker: { slowCallDurationThreshold: 10, permitLease: 60 } }, ['breaker']],
    [{ breaker: { maxWaitDurationInHalfOpenState: 30 } }, ['breaker']],
    [{ breaker: { maxWaitDurationInHalfOpenState: 0 } }, []],
    [{ idleTimeout: 600 }, ['idleTimeout']],
    [{ maxRetryAfter: 300 }, ['maxRetryAfter']],
    [{ overrides: [{ host: 'a.com', breaker: { failureRateThreshold: 0.2 } }] }, ['overrides[0]']],
    [{ overrides: [{ host: 'a.com', breaker: false }] }, []],
    // Where it stands, and not where it is used.
    [
      {
        configs: { quick: { failureRateThreshold: 0.2 } },
        overrides: [{ host: 'a.com', base: 'quick' }],
      },
      ['configs.quick'],
    ],
  ])('%j is warned of at %j', (options, expected) => {
    const units = lintConfiguration(options).filter(({ kind }) => kind === 'unit');

    expect(units.map(({ where }) => where)).toEqual(expected);
  });

  it('is told with what was meant', () => {
    const { breaker, ...rest }: HttpCircuitBreakerOptions = {
      breaker: {
        failureRateThreshold: 0.07,
        waitDurationInOpenState: { initial: 5 },
        slowCallDurationThreshold: 2,
        permitLease: 60,
      },
      idleTimeout: 600,
    };
    const messages = lintConfiguration({ breaker, ...rest })
      .filter(({ kind }) => kind === 'unit')
      .map(({ message }) => message);

    expect(messages).toEqual([
      'failureRateThreshold is in percent, and 0.07 is very little; did you mean 7?',
      'slowCallDurationThreshold is in ms, and 2 is very little; did you mean 2000?',
      'waitDurationInOpenState.initial is in ms, and 5 is very little; did you mean 5000?',
      'permitLease is in ms, and 60 is very little; did you mean 60000?',
      'idleTimeout is in ms, and 600 is very little; did you mean 600000?',
    ]);
  });
});
