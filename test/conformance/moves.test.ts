import { CircuitBreaker, IllegalStateTransitionError, ManualClock } from '@recloser/core';
import { describe, expect, it } from 'vitest';
import { states } from './configuration.ts';
import { EventLog, recordedState } from './event-log.ts';
import { type RecordedEvent, type RecordedState, readRecord } from './records.ts';
import { nineNumbers } from './replay.ts';

interface Move {
  from: RecordedState;
  op: keyof typeof operations;
  legal: boolean;
  after: RecordedState;
  metricsBefore: number[];
  metricsAfter: number[];
  events: RecordedEvent[];
}

const { legal, moves } = readRecord<{ legal: string[]; moves: Move[] }>('transitions.json');

const transitions: Record<RecordedState, (breaker: CircuitBreaker) => void> = {
  CLOSED: (breaker) => breaker.transitionToClosedState(),
  OPEN: (breaker) => breaker.transitionToOpenState(),
  HALF_OPEN: (breaker) => breaker.transitionToHalfOpenState(),
  METRICS_ONLY: (breaker) => breaker.transitionToMetricsOnlyState(),
  DISABLED: (breaker) => breaker.transitionToDisabledState(),
  FORCED_OPEN: (breaker) => breaker.transitionToForcedOpenState(),
};

const operations = {
  toClosed: transitions.CLOSED,
  toOpen: transitions.OPEN,
  toHalfOpen: transitions.HALF_OPEN,
  toMetricsOnly: transitions.METRICS_ONLY,
  toDisabled: transitions.DISABLED,
  toForcedOpen: transitions.FORCED_OPEN,
  openFor: (breaker: CircuitBreaker) => breaker.transitionToOpenStateFor(50),
  openUntil: (breaker: CircuitBreaker) => breaker.transitionToOpenStateUntil(new Date(1000)),
  reset: (breaker: CircuitBreaker) => breaker.reset(),
};

const everyState = Object.keys(states) as RecordedState[];
const pairs = everyState.flatMap((from) => everyState.map((to) => [from, to] as const));

describe('the table of legal moves', () => {
  it.each(pairs)('%s to %s', (from, to) => {
    const breaker = new CircuitBreaker('moves', { initialState: states[from] });
    const move = (): void => transitions[to](breaker);
    if (legal.includes(`${from}>${to}`)) {
      move();
      expect(breaker.state).toBe(states[to]);
    } else {
      expect(move).toThrow(IllegalStateTransitionError);
      expect(breaker.state).toBe(states[from]);
    }
  });

  it('has 33 legal moves of 36', () => {
    expect(pairs).toHaveLength(36);
    expect(legal).toHaveLength(33);
  });
});

describe('the table of moves', () => {
  it.each(moves.map((move) => [`${move.op} in ${move.from}`, move] as const))(
    '%s',
    (_name, move) => {
      const breaker = breakerWithCounts(move.from);
      expect(nineNumbers(breaker)).toEqual(move.metricsBefore);

      const log = new EventLog(breaker);
      const operate = (): void => operations[move.op](breaker);
      if (move.legal) operate();
      else expect(operate).toThrow(IllegalStateTransitionError);

      expect(recordedState(breaker.state)).toBe(move.after);
      expect(nineNumbers(breaker)).toEqual(move.metricsAfter);
      expect(log.events).toEqual(move.events);
    },
  );

  it('has every operation in every state', () => {
    expect(moves).toHaveLength(everyState.length * Object.keys(operations).length);
  });
});

/** In the state, with the counts that the record has there: a slow success and a failure, and what was refused since. */
function breakerWithCounts(state: RecordedState): CircuitBreaker {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker('moves', { slowCallDurationThreshold: 50, clock });
  if (state === 'HALF_OPEN') breaker.transitionToOpenState();
  if (state !== 'OPEN') transitions[state](breaker);
  if (state !== 'FORCED_OPEN') {
    const success = breaker.acquire();
    const failure = state === 'HALF_OPEN' ? breaker.acquire() : undefined;
    clock.advance(60);
    success.success();
    (failure ?? breaker.acquire()).failure();
  }
  if (state === 'OPEN') breaker.transitionToOpenState();
  const refusals = { FORCED_OPEN: 2, OPEN: 1 }[state as string] ?? 0;
  for (let refusal = 0; refusal < refusals; refusal++) breaker.tryAcquire();
  return breaker;
}
