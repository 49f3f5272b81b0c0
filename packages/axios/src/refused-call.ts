import type { CallNotPermittedError } from '@recloser/core';
import { answerInstead } from '@recloser/core/adapter';
import type { AxiosError, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { AxiosCopy } from './axios-copy.ts';
import type { AttemptedRequest, WholeFallbackOptions } from './options.ts';
import { withoutRetries } from './without-retries.ts';

/** Rejects, or resolves with what the fallback answers. */
export async function refusedCall(
  options: WholeFallbackOptions,
  refusal: CallNotPermittedError,
  request: AttemptedRequest,
  axios: AxiosCopy,
): Promise<AxiosResponse> {
  const { config } = request;
  try {
    const answer = await answerInstead(options, 'refused', refusal, request);
    if (answer === undefined || (answer as unknown) === refusal) throw refusal;
    // It is as the caller is to get it, no text from a server.
    Reflect.set(config, 'transformResponse', []);
    return answer;
  } catch (error) {
    throw error === refusal ? refusalError(refusal, config, await axios.errorClass()) : error;
  }
}

/**
 * In the shape of axios, but without the `config` by which plugins retry. axios-cache-interceptor
 * alone needs that: without it, all calls for the same would wait for this one for ever.
 */
function refusalError(
  refusal: CallNotPermittedError,
  config: InternalAxiosRequestConfig,
  ErrorClass: typeof AxiosError,
): AxiosError {
  const error = new ErrorClass(refusal.message, refusal.code);
  Object.defineProperty(error, 'cause', { value: refusal, writable: true, configurable: true });
  if ('cache' in config && 'id' in config) error.config = withoutRetries(config);
  return error;
}
