import {
  lintConfiguration,
  type ConfigurationWarningKind,
  type HttpCircuitBreakerOptions,
  type LintContext,
} from '@recloser/core';

/** A configuration that is legal and does not do what it seems to. */
interface Questionable {
  readonly options: HttpCircuitBreakerOptions;
  readonly context?: LintContext;
}

const questionable: Readonly<Record<ConfigurationWarningKind, Questionable>> = {
  'slow-threshold-above-timeout': { options: {}, context: { timeout: 2000 } },
  'minimum-never-reached': { options: {}, context: { callsPerSecond: 0.5 } },
  'window-shorter-than-timeout': {
    options: { breaker: { slidingWindowSize: 5, slowCallDurationThreshold: 1000 } },
    context: { timeout: 10_000 },
  },
  'many-trial-calls': { options: {}, context: { instances: 40 } },
  'limit-below-slow-threshold': {
    options: { breaker: { maxWaitDurationInHalfOpenState: 1000 } },
  },
  'lease-below-slow-threshold': { options: { breaker: { permitLease: 10_000 } } },
  'host-default-in-force': { options: { breaker: { consecutiveFailureThreshold: 3 } } },
  'override-hidden': {
    options: {
      overrides: [
        { path: '/reports/*', breaker: { minimumNumberOfCalls: 5 } },
        { path: '/reports/daily', breaker: { minimumNumberOfCalls: 2 } },
      ],
    },
  },
  unit: { options: { breaker: { failureRateThreshold: 0.5, waitDurationInOpenState: 5 } } },
  rule: {
    options: {
      rules: [
        { status: '4xx', outcome: 'ignore' },
        { status: 404, outcome: 'failure' },
      ],
    },
  },
};

/** A kind of warning, a configuration that it is about, and what the lint says of that. */
export interface ShownWarning extends Questionable {
  readonly kind: ConfigurationWarningKind;
  readonly messages: readonly { readonly where: string; readonly message: string }[];
}

export function showWarnings(): ShownWarning[] {
  return (Object.keys(questionable) as ConfigurationWarningKind[]).map((kind) => {
    const { options, context } = questionable[kind];
    const messages = lintConfiguration(options, context).filter((found) => found.kind === kind);
    return { ...questionable[kind], kind, messages };
  });
}
