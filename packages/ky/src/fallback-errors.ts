import type { FallbackOn } from '@recloser/core';
import { webResponse } from '@recloser/core/adapter';
import type { KyBreakerOptions } from './options.ts';

type Fallback = NonNullable<KyBreakerOptions<FallbackOn>['fallback']>;

/** Knows what a fallback failed by: ky is not to retry it, nor to put an error of its own around it. */
export class FallbackErrors {
  readonly #thrown = new WeakSet<object>();

  /** The same fallback. That it throws the cause leaves an attempt as it is. */
  noting(fallback: Fallback): Fallback {
    return async (cause: unknown, request) => {
      try {
        return webResponse(await fallback(cause as never, request), cause);
      } catch (error) {
        if (error !== cause && isObject(error)) this.#thrown.add(error);
        throw error;
      }
    };
  }

  /** What the fallback threw, where ky tells of that. */
  within(error: Error): Error | undefined {
    // So ky calls what it puts around errors of the network.
    const thrown: unknown = error.name === 'NetworkError' ? error.cause : error;
    return [error, thrown].find((each) => isObject(each) && this.#thrown.has(each)) as Error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
