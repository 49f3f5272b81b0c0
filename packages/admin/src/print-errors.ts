import type { HttpCircuitBreaker } from '@recloser/core';

/**
 * Tells of `error` events on the console, once for each source, as a breaker does to whose `error`
 * events nobody listens: a handler of a page that nobody looks at should hide none.
 * @returns the function that ends it
 */
export function printErrors(breaker: HttpCircuitBreaker): () => void {
  // Sources are options and event types: few.
  const printed = new Set<string>();
  return breaker.on('error', ({ source, breaker: name, error }) => {
    if (printed.has(source)) return;
    printed.add(source);
    const rest = "; listen to 'error' events to hear of it again";
    try {
      console.error(`recloser: ${source} threw (circuit breaker '${name}')${rest}`, error);
    } catch {
      // An error may forbid to be shown.
    }
  });
}
