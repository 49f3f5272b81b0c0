import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions } from '@recloser/core/adapter';
import { guarding, type CircuitBreakerInterceptor } from './circuit-breaker-interceptor.ts';
import type { Dispatch } from './dispatch.ts';
import type { KeyedRequest, UndiciOptions } from './options.ts';

interface Dispatcher {
  compose(interceptor: CircuitBreakerInterceptor): Dispatcher;
}

/**
 * Composes `circuitBreakerInterceptor` over the global dispatcher: for Node's own fetch and
 * WebSocket, and for the functions of undici that are called without a dispatcher. Proxies and
 * mocks that are set already stay beneath it. A dispatcher set later takes its place.
 *
 * @returns the function that takes the guard off again. Where another dispatcher was set over it in
 * the meantime that stays, and requests that come through it pass unguarded.
 * @throws TypeError where there is no dispatcher to compose, TypeError or RangeError that names the
 * option and its value
 */
export function installDispatcher<On extends FallbackOn = 'refusal'>(
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest>,
  options: UndiciOptions<On> = {},
): () => void {
  checkAdapterOptions('installDispatcher', breaker, options);
  // One that is kept for an older version is beside the other, and a request comes through one.
  const layer = guarding(breaker, options);
  let isInstalled = true;
  const removable = (dispatch: Dispatch): Dispatch => {
    const guarded = layer.guarded(dispatch);
    return (request, handler) => (isInstalled ? guarded : dispatch)(request, handler);
  };
  const installed = globalDispatchers().map(
    ([key, dispatcher]) =>
      [key, dispatcher, dispatcher.compose(removable as CircuitBreakerInterceptor)] as const,
  );
  for (const [key, , mine] of installed) globals[key] = mine;
  return () => {
    isInstalled = false;
    for (const [key, previous, mine] of installed)
      if (globals[key] === mine) globals[key] = previous;
  };
}

const globals = globalThis as unknown as Record<symbol, Dispatcher>;

/**
 * Every version of undici, Node's own among them, keeps its dispatcher under a registered symbol
 * that tells the version of the API, and newer ones also one under the older symbol. They are found
 * by that: importing undici would replace the dispatcher of Node 22, and with it the proxy of
 * NODE_USE_ENV_PROXY.
 */
function globalDispatchers(): (readonly [symbol, Dispatcher])[] {
  // Node makes its own as soon as any of these is looked at.
  void globalThis.Response;
  const found = Object.getOwnPropertySymbols(globalThis)
    .filter((symbol) => Symbol.keyFor(symbol)?.startsWith('undici.globalDispatcher.'))
    .map((key) => [key, globals[key]!] as const);
  if (
    found.length === 0 ||
    !found.every(([, dispatcher]) => typeof dispatcher?.compose === 'function')
  ) {
    throw new TypeError('installDispatcher: there is no global dispatcher of undici to compose');
  }
  return found;
}
