import { Agent, type Dispatcher } from 'undici';
import { circuitBreakerInterceptor } from '../src/index.ts';
import type { HttpCircuitBreaker } from '@recloser/core';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';

export type Interceptor = Dispatcher.DispatcherComposeInterceptor;

export interface Guarded {
  readonly breaker: HttpCircuitBreaker;
  readonly outcomes: string[];
  readonly interceptor: Interceptor;
}

export function guard(breaker: HttpCircuitBreaker = endpointBreaker()): Guarded {
  return {
    breaker,
    outcomes: outcomesOf(breaker),
    interceptor: circuitBreakerInterceptor(breaker),
  };
}

/** An agent of undici 8, closed at the end of the test by `await using`. */
export function agent(options: Agent.Options = {}): Agent & AsyncDisposable {
  const made = new Agent(options);
  return Object.assign(made, { [Symbol.asyncDispose]: () => made.destroy() });
}

/** The status, the body having been read. */
export async function statusOf(
  dispatcher: Dispatcher,
  url: string,
  options: Partial<Dispatcher.RequestOptions> = {},
): Promise<number> {
  const { statusCode, body } = await dispatcher.request(requestTo(url, options));
  await body.dump();
  return statusCode;
}

export function requestTo(
  url: string,
  options: Partial<Dispatcher.RequestOptions> = {},
): Dispatcher.RequestOptions {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search, method: 'GET', ...options };
}
