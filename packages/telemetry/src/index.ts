// What packages that tell metrics share. Users need none of it.
export {
  BreakerSeries,
  type CallCount,
  type CallOutcome,
  type TransitionCount,
} from './breaker-series.ts';
export { CallStatistics } from './call-statistics.ts';
export { DURATION_BOUNDS, RECOVERY_BOUNDS } from './default-bounds.ts';
export { checkBounds } from './check-bounds.ts';
export { Histogram } from './histogram.ts';
export type { StatisticsObserver } from './statistics-observer.ts';
export type { CallStatisticsOptions } from './statistics-options.ts';
