import type { CircuitBreaker } from '@recloser/core';
import { Driver } from './driver.ts';
import { recordedState } from './event-log.ts';
import type { Step, Trace } from './records.ts';

const rateTolerance = 1e-4;

/** Replays a trace, and throws at the first step that differs from the record. Gives the number of steps. */
export async function replay(trace: Trace): Promise<number> {
  const driver = new Driver(trace);
  for (const [index, step] of trace.steps.entries()) {
    driver.log.clear();
    const answer = await driver.perform(step.do);
    const actual = {
      answer,
      state: recordedState(driver.breaker.state),
      metrics: nineNumbers(driver.breaker),
      events: driver.log.events,
      lateOutcomes: driver.log.lateOutcomes,
    };
    const expected = expectation(step, driver.endsSilently(step.do));
    for (const part of ['answer', 'state', 'metrics', 'events', 'lateOutcomes'] as const) {
      if (!alike(expected[part], actual[part])) {
        throw new Error(
          `${trace.id}, step ${index}, ${JSON.stringify(step.do)}: ${part} ` +
            `expected ${JSON.stringify(expected[part])}, actual ${JSON.stringify(actual[part])}` +
            `\nthe record: ${JSON.stringify(step)}\nthe breaker: ${JSON.stringify(actual)}` +
            (trace.about ? `\nabout: ${trace.about}` : ''),
        );
      }
    }
  }
  return trace.steps.length;
}

function expectation(step: Step, endsSilently: boolean) {
  const late = step.r === 'late' || step.late === true;
  return {
    // The ending of a call has no answer; that it was late is told by an event, that it was the second by silence.
    answer: step.r === 'late' || step.r === 'again' ? 'ok' : step.r,
    state: step.s,
    metrics: step.m,
    events: step.e ?? [],
    // A release is not an outcome, late or not.
    lateOutcomes: late && !endsSilently && step.do[0] !== 'release' ? 1 : 0,
  };
}

export function nineNumbers(breaker: CircuitBreaker): number[] {
  const metrics = breaker.metrics();
  return [
    metrics.failureRate,
    metrics.slowCallRate,
    metrics.numberOfBufferedCalls,
    metrics.numberOfFailedCalls,
    metrics.numberOfSlowCalls,
    metrics.numberOfSlowFailedCalls,
    metrics.numberOfSlowSuccessfulCalls,
    metrics.numberOfSuccessfulCalls,
    metrics.numberOfNotPermittedCalls,
  ];
}

/** Equal in all but the last digits of a rate, which the record holds as a 32-bit float. */
function alike(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'number' && typeof actual === 'number') {
    return Number.isInteger(expected) && Number.isInteger(actual)
      ? expected === actual
      : Math.abs(expected - actual) <= rateTolerance;
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return (
      expected.length === actual.length &&
      expected.every((item, index) => alike(item, actual[index]))
    );
  }
  return expected === actual;
}
