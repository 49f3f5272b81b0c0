import type { FallbackOn } from '@recloser/core';
import { shown } from '@recloser/core/adapter';
import { AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type {
  AddCircuitBreakerOptions,
  FallbackResponse,
  GuardedRequest,
  WholeFallbackOptions,
} from './options.ts';
import { withoutRetries } from './without-retries.ts';

/** A fallback that answers whole responses, and that can not set off what would ask it again. */
export function wholeFallback(options: AddCircuitBreakerOptions<FallbackOn>): WholeFallbackOptions {
  const { fallback, fallbackOn } = options;
  if (fallback === undefined) return {};
  return {
    fallbackOn,
    async fallback(cause, { method, url, config, unanswered }) {
      const request: GuardedRequest = {
        method,
        url,
        config: { ...config, adapter: unanswered() },
      };
      const answer = await answerOf(fallback, cause, request);
      // Given back as it is, the call is to be left as it is.
      return answer === cause ? (answer as AxiosResponse) : whole(answer, config);
    },
  };
}

async function answerOf(
  fallback: NonNullable<AddCircuitBreakerOptions<FallbackOn>['fallback']>,
  cause: unknown,
  request: GuardedRequest,
): Promise<FallbackResponse> {
  try {
    return await fallback(cause, request);
  } catch (error) {
    const { config } = (error ?? {}) as { config?: InternalAxiosRequestConfig };
    // With the error of another client, plugins that retry would repeat that client's request here.
    if (error !== cause && config) Reflect.set(error as object, 'config', withoutRetries(config));
    throw error;
  }
}

function whole(answer: FallbackResponse, config: InternalAxiosRequestConfig): AxiosResponse {
  const isObject = typeof answer === 'object' && answer !== null && !(answer instanceof Error);
  if (!isObject || !('data' in answer)) {
    const gave = `${shown(answer)}${isObject ? ' without it' : ''}`;
    throw new TypeError(
      `addCircuitBreaker: fallback must give a response, as { data } is one, but gave ${gave}`,
    );
  }
  return {
    ...answer,
    data: answer.data,
    status: answer.status ?? 200,
    statusText: answer.statusText ?? '',
    headers: AxiosHeaders.from(answer.headers as AxiosHeaders | undefined),
    config: answer.config ?? { ...config },
  };
}
