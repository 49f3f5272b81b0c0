import type { Admission, CallNotPermittedError } from '@recloser/core';
import type { AxiosAdapter, AxiosResponse } from 'axios';
import { Attempt } from './attempt.ts';
import type { AxiosCopy } from './axios-copy.ts';
import { withCaughtStatus } from './caught-status.ts';
import type { Guard } from './guard.ts';
import type { AttemptedRequest } from './options.ts';
import { refusedCall } from './refused-call.ts';

/** Sends a request where the breaker admits it, and records how that ended. */
export async function guardedCall(
  { breaker, options, failures }: Guard,
  request: AttemptedRequest,
  send: AxiosAdapter,
  axios: AxiosCopy,
): Promise<AxiosResponse> {
  const { method, url, config, isAnswered } = request;
  let admission: Admission;
  try {
    admission = breaker.admit({ method, url, original: config });
  } catch (refusal) {
    const fallback = isAnswered ? options : {};
    return refusedCall(fallback, refusal as CallNotPermittedError, request, axios);
  }
  const attempt = new Attempt(admission, config);
  return withCaughtStatus(config, async () => {
    try {
      const response = await admission.send(() => send(config));
      failures.remember(response, attempt.responded(response), request);
      return response;
    } catch (error) {
      failures.remember(error, attempt.failed(error), request);
      throw error;
    } finally {
      // For what a stand-in gave, that is no response or can not be read: all else has ended it.
      admission.released();
    }
  });
}
