import { Histogram, type CallOutcome } from '@recloser/telemetry';
import { RecentMaximum } from './recent-maximum.ts';

/** How Resilience4j tells calls apart. */
export type CallKind = 'successful' | 'failed' | 'ignored';

/** What its timers keep of the calls of one breaker, by kind. */
export type CallTimers = Readonly<Record<CallKind, CallTimer>>;

export class CallTimer {
  readonly histogram: Histogram;
  /** In ms. */
  readonly maximum: RecentMaximum = new RecentMaximum();

  constructor(bounds: readonly number[]) {
    this.histogram = new Histogram(bounds);
  }

  observe(ms: number): void {
    this.histogram.observe(ms);
    this.maximum.observe(ms);
  }
}

export function callTimers(bounds: readonly number[]): CallTimers {
  return {
    successful: new CallTimer(bounds),
    failed: new CallTimer(bounds),
    ignored: new CallTimer(bounds),
  };
}

/** It knows no holds and no amendments: the one counts nowhere, the other is a failure. */
export const kindOf: Readonly<Record<CallOutcome, CallKind>> = {
  success: 'successful',
  failure: 'failed',
  amended: 'failed',
  ignored: 'ignored',
  held: 'ignored',
};
