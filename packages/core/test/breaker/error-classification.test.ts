import { describe, expect, it } from 'vitest';
import { CallNotPermittedError, causedBy, type CircuitBreakerOptions } from '../../src/index.ts';
import { manualBreaker, only, typesOf } from './manual-breaker.ts';

class NetworkError extends Error {}
class TimeoutError extends NetworkError {}
class AppError extends Error {}

/** What a thrown error is announced as. */
function outcomeOf(error: unknown, options: CircuitBreakerOptions): string {
  const { breaker, events } = manualBreaker(options);
  breaker.acquire().error(error);
  return typesOf(events).join(' ');
}

const wrapped = (cause: unknown): Error => new AppError('wrapped', { cause });

describe('recordErrors and ignoreErrors', () => {
  it('match a class with its subclasses', () => {
    const options = { recordErrors: [NetworkError] };
    expect(outcomeOf(new NetworkError(), options)).toBe('failure');
    expect(outcomeOf(new TimeoutError(), options)).toBe('failure');
    expect(outcomeOf(new AppError(), options)).toBe('success');
    expect(outcomeOf(new TimeoutError(), { recordErrors: [Error] })).toBe('failure');
    expect(outcomeOf('text', { recordErrors: [Error] })).toBe('success');
  });

  it('ask predicates about the thrown value, whatever it is', () => {
    const options = { ignoreErrors: [(error: unknown) => error === undefined] };
    expect(outcomeOf(undefined, options)).toBe('ignored');
    expect(outcomeOf(null, options)).toBe('failure');
  });

  it('do not count an error that is neither: it is a success that tells the error', () => {
    const { breaker, events } = manualBreaker({
      recordErrors: [TimeoutError],
      ignoreErrors: [AppError],
    });
    const error = new NetworkError();
    breaker.acquire().error(error);
    expect(events).toMatchObject([{ type: 'success', error }]);
    expect(breaker.metrics()).toMatchObject({ numberOfBufferedCalls: 1, numberOfFailedCalls: 0 });
  });

  it('ignore an error that is both', () => {
    const options = { recordErrors: [NetworkError], ignoreErrors: [TimeoutError] };
    expect(outcomeOf(new NetworkError(), options)).toBe('failure');
    expect(outcomeOf(new TimeoutError(), options)).toBe('ignored');
  });

  it('see the thrown error itself, not its causes', () => {
    const options = { ignoreErrors: [TimeoutError] };
    expect(outcomeOf(wrapped(new TimeoutError()), options)).toBe('failure');
  });

  it('are not asked about what permit.failure reports', () => {
    const { breaker, events } = manualBreaker({ ignoreErrors: [Error] });
    breaker.acquire().failure(new Error('busy'));
    expect(typesOf(events)).toEqual(['failure']);
  });

  it.each(['recordErrors', 'ignoreErrors'] as const)(
    'read a predicate of %s that throws as no match, and tell',
    (option) => {
      const thrown = new Error('bug in the predicate');
      const { breaker, events } = manualBreaker({
        [option]: [
          () => {
            throw thrown;
          },
          TimeoutError,
        ],
      });
      breaker.acquire().error(new AppError());
      expect(only(events, 'error')).toMatchObject([{ error: thrown, source: option }]);
      expect(typesOf(events)).toEqual(['error', option === 'recordErrors' ? 'success' : 'failure']);
      breaker.acquire().error(new TimeoutError());
      expect(typesOf(events).at(-1)).toBe(option === 'recordErrors' ? 'failure' : 'ignored');
    },
  );
});

describe('causedBy', () => {
  it('finds an instance at any depth of cause, and in the error itself', () => {
    const options = { ignoreErrors: [causedBy(NetworkError)] };
    expect(outcomeOf(new TimeoutError(), options)).toBe('ignored');
    expect(outcomeOf(wrapped(wrapped(wrapped(new NetworkError()))), options)).toBe('ignored');
    expect(outcomeOf(wrapped(wrapped('text')), options)).toBe('failure');
    expect(outcomeOf({ cause: new NetworkError() }, options)).toBe('ignored');
  });

  it('ends where causes go round', () => {
    const error = new AppError();
    error.cause = wrapped(error);
    expect(causedBy(NetworkError)(error)).toBe(false);
  });

  it.each([undefined, null, 0, 'text', Symbol('none')])('is false for %s', (value) => {
    expect(causedBy(Error)(value)).toBe(false);
  });

  it('in a list harms no call where a cause throws', () => {
    const hostile = Object.defineProperty(new AppError(), 'cause', {
      get() {
        throw new Error('hostile');
      },
    });
    expect(outcomeOf(hostile, { ignoreErrors: [causedBy(NetworkError)] })).toBe('failure');
  });

  it.each([undefined, 'TypeError', {}])('needs a class, not %o', (value) => {
    expect(() => causedBy(value as unknown as typeof Error)).toThrow(TypeError);
  });
});

describe("another breaker's refusal", () => {
  const other = manualBreaker({ initialState: 'forced-open' }).breaker;
  const refusal = other.refusal() as CallNotPermittedError;

  it('is ignored, also in the cause of another error', () => {
    expect(outcomeOf(refusal, {})).toBe('ignored');
    expect(outcomeOf(wrapped(wrapped(refusal)), {})).toBe('ignored');
    expect(outcomeOf(refusal, { recordErrors: [NetworkError] })).toBe('ignored');
    expect(outcomeOf(wrapped(refusal), { recordErrors: [NetworkError] })).toBe('ignored');
  });

  it('is a failure where it is listed', () => {
    expect(outcomeOf(refusal, { recordErrors: [CallNotPermittedError] })).toBe('failure');
    const options = { recordErrors: [causedBy(CallNotPermittedError)] };
    expect(outcomeOf(wrapped(refusal), options)).toBe('failure');
  });

  it('gives a half-open permit back', () => {
    const { breaker } = manualBreaker({
      initialState: 'half-open',
      permittedNumberOfCallsInHalfOpenState: 1,
    });
    breaker.acquire().error(refusal);
    expect(breaker.metrics()).toMatchObject({ state: 'half-open', numberOfBufferedCalls: 0 });
    expect(breaker.refusal()).toBeUndefined();
  });
});
