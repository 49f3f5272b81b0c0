import type { HttpCircuitBreaker } from '@recloser/core';

/** How many listeners were added to the breaker since and not removed. */
export function countListeners(breaker: HttpCircuitBreaker): () => number {
  let listeners = 0;
  const on = breaker.on.bind(breaker);
  breaker.on = (type, listener) => {
    listeners++;
    const stop = on(type, listener);
    return () => {
      listeners--;
      stop();
    };
  };
  return () => listeners;
}
