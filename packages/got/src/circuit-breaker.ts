import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions, toHttpCircuitBreaker } from '@recloser/core/adapter';
import type { HandlerFunction, Options } from 'got';
import { GuardedCall } from './guarded-call.ts';
import type { GotBreakerOptions } from './options.ts';

/** What guards the call with these options already. */
const guards = new WeakMap<Options, Map<HttpCircuitBreaker, GuardedCall>>();

/** What a guard put into the options of a call, and what it put it over. */
const additions = new WeakMap<object, { readonly call: Options; readonly over: unknown }>();

/**
 * Puts a got instance behind a circuit breaker, for `got.extend`. Each attempt asks the breaker just
 * before it is sent and counts by itself, the redirects that it follows included; answers from got's
 * cache are no attempts. One that is refused sends nothing and is not retried: the call ends with
 * got's RequestError, with the code `ERR_CALL_NOT_PERMITTED` and the `CallNotPermittedError` as its
 * `cause`. A call with `context: { circuitBreaker: false }` is left out.
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
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions,
  options: GotBreakerOptions<On> = {},
): { handlers: HandlerFunction[] } {
  checkAdapterOptions('circuitBreaker', breaker, options, { count: ['attempt', 'call'] });
  const http = toHttpCircuitBreaker(breaker);
  const own = { ...(options as unknown as GotBreakerOptions) };
  const handler: HandlerFunction = (call, next) => {
    // got has no options where it could make none of what it was given.
    const context = (call as Options | undefined)?.context;
    if (context === undefined || context['circuitBreaker'] === false) return next(call);
    const guarded = new GuardedCall(http, own, call);
    const others = guards.get(call) ?? new Map<HttpCircuitBreaker, GuardedCall>();
    others.get(http)?.replaced();
    guards.set(call, others.set(http, guarded));
    install(guarded, call);
    return guarded.follow(next(call));
  };
  return { handlers: [handler] };
}

function install(guarded: GuardedCall, call: Options): void {
  const added = <F extends object>(addition: F, over?: F): F => {
    additions.set(addition, { call, over });
    return addition;
  };
  // The options of a page may be those of the page before, with what was added there.
  const isLeftOver = (value: object): boolean => (additions.get(value)?.call ?? call) !== call;
  const given = <F extends object>(value: F): F => {
    let found = value;
    while (isLeftOver(found)) found = additions.get(found)!.over as F;
    return found;
  };
  const { hooks, retry, followRedirect } = call;
  const others = <F extends object>(list: F[]): F[] => list.filter((hook) => !isLeftOver(hook));

  const beforeRequest: (typeof hooks.beforeRequest)[number] = (hop) => {
    const options = hop as Options;
    // Not the option `request`: got 16 keeps its agent and timeouts for HTTP/2 from one of those.
    const requestFunction = options.getRequestFunction.bind(options);
    options.getRequestFunction = () => guarded.requestFunction(options, requestFunction());
  };
  hooks.beforeRequest = [...others(hooks.beforeRequest), added(beforeRequest)];

  const afterResponse: (typeof hooks.afterResponse)[number] = (response) => {
    guarded.handedOver(response);
    return response;
  };
  hooks.afterResponse = [added(afterResponse), ...others(hooks.afterResponse)];

  const beforeError: (typeof hooks.beforeError)[number] = (error) => guarded.failed(error);
  hooks.beforeError = [added(beforeError), ...others(hooks.beforeError)];

  // Called before the wait, and by got 14 for every error.
  const delay = given(retry.calculateDelay!);
  retry.calculateDelay = added(
    (state) => (guarded.mayRetry(state.error) ? delay(state) : 0),
    delay,
  );

  if (typeof followRedirect !== 'function') return;
  const follow = given(followRedirect);
  call.followRedirect = added((response) => {
    const follows = follow(response);
    if (!follows) guarded.redirectNotFollowed();
    return follows;
  }, follow);
}
