import type { CallNotPermittedError } from '../breaker/errors.ts';

/** Which calls a fallback answers. */
export type FallbackOn = 'refusal' | 'failure';

/**
 * The options of an adapter that answer calls in the dependency's place. `Request` is what the
 * adapter tells of a request, `Response` the client's own response; `On` is the type of
 * `fallbackOn`, and decides what is known of a cause.
 */
export interface FallbackOptions<Request, Response, On extends FallbackOn = 'refusal'> {
  /**
   * Answers calls in the dependency's place, after the outcome was recorded. Its response is
   * marked, so that `isDegraded(response)` tells it from a real one. An error thrown here is what
   * the caller gets. `cause` is the refusal; with `fallbackOn: 'failure'` it may also be the error,
   * or the response whose status is a failure: throw or return it to leave a call as it is.
   * @default none: a refused call ends with the `CallNotPermittedError`
   */
  readonly fallback?:
    | ((
        cause: 'failure' extends On ? unknown : CallNotPermittedError,
        request: Request,
      ) => Response | PromiseLike<Response>)
    | undefined;
  /**
   * Which calls `fallback` answers: those that a breaker refused (`'refusal'`), or also those that
   * the rules counted as a failure (`'failure'`), whether by an error or by a status. Calls that
   * the caller left are never its business.
   * @default 'refusal'
   */
  readonly fallbackOn?: On | undefined;
}
