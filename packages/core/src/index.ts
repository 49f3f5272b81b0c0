export { CircuitBreaker, type Fallback } from './breaker/circuit-breaker.ts';
export type { CancelTimer, Clock } from './breaker/clock.ts';
export { causedBy, type ErrorMatcher } from './breaker/error-list.ts';
export {
  CallNotPermittedError,
  getCallNotPermitted,
  IllegalStateTransitionError,
  isCallNotPermitted,
  ResultRecordedAsFailureError,
  type LastFailure,
  type NotPermittedReason,
  type Refusal,
} from './breaker/errors.ts';
export type {
  AmendedEvent,
  CircuitBreakerEvent,
  CircuitBreakerEvents,
  CircuitBreakerEventType,
  ErrorEvent,
  FailureEvent,
  FailureRateExceededEvent,
  HeldEvent,
  IgnoredEvent,
  LateOutcomeEvent,
  NotPermittedEvent,
  OutcomeDetails,
  ResetEvent,
  SlowCallRateExceededEvent,
  StalledCallEvent,
  StateTransitionEvent,
  SuccessEvent,
  TransitionReason,
} from './breaker/events.ts';
export { ManualClock } from './breaker/manual-clock.ts';
export type { CircuitBreakerMetrics } from './breaker/metrics.ts';
export type { CircuitBreakerOptions, CountedResult, OpenDecision } from './breaker/options.ts';
export type { FailureDetails, Permit } from './breaker/permit.ts';
export type { CircuitBreakerState } from './breaker/state.ts';
export type { GrowingWait, WaitDuration } from './breaker/wait-duration.ts';
export type { Admission } from './http/admission.ts';
export type { BreakerControl } from './http/breaker-control.ts';
export type {
  ControlAction,
  ControlDate,
  ControlEvent,
  ControlOptions,
  ControlReason,
  ControlResult,
  ControlSpan,
  StandingOrder,
} from './http/control-types.ts';
export { getDegradation, isDegraded, markDegraded, type Degradation } from './http/degradation.ts';
export {
  errorKind,
  errorKinds,
  type ErrorKind,
  type KindOfError,
  type SignalLike,
} from './http/error-kind.ts';
export {
  lintConfiguration,
  type ConfigurationWarning,
  type ConfigurationWarningKind,
  type LintContext,
} from './http/lint-configuration.ts';
export type { FallbackOn, FallbackOptions } from './http/fallback-options.ts';
export type { HeadersLike } from './http/header-value.ts';
export type { BreakerHealth, Health } from './http/health.ts';
export { HttpCircuitBreaker } from './http/http-circuit-breaker.ts';
export { hostDefaults, httpDefaults } from './http/http-defaults.ts';
export type {
  EndpointLimitReachedEvent,
  HttpCircuitBreakerEvents,
  PartitionLimitReachedEvent,
} from './http/http-events.ts';
export type { HttpBreakerOptions } from './http/http-breaker-options.ts';
export type { HttpCircuitBreakerOptions, Level, Override, OwnKey } from './http/http-options.ts';
export type { BreakerSnapshot, HttpCircuitBreakerSnapshot } from './http/http-snapshot.ts';
export type {
  Domain,
  Outcome,
  OutcomeRow,
  PredicateInput,
  StatusCondition,
} from './http/outcome-row.ts';
export { defineRules, type DefineRulesOptions, type OutcomeRules } from './http/outcome-rules.ts';
export { reportFailure } from './http/report-failure.ts';
export type { RequestKey, RequestLike } from './http/request-key.ts';
export type { RequestStorage, SentRequest } from './http/request-storage.ts';
export {
  abandonedAfter,
  clientErrorsIgnored,
  honestRetryAfter,
  sharedCredentials,
  standardRules,
} from './http/standard-rules.ts';
export {
  BreakerRegistry,
  type BreakerRegistryEvents,
  type BreakerRegistryOptions,
  type BreakerRegistrySnapshot,
} from './registry/breaker-registry.ts';
export type { NamedConfiguration } from './registry/configurations.ts';
export type {
  BreakerAddedEvent,
  BreakerEvictedEvent,
  RegistryEvents,
  RegistryFullEvent,
} from './registry/registry-events.ts';
export {
  explainOutcome,
  type ExplainedRow,
  type OutcomeExplanation,
  type PassedOverRow,
} from './http/explain-outcome.ts';
export { lintRules, type RuleFinding, type RuleFindingKind } from './http/lint-rules.ts';
export type { OutcomeExample } from './http/outcome-example.ts';
export type { ErrorCode } from './http/outcome-row.ts';
