import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { CallNotPermittedError, type CircuitBreaker } from '../../src/index.ts';
import { fail, manualBreaker, startDate } from './manual-breaker.ts';

const refusalOf = (breaker: CircuitBreaker): CallNotPermittedError =>
  breaker.refusal() as CallNotPermittedError;

const fieldsOf = (error: CallNotPermittedError): object =>
  Object.fromEntries(Object.entries(error));

describe('CallNotPermittedError', () => {
  it('tells who refused, in which state, why, and for how long', () => {
    const { breaker, clock } = manualBreaker({ minimumNumberOfCalls: 1 });
    breaker.acquire().failure(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    clock.advance(0.25);
    const error = refusalOf(breaker);
    expect(error).toBeInstanceOf(CallNotPermittedError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'CallNotPermittedError',
      code: 'ERR_CALL_NOT_PERMITTED',
      breaker: 'test',
      state: 'open',
      reason: 'open',
      retryAfterMs: 60_001,
      lastFailure: { kind: 'Error', code: 'ECONNRESET', at: startDate },
    });
    expect(error).not.toHaveProperty('cause');
  });

  it.each<[reason: string, options: object, retryAfterMs: number | undefined]>([
    ['open', { initialState: 'open' }, 60_001],
    ['forced-open', { initialState: 'forced-open' }, undefined],
    [
      'half-open-full',
      { initialState: 'half-open', permittedNumberOfCallsInHalfOpenState: 1 },
      undefined,
    ],
    ['concurrency', { maxConcurrentCalls: 1 }, undefined],
  ])('with the reason %s names the breaker and the state', (reason, options, retryAfterMs) => {
    const { breaker } = manualBreaker(options);
    breaker.tryAcquire();
    const error = refusalOf(breaker);
    expect(error).toMatchObject({ reason, retryAfterMs, state: breaker.state });
    expect(error.message).toContain("'test'");
    expect(error.message).toContain(breaker.state);
  });

  it('gives the whole ms after which a call is no longer refused', () => {
    const { breaker, clock } = manualBreaker({ waitDurationInOpenState: 1000 });
    breaker.transitionToOpenState();
    const told: (number | undefined)[] = [];
    for (const step of [0.5, 499.25, 500.25]) {
      clock.advance(step);
      const { retryAfterMs = 0 } = refusalOf(breaker);
      told.push(retryAfterMs);
      const twin = manualBreaker({ waitDurationInOpenState: 1000 });
      twin.breaker.transitionToOpenState();
      twin.clock.advance(clock.now() - 5_000_000 + retryAfterMs);
      expect(twin.breaker.refusal()).toBeUndefined();
    }
    expect(told).toEqual([1001, 502, 1]);
  });

  it('tells the last failure in words and numbers only', () => {
    const { breaker, clock } = manualBreaker({ minimumNumberOfCalls: 2 });
    fail(breaker);
    clock.advance(5);
    breaker.acquire().failure({ huge: 'response' }, { kind: 'status', status: 503 });
    expect(refusalOf(breaker).lastFailure).toStrictEqual({
      kind: 'status',
      status: 503,
      at: startDate + 5,
    });
    expect(refusalOf(breaker).message).toContain('503');
  });

  it('knows of no failure where there was none', () => {
    const { breaker } = manualBreaker();
    breaker.transitionToOpenState();
    expect(refusalOf(breaker).lastFailure).toBeUndefined();
  });

  it('is the same from acquire, execute and refusal', async () => {
    const { breaker } = manualBreaker({ initialState: 'open' });
    const fields = fieldsOf(refusalOf(breaker));
    expect(() => breaker.acquire()).toThrow(expect.objectContaining(fields));
    await expect(breaker.execute(() => 'never')).rejects.toMatchObject(fields);
  });

  it('survives structuredClone', () => {
    const { breaker } = manualBreaker({ initialState: 'open' });
    const error = refusalOf(breaker);
    const copy = structuredClone(error);
    expect(copy).toBeInstanceOf(Error);
    expect(copy.message).toBe(error.message);
    expect(structuredClone(fieldsOf(error))).toEqual(fieldsOf(error));
  });
});

describe('the stack of a refusal', () => {
  const limit = Error.stackTraceLimit;
  afterEach(() => {
    Error.stackTraceLimit = limit;
  });

  const options = { initialState: 'forced-open' } as const;

  it('is not taken by default, and Error.stackTraceLimit stays as it was', () => {
    Error.stackTraceLimit = 7;
    const error = refusalOf(manualBreaker(options).breaker);
    expect(error.stack ?? '').not.toMatch(/\n\s+at /);
    expect(error.stack ?? '').not.toContain('undefined');
    expect(Error.stackTraceLimit).toBe(7);
    expect(new Error('other').stack).toMatch(/\n\s+at /);
  });

  it('is taken where writableStackTraceEnabled is set', () => {
    const { breaker } = manualBreaker({ ...options, writableStackTraceEnabled: true });
    expect(refusalOf(breaker).stack).toMatch(/\n\s+at .*call-not-permitted-error\.test/);
  });

  it('leaves a stackTraceLimit that somebody removed removed', () => {
    delete (Error as { stackTraceLimit?: number }).stackTraceLimit;
    expect(refusalOf(manualBreaker(options).breaker).reason).toBe('forced-open');
    expect('stackTraceLimit' in Error).toBe(false);
  });

  it.each([
    'Object.freeze(Error)',
    "Object.defineProperty(Error, 'stackTraceLimit', { writable: false })",
  ])('harms nothing after %s', { timeout: 60_000 }, async (statement) => {
    const index = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href);
    const program = `
        import { CircuitBreaker } from ${index};
        ${statement};
        const breaker = new CircuitBreaker('test', { initialState: 'forced-open' });
        console.log(breaker.refusal().reason, Error.stackTraceLimit);
      `;
    const flags = ['--no-warnings', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, flags);
    expect(stdout.trim()).toBe('forced-open 10');
  });
});
