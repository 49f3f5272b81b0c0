export * from '@recloser/core';
export { addCircuitBreaker, removeCircuitBreaker } from './add-circuit-breaker.ts';
export type {
  AddCircuitBreakerOptions,
  AnyAxios,
  FallbackResponse,
  GuardedRequest,
  KeyedRequest,
} from './options.ts';
