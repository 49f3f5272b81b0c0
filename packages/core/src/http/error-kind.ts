import { isRefusal } from '../breaker/errors.ts';
import { judgeError } from './error-judgement.ts';
import { propertyOf, textOf } from './hostile-value.ts';

/** Every kind of error that `errorKind` tells apart. */
export const errorKinds = [
  'dns',
  'refused',
  'unreachable',
  'tls',
  'connect-timeout',
  'response-timeout',
  'body-timeout',
  'deadline',
  'cancel',
  'reset',
  'protocol',
  'body',
  'redirect-loop',
  'local',
  'network',
  'not-permitted',
  'unknown',
] as const;

/**
 * What went wrong with a call that ended in an error, in the same words for every client. `network`
 * is a failure of the network with no better name, `local` one in which nothing was sent,
 * `not-permitted` a breaker's own refusal, and `unknown` an error with no sign of the network in
 * it.
 */
export type ErrorKind = (typeof errorKinds)[number];

/**
 * The kind of an error, with the string code that decided, or the first that any error in the chain
 * has.
 */
export interface KindOfError {
  readonly kind: ErrorKind;
  readonly code?: string;
}

/** What is read of an AbortSignal. */
export interface SignalLike {
  readonly aborted: boolean;
  /** A `TimeoutError` makes it a deadline. */
  readonly reason?: unknown;
}

/** Errors are followed this deep along `cause` and `errors`, and this many in all. */
const MAX_DEPTH = 8;
const MAX_ERRORS = 32;

/**
 * Tells what kind of failure an error is: any client's, wrapped however often, by codes and names
 * and never by class. It looks at the error, then along `cause` and `AggregateError.errors`. A
 * numeric code is no code. Never throws, whatever it is given.
 *
 * `signal` is the caller's own. It decides who ended the call: aborted with a TimeoutError as its
 * reason is a `deadline`, aborted otherwise a `cancel`, and an abort although it is not aborted a
 * timeout of the client's own. An error that is no abort is judged by itself as long as the signal
 * is not aborted.
 */
export function errorKind(error: unknown, signal?: SignalLike): KindOfError {
  const chain = chainOf(error);
  if (chain.some(isRefusal)) return { kind: 'not-permitted' };
  const aborted = signal == null ? undefined : propertyOf(signal, 'aborted') === true;
  const judged =
    chain.length === 0 ? { kind: bareKind(error, aborted) } : judgeError(chain, aborted);
  if (aborted !== true) return judged;
  const timedOut = textOf(propertyOf(signal, 'reason'), 'name') === 'TimeoutError';
  return { ...judged, kind: timedOut ? 'deadline' : 'cancel' };
}

/** The error and those below it, nearest first, each once. Empty for what is no object. */
function chainOf(error: unknown): object[] {
  const seen = new Set<object>();
  let level: unknown[] = [error];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null);
      if (!isObject || seen.has(value) || seen.size === MAX_ERRORS) continue;
      seen.add(value);
      below.push(propertyOf(value, 'cause'));
      const errors = propertyOf(value, 'errors');
      for (let index = 0; index < MAX_ERRORS && typeof errors === 'object'; index++) {
        const inner = propertyOf(errors, index);
        if (inner === undefined) break;
        below.push(inner);
      }
    }
    level = below;
  }
  return [...seen];
}

// `abort('gone')` rejects with the very string.
function bareKind(error: unknown, aborted: boolean | undefined): ErrorKind {
  return error == null || aborted === false ? 'unknown' : 'cancel';
}
