import type { NotPermittedEvent, StateTransitionEvent } from '@recloser/core';
import type { BreakerSeries, CallCount } from './breaker-series.ts';

/**
 * Hears of each call and event once it is counted, for what can't be read later. One that throws
 * harms no call and no count; an `error` event of the breaker tells.
 */
export interface StatisticsObserver {
  /**
   * In the middle of the step that ends the call: it must not ask or move a breaker.
   * @param ms  from admission to the end
   */
  ended?(series: BreakerSeries, call: CallCount, ms: number): void;
  refused?(series: BreakerSeries, event: NotPermittedEvent): void;
  moved?(series: BreakerSeries, event: StateTransitionEvent): void;
  /** @param ms  from open to closed */
  recovered?(series: BreakerSeries, ms: number): void;
}
