import { type CircuitBreaker, ResultRecordedAsFailureError } from '@recloser/core';
import { states } from './configuration.ts';
import { kindOf } from './error-kinds.ts';
import type { RecordedEvent } from './records.ts';

const recordedNames = Object.fromEntries(
  Object.entries(states).map(([recorded, ours]) => [ours, recorded]),
);

export function recordedState(state: string): string {
  return recordedNames[state] ?? state;
}

/** Why a state refuses. The record has no holds and no bulkhead; and it does not tell reasons. */
const refusalReasons: Record<string, string> = {
  open: 'open',
  'half-open': 'half-open-full',
  'forced-open': 'forced-open',
};

/** Writes a breaker's events down as the record does. */
export class EventLog {
  events: RecordedEvent[] = [];
  lateOutcomes = 0;

  constructor(breaker: CircuitBreaker) {
    const add = (...event: RecordedEvent): void => void this.events.push(event);
    breaker.on('success', (event) => add('SUCCESS', event.elapsed));
    breaker.on('failure', (event) => add('ERROR', event.elapsed, errorName(event.error)));
    breaker.on('ignored', (event) => add('IGNORED_ERROR', event.elapsed, errorName(event.error)));
    breaker.on('notPermitted', ({ state, reason }) =>
      add('NOT_PERMITTED', ...(reason === refusalReasons[state] ? [] : [`${reason} in ${state}`])),
    );
    breaker.on('reset', () => add('RESET'));
    breaker.on('stateTransition', (event) =>
      add('STATE_TRANSITION', recordedState(event.from), recordedState(event.to)),
    );
    breaker.on('failureRateExceeded', (event) => add('FAILURE_RATE_EXCEEDED', event.rate));
    breaker.on('slowCallRateExceeded', (event) => add('SLOW_CALL_RATE_EXCEEDED', event.rate));
    breaker.on('error', (event) => add('an error in a listener or predicate', String(event.error)));
    breaker.on('lateOutcome', () => void this.lateOutcomes++);
  }

  clear(): void {
    this.events = [];
    this.lateOutcomes = 0;
  }
}

function errorName(error: unknown): string {
  if (error instanceof ResultRecordedAsFailureError) return 'ResultRecordedAsFailureException';
  return kindOf(error) ?? String(error);
}
