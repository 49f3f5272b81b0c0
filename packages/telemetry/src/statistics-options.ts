import { checkFunction, checkNames, checkObject } from '@recloser/core/adapter';
import { checkBounds } from './check-bounds.ts';
import { DURATION_BOUNDS, RECOVERY_BOUNDS } from './default-bounds.ts';
import type { StatisticsObserver } from './statistics-observer.ts';

export interface CallStatisticsOptions {
  /**
   * Upper bounds of the durations of calls, in ms, ascending.
   * @default those of OpenTelemetry's HTTP client durations: 5 ms to 10 s
   */
  readonly durationBounds?: readonly number[] | undefined;
  /**
   * Upper bounds of the times from open to closed, in ms, ascending.
   * @default 1 s to 1 h
   */
  readonly recoveryBounds?: readonly number[] | undefined;
  readonly observer?: StatisticsObserver | undefined;
}

export interface ResolvedStatisticsOptions {
  readonly durationBounds: readonly number[];
  readonly recoveryBounds: readonly number[];
  readonly observer: StatisticsObserver;
}

const known = ['durationBounds', 'recoveryBounds', 'observer'] as const;
const hearing = ['ended', 'refused', 'moved', 'recovered'] as const;

/** @throws TypeError or RangeError that names the option and its value */
export function resolveStatisticsOptions(
  options: CallStatisticsOptions,
): ResolvedStatisticsOptions {
  checkNames('CallStatistics', checkObject('CallStatistics: options', options), known);
  const {
    durationBounds = DURATION_BOUNDS,
    recoveryBounds = RECOVERY_BOUNDS,
    observer = {},
  } = options;
  return {
    durationBounds: [...checkBounds('CallStatistics: durationBounds', durationBounds)],
    recoveryBounds: [...checkBounds('CallStatistics: recoveryBounds', recoveryBounds)],
    observer: checkedObserver(observer),
  };
}

function checkedObserver(observer: StatisticsObserver): StatisticsObserver {
  checkObject('CallStatistics: observer', observer);
  for (const name of hearing) {
    if (observer[name] !== undefined) {
      checkFunction(`CallStatistics: observer.${name}`, observer[name]);
    }
  }
  return observer;
}
