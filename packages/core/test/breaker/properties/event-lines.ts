import type { CircuitBreaker } from '../../../src/index.ts';

/** Listens to everything, and writes each event down as a line in the model's words. */
export function eventLines(breaker: CircuitBreaker): string[] {
  const lines: string[] = [];
  const add = (...words: (string | number | false | undefined)[]): void => {
    lines.push(words.filter((word) => word !== false && word !== undefined).join(' '));
  };
  breaker.on('success', (event) => add('success', event.elapsed, event.stalled && 'stalled'));
  breaker.on('failure', (event) =>
    add(
      'failure',
      event.elapsed,
      event.trip && 'trip',
      event.writtenOff && 'writtenOff',
      event.stalled && 'stalled',
    ),
  );
  breaker.on('ignored', (event) => add('ignored', event.elapsed, event.stalled && 'stalled'));
  breaker.on('held', (event) => add('held', event.stalled && 'stalled'));
  breaker.on('amended', () => add('amended'));
  breaker.on('notPermitted', (event) => add('notPermitted', event.reason));
  breaker.on('stateTransition', ({ from, to, reason, wait }) =>
    add('stateTransition', from, to, reason, wait !== undefined && waitWord(wait)),
  );
  breaker.on('failureRateExceeded', (event) => add('failureRateExceeded', rateWord(event.rate)));
  breaker.on('slowCallRateExceeded', (event) => add('slowCallRateExceeded', rateWord(event.rate)));
  breaker.on('reset', () => add('reset'));
  breaker.on('lateOutcome', () => add('lateOutcome'));
  breaker.on('stalledCall', () => add('stalledCall'));
  breaker.on('error', (event) => add('error', String(event.error)));
  return lines;
}

function rateWord(rate: number): string {
  return rate.toFixed(6);
}

/** A wait until an instant that is past is none. */
function waitWord(wait: number): string {
  return String(Math.max(0, wait));
}
