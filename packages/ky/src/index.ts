export * from '@recloser/core';
export { circuitBreaker } from './circuit-breaker.ts';
export type { GuardedRequest, KeyedRequest, KyBreakerOptions, KyOriginal } from './options.ts';
