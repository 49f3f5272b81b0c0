export * from '@recloser/core';
export {
  circuitBreakerInterceptor,
  type CircuitBreakerInterceptor,
} from './circuit-breaker-interceptor.ts';
export { installDispatcher } from './install-dispatcher.ts';
export type { FallbackAnswer, GuardedRequest, KeyedRequest, UndiciOptions } from './options.ts';
