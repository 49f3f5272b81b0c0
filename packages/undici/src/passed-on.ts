import type { Handler } from './dispatch.ts';
import type { Exchange } from './exchange.ts';

/** A method of a guarded handler that the breaker learns nothing from. */
export function passedOn(
  name: 'onBodySent' | 'onRequestSent' | 'onResponseStarted',
): (...args: unknown[]) => unknown {
  return function (this: { readonly exchange: Exchange }, ...args: unknown[]): unknown {
    const { exchange } = this;
    return exchange.forward(() => (exchange.handler as Handler)[name]?.(...(args as [never])));
  };
}
