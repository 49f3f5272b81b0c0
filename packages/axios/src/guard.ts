import type { HttpCircuitBreaker } from '@recloser/core';
import type { FailureFallback } from './failure-fallback.ts';
import type { AnyAxios, WholeFallbackOptions } from './options.ts';

/** One breaker on one instance. */
export interface Guard {
  readonly breaker: HttpCircuitBreaker;
  readonly instance: AnyAxios;
  readonly failures: FailureFallback;
  options: WholeFallbackOptions;
  /** From then on all passes. */
  isRemoved: boolean;
}
