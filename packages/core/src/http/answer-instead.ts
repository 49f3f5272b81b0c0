import { markDegraded } from './degradation.ts';
import type { FallbackOn, FallbackOptions } from './fallback-options.ts';
import type { Outcome } from './outcome-row.ts';

/**
 * For adapters: lets the user's fallback answer a call, where it is asked for.
 * @param ending  what `admission.responded` or `failed` returned, or `refused`
 * @param cause  the refusal, the error or the failing response
 * @returns undefined where the call stays as it is; else a promise of the fallback's response, marked
 *   as degraded; of the failing response where the fallback gives back or throws that, and rejected with
 *   the refusal or the error where it gives back or throws those
 */
export function answerInstead<Request, Response>(
  { fallback, fallbackOn }: FallbackOptions<Request, Response, FallbackOn>,
  ending: 'refused' | Outcome | undefined,
  cause: unknown,
  request: Request,
): Promise<Response> | undefined {
  if (fallback === undefined) return undefined;
  const isFailure = ending === 'failure' || ending === 'trip' || ending === 'hold';
  if (ending !== 'refused' && !(isFailure && fallbackOn === 'failure')) return undefined;
  return answered(fallback, cause, request, ending === 'refused' || cause instanceof Error);
}

async function answered<Request, Response>(
  fallback: (cause: unknown, request: Request) => Response | PromiseLike<Response>,
  cause: unknown,
  request: Request,
  isError: boolean,
): Promise<Response> {
  let response: unknown;
  try {
    response = await fallback(cause, request);
  } catch (error) {
    // Thrown, it is as if it was given back.
    if (error !== cause) throw error;
    response = cause;
  }
  if (response !== cause) return markDegraded(response as Response, cause);
  // Given back, it leaves the call as it is.
  if (isError) throw cause;
  return response as Response;
}
