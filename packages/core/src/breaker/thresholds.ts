import type { TransitionReason } from './events.ts';
import type { Period } from './period.ts';
import type { ResolvedOptions } from './resolve-options.ts';

export function isFailing(period: Period, options: ResolvedOptions): boolean {
  return period.isEvaluated && period.failedShare >= options.failureRateThreshold;
}

export function isSlow(period: Period, options: ResolvedOptions): boolean {
  return period.isEvaluated && period.slowShare >= options.slowCallRateThreshold;
}

function hasTooManyInARow(period: Period, options: ResolvedOptions): boolean {
  return period.consecutiveFailures >= options.consecutiveFailureThreshold;
}

/** Which threshold opens a closed breaker now, if any. */
export function reasonToOpen(
  period: Period,
  options: ResolvedOptions,
): TransitionReason | undefined {
  if (period.isEvaluated) {
    if (period.failedShare >= options.failureRateThreshold) return 'failure-rate';
    if (period.slowShare >= options.slowCallRateThreshold) return 'slow-call-rate';
  } else if (period.window.failed >= options.failureCountThreshold) return 'failure-count';
  return hasTooManyInARow(period, options) ? 'consecutive-failures' : undefined;
}

/**
 * Which threshold opens a half-open breaker again: there the run of failures wins over the rates.
 */
export function reasonToReopen(
  period: Period,
  options: ResolvedOptions,
): TransitionReason | undefined {
  return hasTooManyInARow(period, options) ? 'consecutive-failures' : reasonToOpen(period, options);
}

/** The judgement at half-open's limit: what was counted by then decides, without the minimum. */
export function isHealthySoFar(period: Period, options: ResolvedOptions): boolean {
  return (
    period.window.calls > 0 &&
    !hasTooManyInARow(period, options) &&
    period.failedShare < options.failureRateThreshold &&
    period.slowShare < options.slowCallRateThreshold
  );
}
