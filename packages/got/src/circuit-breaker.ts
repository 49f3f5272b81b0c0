import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions, toHttpCircuitBreaker } from '@recloser/core/adapter';
import type { HandlerFunction, Options } from 'got';
import { CallHooks } from './call-hooks.ts';
import { GuardedCall } from './guarded-call.ts';
import type { GotBreakerOptions, KeyedRequest } from './options.ts';

/** What guards the call with these options already. */
const guards = new WeakMap<Options, Map<HttpCircuitBreaker, GuardedCall>>();

/**
 * Puts a got instance behind a circuit breaker, for `got.extend`. Each attempt asks the breaker
 * just before it is sent and counts by itself, the redirects that it follows included; answers from
 * got's cache are no attempts. One that is refused sends nothing and is not retried: the call ends
 * with got's RequestError, with the code `ERR_CALL_NOT_PERMITTED` and the `CallNotPermittedError`
 * as its `cause`. A call with `context: { circuitBreaker: false }` is left out.
 *
 *     const api = got.extend(circuitBreaker({ breaker: { failureRateThreshold: 40 } }));
 *
 * An instance that has the same `HttpCircuitBreaker` twice counts a request once, and the options
 * that it was given last hold.
 *
 * @param breaker  one that may be shared with other clients, or the options of a new one
 * @returns options for `got.extend`
 * @throws TypeError or RangeError that names the option and its value
 */
export function circuitBreaker<On extends FallbackOn = 'refusal'>(
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest>,
  options: GotBreakerOptions<On> = {},
): { handlers: HandlerFunction[] } {
  checkAdapterOptions('circuitBreaker', breaker, options, { count: ['attempt', 'call'] });
  const http = toHttpCircuitBreaker(breaker);
  const own = { ...(options as unknown as GotBreakerOptions<FallbackOn>) };
  const handler: HandlerFunction = (call, next) => {
    // got has no options where it could make none of what it was given.
    const context = (call as Options | undefined)?.context;
    if (context === undefined) return next(call);
    CallHooks.removeLeftOver(call);
    if (context['circuitBreaker'] === false) return next(call);
    const guarded = new GuardedCall(http, own, call);
    const others = guards.get(call) ?? new Map<HttpCircuitBreaker, GuardedCall>();
    others.get(http)?.replaced();
    guards.set(call, others.set(http, guarded));
    new CallHooks(guarded, call).install();
    return guarded.follow(next(call));
  };
  return { handlers: [handler] };
}

// got takes a function for an instance, and asks it for these.
Object.defineProperty(circuitBreaker, 'defaults', {
  get(): never {
    throw new TypeError('circuitBreaker must be called: got.extend(circuitBreaker())');
  },
});
