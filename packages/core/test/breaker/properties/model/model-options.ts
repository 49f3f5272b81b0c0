import type { WindowShape } from './counts.ts';

export type ModelState =
  'closed' | 'open' | 'half-open' | 'metrics-only' | 'disabled' | 'forced-open';

/** What the model needs to know of a breaker's options, all of it given. */
export interface ModelOptions {
  window: WindowShape;
  failureRateThreshold: number;
  slowCallRateThreshold: number;
  slowCallDurationThreshold: number;
  failureCountThreshold: number;
  consecutiveFailureThreshold: number;
  wait: (openings: number) => number;
  automatic: boolean;
  permitted: number;
  maxConcurrentTrials: number;
  halfOpenLimit: number;
  afterLimit: 'open' | 'closed' | 'evaluate';
  maxConcurrentCalls: number;
  detectStalledCalls: boolean;
  permitLease: number;
  initialState: ModelState;
}

const legalTargets: Record<ModelState, ModelState[]> = {
  closed: ['closed', 'open', 'metrics-only', 'disabled', 'forced-open'],
  open: ['closed', 'open', 'half-open', 'metrics-only', 'disabled', 'forced-open'],
  'half-open': ['closed', 'open', 'half-open', 'metrics-only', 'disabled', 'forced-open'],
  'metrics-only': ['closed', 'metrics-only', 'disabled', 'forced-open'],
  disabled: ['closed', 'open', 'half-open', 'metrics-only', 'disabled', 'forced-open'],
  'forced-open': ['closed', 'open', 'half-open', 'metrics-only', 'disabled', 'forced-open'],
};

export function isLegal(from: ModelState, to: ModelState): boolean {
  return legalTargets[from].includes(to);
}
