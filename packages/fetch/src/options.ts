import type { CallNotPermittedError } from '@recloser/core';

/** A request that was refused, for a fallback to answer. */
export interface RefusedRequest {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
  /** The arguments of the call, as they were given. */
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

/**
 * What `wrapFetch` and `wrapGlobalFetch` take beside the breaker. `R` is the response of the fetch
 * that is wrapped.
 */
export interface WrapFetchOptions<R = Response> {
  /**
   * Counts it as a failure, too, when the body of a response breaks off while it is read. For that
   * the methods and the `body` of the Response are overridden on the object itself, which costs more
   * than the breaker does. Without it the caller gets the Response untouched, and it is judged by its
   * status and by the time to its headers alone.
   * @default false
   */
  readonly watchBody?: boolean | undefined;
  /**
   * Answers the calls that are refused. The response is marked, so that `isDegraded(response)` tells
   * it from a real one; an error thrown here is what the caller gets. A call that was made and failed
   * is not its business.
   * @default none: a refused call rejects with the `CallNotPermittedError`
   */
  readonly fallback?:
    ((refusal: CallNotPermittedError, request: RefusedRequest) => R | PromiseLike<R>) | undefined;
}

/**
 * @param caller  the function that an error names
 * @throws TypeError that names the option and its value
 */
export function checkOptions(caller: string, breaker: unknown, options: unknown): void {
  for (const name of ['watchBody', 'fallback']) {
    if (typeof breaker !== 'object' || breaker === null || !Object.hasOwn(breaker, name)) continue;
    throw new TypeError(`${caller}: '${name}' belongs in the argument after the breaker's options`);
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${caller}: options must be an object, but is ${shown(options)}`);
  }
  const { watchBody, fallback, ...others } = options as { readonly [name: string]: unknown };
  for (const name of Object.keys(others)) {
    throw new TypeError(
      `${caller}: '${name}' is not known; known are 'watchBody' and 'fallback', ` +
        'and the options of the breaker belong in the argument before',
    );
  }
  if (watchBody !== undefined && typeof watchBody !== 'boolean') {
    throw new TypeError(`${caller}: watchBody must be true or false, but is ${shown(watchBody)}`);
  }
  if (fallback !== undefined) checkFunction(`${caller}: fallback`, fallback);
}

/** @throws TypeError that says what `name` is instead. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw new TypeError(`${name} must be a function, but is ${shown(value)}`);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
