import got, { type ExtendOptions } from 'got';
import {
  circuitBreaker,
  type FallbackOn,
  type GotBreakerOptions,
  type CircuitBreakerOptions,
  type HttpCircuitBreaker,
} from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import type { Answer } from '@recloser/test-support/server';

export interface Guarded {
  readonly api: typeof got;
  readonly breaker: HttpCircuitBreaker;
  readonly outcomes: string[];
}

export interface Settings {
  readonly breaker?: CircuitBreakerOptions;
  readonly options?: GotBreakerOptions<FallbackOn>;
  /** What the instance has before it is guarded. */
  readonly base?: ExtendOptions;
}

/** An instance that does not retry, unless a call asks for it. */
export function guarded({ breaker: settings, options, base = {} }: Settings = {}): Guarded {
  const breaker = endpointBreaker(settings);
  const instance = got.extend({ retry: { limit: 0 } }, base);
  const api = instance.extend(circuitBreaker(breaker, options)) as typeof got;
  return { api, breaker, outcomes: outcomesOf(breaker) };
}

/** One retry of any method and at once, whatever the computed delay. */
export const oneRetry = {
  limit: 1,
  calculateDelay: ({ computedValue }: { computedValue: number }): number =>
    computedValue === 0 ? 0 : 1,
};

/** What a promise rejects with. */
export async function errorOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It does not reject');
}

/** Each answers one request, the last all that come after. */
export function inTurn(...answers: Answer[]): Answer {
  return (...args) => (answers.length > 1 ? answers.shift() : answers[0])!(...args);
}
