import type { CallNotPermittedError } from '@recloser/core';
import { answerInstead } from '@recloser/core/adapter';
import { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { GuardedRequest, WholeFallbackOptions } from './options.ts';

/** Rejects, or resolves with what the fallback answers. */
export async function refusedCall(
  options: WholeFallbackOptions,
  refusal: CallNotPermittedError,
  request: GuardedRequest,
): Promise<AxiosResponse> {
  try {
    const answer = await answerInstead(options, 'refused', refusal, request);
    if (answer === undefined) throw refusal;
    // It is as the caller is to get it, no text from a server.
    request.config.transformResponse = [];
    return answer;
  } catch (error) {
    throw error === refusal ? refusalError(refusal, request.config) : error;
  }
}

/**
 * In the shape of axios, but without the `config` by which plugins retry. axios-cache-interceptor
 * alone needs that: without it, all calls for the same would wait for this one for ever.
 */
function refusalError(
  refusal: CallNotPermittedError,
  config: InternalAxiosRequestConfig,
): AxiosError {
  const error = new AxiosError(refusal.message, refusal.code);
  Object.defineProperty(error, 'cause', { value: refusal, writable: true, configurable: true });
  if ('cache' in config && 'id' in config) {
    const retry = { ...(config as { 'axios-retry'?: object })['axios-retry'] };
    error.config = {
      ...config,
      'axios-retry': { ...retry, retryCondition: () => false },
    } as InternalAxiosRequestConfig;
  }
  return error;
}
