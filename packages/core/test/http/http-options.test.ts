import { describe, expect, it } from 'vitest';
import { HttpCircuitBreaker, type HttpCircuitBreakerOptions } from '../../src/index.ts';

/** The message of the TypeError or RangeError that these options are. */
function complaint(options: unknown): string {
  try {
    new HttpCircuitBreaker(options as HttpCircuitBreakerOptions);
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`;
  }
  return 'none';
}

describe('options that are wrong', () => {
  it.each<[options: unknown, name: string, ...words: string[]]>([
    [null, 'TypeError', 'options', 'null'],
    [7, 'TypeError', 'options', '7'],
    [[], 'TypeError', 'options', 'list'],
    [{ rule: [] }, 'TypeError', "'rule'", "did you mean 'rules'?"],
    [{ maxBreaker: 7 }, 'TypeError', "'maxBreaker'", "did you mean 'maxBreakers'?"],
    [{ hostbreaker: {} }, 'TypeError', "did you mean 'hostBreaker'?"],
    [{ failureRateThreshold: 40 }, 'TypeError', "'failureRateThreshold' belongs under breaker"],
    [{ breaker: { recordErrors: [Error] } }, 'TypeError', 'breaker.recordErrors', 'rules'],
    [
      { overrides: [{ breaker: { recordResult: () => true } }] },
      'TypeError',
      'overrides[0].breaker.recordResult',
      'rules',
    ],
    [{ breaker: 7 }, 'TypeError', 'breaker', '7'],
    [{ breaker: null }, 'TypeError', 'breaker', 'null'],
    [{ breaker: { failureRate: 40 } }, 'TypeError', 'breaker', "'failureRate'"],
    [
      { breaker: { failureRateTreshold: 40 } },
      'TypeError',
      'breaker',
      "did you mean 'failureRateThreshold'?",
    ],
    [
      { breaker: { failureRateThreshold: 101 } },
      'RangeError',
      'breaker.failureRateThreshold',
      '101',
    ],
    [
      { breaker: { failureRateThreshold: '40' } },
      'TypeError',
      'breaker.failureRateThreshold',
      "'40'",
    ],
    [
      { breaker: { slidingWindowSize: 30_000 } },
      'RangeError',
      'breaker.slidingWindowSize',
      '30000',
    ],
    [{ breaker: { permitLease: NaN } }, 'RangeError', 'breaker.permitLease', 'NaN'],
    [{ breaker: { clock: {} } }, 'TypeError', 'breaker.clock'],
    [
      { breaker: { waitDurationInOpenState: { initial: 5000, maximum: 1 } } },
      'TypeError',
      'breaker.waitDurationInOpenState',
      "'maximum'",
    ],
    [{ hostBreaker: 7 }, 'TypeError', 'hostBreaker', '7'],
    [
      { hostBreaker: { failureRateThreshold: 0 } },
      'RangeError',
      'hostBreaker.failureRateThreshold',
    ],
    [{ rules: 7 }, 'TypeError', 'rules', '7'],
    [{ rules: null }, 'TypeError', 'rules', 'null'],
    [{ rules: [{ status: 503 }] }, 'TypeError', 'rules[0]', 'outcome'],
    [{ rules: { rows: [], standart: true } }, 'TypeError', "did you mean 'standard'?"],
    [{ endpoints: '/users' }, 'TypeError', 'endpoints', "'/users'"],
    [{ endpoints: null }, 'TypeError', 'endpoints', 'null'],
    [{ endpoints: ['users'] }, 'RangeError', 'endpoints[0]', "'users'"],
    [{ level: 'hosts' }, 'TypeError', 'level', "'hosts'", "did you mean 'host'?"],
    [{ level: null }, 'TypeError', 'level', 'null'],
    [{ partition: 'tenant' }, 'TypeError', 'partition', "'tenant'"],
    [{ key: {} }, 'TypeError', 'key', 'an object'],
    [{ maxBreakers: 0 }, 'RangeError', 'maxBreakers', '0'],
    [{ maxBreakers: null }, 'TypeError', 'maxBreakers', 'null'],
    [{ maxEndpointsPerHost: 1.5 }, 'RangeError', 'maxEndpointsPerHost', '1.5'],
    [{ maxPartitions: '7' }, 'TypeError', 'maxPartitions', "'7'"],
    [{ idleTimeout: 0 }, 'RangeError', 'idleTimeout', '0'],
    [{ idleTimeout: null }, 'TypeError', 'idleTimeout', 'null'],
    [{ configs: null }, 'TypeError', 'configs', 'null'],
    [{ configs: { patient: 7 } }, 'TypeError', 'configs.patient', '7'],
    [
      { configs: { patient: { bas: 'x' } } },
      'TypeError',
      'configs.patient',
      "did you mean 'base'?",
    ],
    [{ overrides: {} }, 'TypeError', 'overrides', 'an object'],
    [{ overrides: null }, 'TypeError', 'overrides', 'null'],
    [{ honorRetryAfter: 'yes' }, 'TypeError', 'honorRetryAfter', "'yes'"],
    [{ honorRetryAfter: null }, 'TypeError', 'honorRetryAfter', 'null'],
    [{ maxRetryAfter: -1 }, 'RangeError', 'maxRetryAfter', '-1'],
    [{ maxRetryAfter: Infinity }, 'RangeError', 'maxRetryAfter', 'Infinity'],
    [{ maxRetryAfter: null }, 'TypeError', 'maxRetryAfter', 'null'],
    [{ clock: 7 }, 'TypeError', 'clock', '7'],
    [{ clock: { now: () => 0 } }, 'TypeError', 'clock.date', 'undefined'],
  ])('%o', (options, name, ...words) => {
    const message = complaint(options);
    expect(message).toMatch(new RegExp(`^${name}: `));
    for (const word of words) expect(message).toContain(word);
  });

  it.each<[what: string, options: HttpCircuitBreakerOptions, word: string]>([
    [
      'breaker, where hosts alone are guarded',
      { level: 'host', breaker: { failureRateThreshold: 101 } },
      ' breaker.failureRateThreshold',
    ],
    [
      'hostBreaker, where endpoints alone are guarded',
      { level: 'endpoint', hostBreaker: { failureRateThreshold: 101 } },
      'hostBreaker.failureRateThreshold',
    ],
    [
      'a configuration that no override uses',
      { configs: { patient: { failureRateThreshold: 101 } } },
      'configs.patient.failureRateThreshold',
    ],
    [
      'a configuration that an override uses',
      {
        configs: { patient: { failureRateThreshold: 101 } },
        overrides: [{ host: 'a.example.com', base: 'patient' }],
      },
      'configs.patient.failureRateThreshold',
    ],
    [
      'an override of a level that is not kept',
      {
        level: 'endpoint',
        overrides: [{ level: 'host', breaker: { failureRateThreshold: 101 } }],
      },
      'overrides[0].breaker.failureRateThreshold',
    ],
  ])('are found at construction, and named where they stand: %s', (_, options, word) => {
    expect(complaint(options)).toMatch(/^RangeError: .*101/);
    expect(` ${complaint(options)}`).toContain(word);
  });
});

describe('options that are right', () => {
  it('are none, undefined ones, or any frozen object', () => {
    expect(complaint(undefined)).toBe('none');
    expect(complaint({ level: undefined, breaker: undefined, rules: undefined })).toBe('none');
    expect(complaint(Object.freeze({ breaker: Object.freeze({}) }))).toBe('none');
    expect(complaint({ breaker: { failureRateThreshold: undefined } })).toBe('none');
  });

  it('may have a slow threshold of less than a millisecond', () => {
    expect(complaint({ breaker: { slowCallDurationThreshold: 0.5 } })).toBe('none');
  });

  it('may take the limit of half-open away, at either level', () => {
    expect(complaint({ breaker: { maxWaitDurationInHalfOpenState: 0 } })).toBe('none');
    expect(complaint({ hostBreaker: { maxWaitDurationInHalfOpenState: 0 } })).toBe('none');
  });
});

describe('the caller’s options', () => {
  const make = () => ({
    breaker: { waitDurationInOpenState: { initial: 7000 }, consecutiveFailureThreshold: 3 },
    hostBreaker: { consecutiveFailureThreshold: 30 },
    configs: { strict: { consecutiveFailureThreshold: 2 } },
    overrides: [{ path: '/strict', base: 'strict', breaker: { minimumNumberOfCalls: 50 } }],
    endpoints: ['/users/:id'],
    rules: [{ status: [404, 410], outcome: 'failure', responseHeader: { 'x-a': ['b'] } }],
    maxRetryAfter: 9000,
  });

  it('are not changed', () => {
    const options = make();
    new HttpCircuitBreaker(options as HttpCircuitBreakerOptions);
    expect(options).toEqual(make());
  });

  it('are not held on to: changed afterwards, they change nothing', () => {
    const options = make();
    const breaker = new HttpCircuitBreaker(options as HttpCircuitBreakerOptions);
    const answer = (path: string, status: number, headers = {}): unknown =>
      breaker.admit({ method: 'GET', url: `https://h${path}` }).responded(status, headers);
    options.breaker.waitDurationInOpenState.initial = 1;
    options.breaker.consecutiveFailureThreshold = 1;
    options.hostBreaker.consecutiveFailureThreshold = 1;
    options.configs.strict.consecutiveFailureThreshold = 1;
    options.overrides[0]!.path = '/other';
    options.overrides[0]!.base = 'nonsense';
    options.overrides.length = 0;
    options.endpoints[0] = '/nothing';
    options.rules[0]!.status.length = 0;
    options.rules[0]!.outcome = 'success';
    options.rules[0]!.responseHeader['x-a'].push('c');

    answer('/users/x', 404, { 'x-a': 'b' });
    answer('/users/x', 404, { 'x-a': 'c' });
    for (let call = 0; call < 2; call++) answer('/strict', 500);
    const failed = breaker.find('GET https://h/users/:id')?.metrics().numberOfFailedCalls;
    expect(failed).toBe(1);
    expect(breaker.find('GET https://h/strict')?.state).toBe('open');
    expect(breaker.find('GET https://h/strict')?.refusal()?.retryAfterMs).toBeGreaterThan(6000);
    expect(breaker.find('https://h')?.state).toBe('closed');
  });
});
