import type { SignalLike } from '@recloser/core';
import type { InternalAxiosRequestConfig } from 'axios';

/** The `signal`, or what stands for a `cancelToken` that was used. */
export function callersSignal(config: InternalAxiosRequestConfig): SignalLike | undefined {
  const { signal, cancelToken } = config;
  return signal?.aborted !== true && cancelToken?.reason !== undefined ? { aborted: true } : signal;
}

export function isCancelled(config: InternalAxiosRequestConfig): boolean {
  return callersSignal(config)?.aborted === true;
}
