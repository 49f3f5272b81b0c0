import { expectTypeOf, test } from 'vitest';
import {
  CallNotPermittedError,
  getCallNotPermitted,
  IllegalStateTransitionError,
  isCallNotPermitted,
  ResultRecordedAsFailureError,
  type CircuitBreakerState,
  type LastFailure,
  type NotPermittedReason,
  type Refusal,
} from '../src/index.ts';

test('a refusal is an error that tells why, and when to try again', () => {
  const refusal: Refusal = { breaker: 'pricing', state: 'open', reason: 'open', retryAfterMs: 1 };
  const error = new CallNotPermittedError(refusal);
  expectTypeOf(error).toExtend<Error>();
  expectTypeOf<CallNotPermittedError['code']>().toEqualTypeOf<'ERR_CALL_NOT_PERMITTED'>();
  expectTypeOf(error.breaker).toBeString();
  expectTypeOf(error.key).toEqualTypeOf<string | undefined>();
  expectTypeOf(error.state).toEqualTypeOf<CircuitBreakerState>();
  expectTypeOf(error.reason).toEqualTypeOf<NotPermittedReason>();
  expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>();
  expectTypeOf(error.lastFailure).toEqualTypeOf<LastFailure | undefined>();
  // @ts-expect-error: there is no such reason.
  new CallNotPermittedError({ ...refusal, reason: 'closed' });
  // @ts-expect-error: what was refused is not changed.
  error.reason = 'held';
});

test('every reason can be told apart', () => {
  const text = (reason: NotPermittedReason): string => {
    switch (reason) {
      case 'open':
      case 'held':
      case 'forced-open':
      case 'half-open-full':
      case 'concurrency':
        return reason;
      default:
        expectTypeOf(reason).toBeNever();
        return reason;
    }
  };
  expectTypeOf(text).returns.toBeString();
});

test('the refusal is found in any error; whether there is one narrows nothing', () => {
  const caught: unknown = undefined;
  expectTypeOf(getCallNotPermitted(caught)).toEqualTypeOf<CallNotPermittedError | undefined>();
  expectTypeOf(getCallNotPermitted(caught)?.retryAfterMs).toEqualTypeOf<number | undefined>();
  expectTypeOf(isCallNotPermitted).toEqualTypeOf<(error: unknown) => boolean>();
  if (isCallNotPermitted(caught)) {
    // It may be the error of any client, with the refusal as its cause.
    expectTypeOf(caught).toBeUnknown();
  }
});

test('a class narrows, where nothing was wrapped around it', () => {
  const caught: unknown = undefined;
  if (caught instanceof CallNotPermittedError) expectTypeOf(caught.breaker).toBeString();
  if (caught instanceof IllegalStateTransitionError) {
    expectTypeOf(caught.from).toEqualTypeOf<CircuitBreakerState>();
    expectTypeOf(caught.to).toEqualTypeOf<CircuitBreakerState>();
  }
  if (caught instanceof ResultRecordedAsFailureError) {
    expectTypeOf(caught.result).toBeUnknown();
  }
});

test('every error has a code of its own', () => {
  const code = (error: IllegalStateTransitionError | ResultRecordedAsFailureError): string => {
    if (error.code === 'ERR_ILLEGAL_STATE_TRANSITION') return error.from;
    expectTypeOf(error).toEqualTypeOf<ResultRecordedAsFailureError>();
    return error.code;
  };
  expectTypeOf(code).returns.toBeString();
});

test('the latest failure is told in words and numbers', () => {
  expectTypeOf<Required<LastFailure>>().toEqualTypeOf<{
    readonly kind: string;
    readonly status: number;
    readonly code: string;
    readonly at: number;
  }>();
});
