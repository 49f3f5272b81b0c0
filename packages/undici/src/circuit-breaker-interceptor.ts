import type {
  Admission,
  FallbackOn,
  HttpCircuitBreaker,
  HttpCircuitBreakerOptions,
} from '@recloser/core';
import { addLayer, checkAdapterOptions, toHttpCircuitBreaker } from '@recloser/core/adapter';
import { AnswerController, answerFrom } from './answer-controller.ts';
import {
  isLegacy,
  signalOf,
  type AnyHandler,
  type Dispatch,
  type DispatchRequest,
  type Handler,
} from './dispatch.ts';
import { Exchange } from './exchange.ts';
import { GuardedHandler } from './guarded-handler.ts';
import { GuardedLegacyHandler } from './guarded-legacy-handler.ts';
import { LayerFallback } from './layer-fallback.ts';
import type { KeyedRequest, UndiciOptions } from './options.ts';
import { upward } from './upward.ts';

/** For `compose` of any dispatcher of undici 7 or 8. */
export type CircuitBreakerInterceptor = <
  Dispatch extends (options: never, handler: never) => boolean,
>(
  dispatch: Dispatch,
) => Dispatch;

/**
 * An interceptor that puts a dispatcher behind a circuit breaker: `request`, `stream`, `pipeline`,
 * `upgrade`, `connect`, `fetch` and WebSockets. A request that the breaker refuses fails with a
 * `CallNotPermittedError` (a fetch with a `TypeError` that has it as its `cause`), and nothing is
 * sent.
 *
 *     const agent = new Agent().compose(circuitBreakerInterceptor({ breaker: { failureRateThreshold: 40 } }));
 *
 * What is composed before it is between the breaker and the network, what is composed after it is
 * around the breaker: after it, `retry` has each attempt counted and ended by a refusal.
 *
 * @param breaker  one that may be shared with other clients, or the options of a new one
 * @throws TypeError or RangeError that names the option and its value
 */
export function circuitBreakerInterceptor<On extends FallbackOn = 'refusal'>(
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest>,
  options: UndiciOptions<On> = {},
): CircuitBreakerInterceptor {
  if (typeof breaker === 'function') {
    throw new TypeError(
      'circuitBreakerInterceptor must be called: compose(circuitBreakerInterceptor())',
    );
  }
  checkAdapterOptions('circuitBreakerInterceptor', breaker, options);
  const { guard, guarded } = guarding(breaker, options);
  let isComposed = false;
  const interceptor = (dispatch: Dispatch): Dispatch => {
    // Composed once more it is one more layer, and may be around itself.
    if (isComposed) addLayer(guard);
    isComposed = true;
    return guarded(dispatch);
  };
  return interceptor as CircuitBreakerInterceptor;
}

/** One layer, over as many dispatchers as there are beside each other. The options are checked. */
export function guarding<On extends FallbackOn>(
  breaker: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest> | undefined,
  options: UndiciOptions<On>,
): { guard: HttpCircuitBreaker; guarded: (dispatch: Dispatch) => Dispatch } {
  const guard = toHttpCircuitBreaker(breaker);
  const fallback = new LayerFallback(options as unknown as UndiciOptions<FallbackOn>);
  return { guard, guarded: (dispatch) => guardedDispatch(dispatch, guard, fallback) };
}

function guardedDispatch(
  dispatch: Dispatch,
  guard: HttpCircuitBreaker,
  fallback: LayerFallback,
): Dispatch {
  return (request, handler) => {
    if (!isGuarded(request, handler)) return dispatch(request, handler);
    let admission: Admission;
    try {
      const { method, origin, path } = request;
      admission = guard.admit({ method, origin: origin!, path, original: request });
    } catch (refusal) {
      refuse(refusal, upward(handler), fallback, request);
      return true;
    }
    const guarded = isLegacy(handler)
      ? new GuardedLegacyHandler(new Exchange(admission, request, fallback, handler))
      : new GuardedHandler(new Exchange(admission, request, fallback, handler));
    try {
      return admission.send(() => dispatch(request, guarded));
    } catch (error) {
      admission.failed(error, signalOf(request));
      throw error;
    }
  };
}

/** What is wrong with the others the dispatcher says, or their signal. */
function isGuarded(request: DispatchRequest, handler: AnyHandler): boolean {
  if (typeof request !== 'object' || request === null) return false;
  if (typeof handler !== 'object' || handler === null) return false;
  return request.circuitBreaker !== false && request.signal?.aborted !== true;
}

function refuse(
  refusal: unknown,
  above: Handler,
  fallback: LayerFallback,
  request: DispatchRequest,
): void {
  const answer = fallback.answer(request, 'refused', refusal);
  const release = (): void => end(refusal, above);
  if (answer === undefined) release();
  else answerFrom(answer, refusal, above, { upload: request.body, release });
}

/**
 * Handlers that retry take a request whose controller is aborted for one that is over, even where a
 * `retry` function of the user's would have it again. Not at once: nobody listens to what
 * `pipeline` returns before it has returned.
 */
function end(refusal: unknown, above: Handler): void {
  queueMicrotask(() => new AnswerController(above).abort(refusal));
}
