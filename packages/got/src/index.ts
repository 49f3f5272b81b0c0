export * from '@recloser/core';
export { circuitBreaker } from './circuit-breaker.ts';
export type {
  FallbackResponse,
  GotBreakerOptions,
  GuardedRequest,
  KeyedRequest,
} from './options.ts';
