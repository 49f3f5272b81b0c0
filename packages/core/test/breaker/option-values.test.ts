import { describe, expect, it } from 'vitest';
import { CircuitBreaker, ManualClock, type CircuitBreakerOptions } from '../../src/index.ts';
import { fail, manualBreaker, succeed } from './manual-breaker.ts';

describe('options are taken at the edges of their ranges', () => {
  it.each<CircuitBreakerOptions>([
    { failureRateThreshold: 0.0001, slowCallRateThreshold: 0.0001 },
    { failureRateThreshold: 100, slowCallRateThreshold: 100 },
    { slowCallDurationThreshold: 0.5, permitLease: 0.5 },
    { slidingWindowSize: 30_000 },
    { slidingWindowType: 'time-based', slidingWindowSize: 3600 },
    { minimumNumberOfCalls: 1_000_000 },
    { failureCountThreshold: 99 },
    { failureCountThreshold: 4, minimumNumberOfCalls: 5, slidingWindowType: 'time-based' },
    { waitDurationInOpenState: 1 },
    { waitDurationInOpenState: { initial: 1, max: 1, multiplier: 1, randomizationFactor: 1 } },
    { maxWaitDurationInHalfOpenState: 0 },
    { maxWaitDurationInHalfOpenState: 1, transitionToStateAfterWaitDuration: 'evaluate' },
    { recordErrors: [Error, () => true, TypeError] },
  ])('%o', (options) => {
    expect(new CircuitBreaker('test', options).state).toBe(options.initialState ?? 'closed');
  });

  it('and undefined stands for the default', () => {
    const options = {
      failureRateThreshold: undefined,
      clock: undefined,
      recordErrors: undefined,
    } as object;
    expect(new CircuitBreaker('test', options).state).toBe('closed');
  });
});

describe("the caller's options", () => {
  const options = (): CircuitBreakerOptions => ({
    failureRateThreshold: 40,
    slidingWindowSize: 4,
    minimumNumberOfCalls: 2,
    waitDurationInOpenState: { initial: 100, multiplier: 2 },
    recordErrors: [TypeError],
    ignoreErrors: [RangeError],
  });

  it('are never changed', () => {
    const given = options();
    const { breaker } = manualBreaker(given);
    fail(breaker, 2);
    expect(given).toEqual(options());
  });

  it('may be frozen', () => {
    const given = Object.freeze({ ...options(), recordErrors: Object.freeze([TypeError]) });
    expect(new CircuitBreaker('test', given).state).toBe('closed');
  });

  it('are not held on to: changing them later changes no breaker', () => {
    const wait = { initial: 100, multiplier: 2 };
    const recordErrors: (typeof Error)[] = [TypeError];
    const ignoreErrors: (typeof Error)[] = [RangeError];
    const clock = new ManualClock();
    const given = {
      failureRateThreshold: 100,
      slidingWindowSize: 4,
      minimumNumberOfCalls: 2,
      waitDurationInOpenState: wait,
      recordErrors,
      ignoreErrors,
      clock,
    };
    const breaker = new CircuitBreaker('test', given);
    Object.assign(given, { failureRateThreshold: 1, minimumNumberOfCalls: 1 });
    wait.initial = 5;
    recordErrors[0] = SyntaxError;
    ignoreErrors.push(TypeError);

    succeed(breaker);
    breaker.acquire().error(new TypeError('recorded'));
    expect(breaker.metrics()).toMatchObject({ state: 'closed', failureRate: 50 });
    breaker.acquire().error(new RangeError('ignored'));
    expect(breaker.metrics().numberOfBufferedCalls).toBe(2);
    breaker.transitionToOpenState();
    expect(breaker.metrics().retryAfterMs).toBe(101);
  });

  it('are read once: a getter is not asked again', () => {
    let reads = 0;
    const given = {
      get waitDurationInOpenState() {
        reads++;
        return 1000;
      },
    };
    const { breaker } = manualBreaker(given);
    const readsAtConstruction = reads;
    breaker.transitionToOpenState();
    expect(breaker.metrics().retryAfterMs).toBe(1001);
    expect(reads).toBe(readsAtConstruction);
  });
});

describe('the minimum number of calls', () => {
  it('is capped by the size of a count window', () => {
    const { breaker } = manualBreaker({ slidingWindowSize: 3, minimumNumberOfCalls: 100 });
    fail(breaker, 2);
    expect(breaker.metrics().failureRate).toBe(-1);
    fail(breaker);
    expect(breaker.state).toBe('open');
  });

  it('is not capped by the size of a time window', () => {
    const { breaker } = manualBreaker({
      slidingWindowType: 'time-based',
      slidingWindowSize: 3,
      minimumNumberOfCalls: 20,
    });
    fail(breaker, 19);
    expect(breaker.metrics()).toMatchObject({ state: 'closed', failureRate: -1 });
    fail(breaker);
    expect(breaker.state).toBe('open');
  });

  it('is capped in half-open by the permitted calls only', () => {
    const { breaker } = manualBreaker({
      initialState: 'half-open',
      slidingWindowSize: 3,
      minimumNumberOfCalls: 100,
      permittedNumberOfCallsInHalfOpenState: 5,
    });
    succeed(breaker, 4);
    expect(breaker.metrics()).toMatchObject({ state: 'half-open', failureRate: -1 });
    succeed(breaker);
    expect(breaker.state).toBe('closed');
  });

  it('decides in half-open before the permitted calls are in, where it is smaller', () => {
    const { breaker } = manualBreaker({
      initialState: 'half-open',
      minimumNumberOfCalls: 2,
      permittedNumberOfCallsInHalfOpenState: 5,
    });
    succeed(breaker, 2);
    expect(breaker.state).toBe('closed');
  });
});
