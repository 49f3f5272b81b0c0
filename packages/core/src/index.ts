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
