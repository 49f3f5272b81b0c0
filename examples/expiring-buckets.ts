// A time window counts in whole seconds: what ended in one second is forgotten together. This one
// holds the last five, the running one included. The clock is moved by hand, a second at a time.

import { CircuitBreaker, ManualClock } from '@recloser/core';

const clock = new ManualClock();
const breaker = new CircuitBreaker('inventory', {
  slidingWindowType: 'time-based',
  slidingWindowSize: 5,
  minimumNumberOfCalls: 4,
  initialState: 'metrics-only', // counts as ever and never moves: here only the window matters
  clock,
});

// What ends in each second: + is a success, - a failure.
const traffic = ['++', '--', '+-', '', '-', '', '', '+', '', '', '', '', ''];

function row(second: string, ended: string, calls: string, failed: string, rate: string): void {
  console.log(second.padEnd(8) + ended.padEnd(7) + calls.padEnd(15) + failed.padEnd(8) + rate);
}

row('second', 'ended', 'in the window', 'failed', 'failure rate');
for (const [second, endings] of traffic.entries()) {
  for (const ending of endings) {
    const permit = breaker.acquire();
    if (ending === '+') permit.success();
    else permit.failure();
  }
  const { numberOfBufferedCalls, numberOfFailedCalls, failureRate } = breaker.metrics();
  row(
    String(second),
    endings,
    String(numberOfBufferedCalls),
    String(numberOfFailedCalls),
    // -1 says that there are too few calls to speak of a rate.
    failureRate < 0 ? 'too few calls' : `${failureRate.toFixed(0)} %`,
  );
  clock.advance(1000);
}

// The second counts, not the millisecond: a call at 13.999 s leaves with those of 13.000 s.
clock.advance(999);
breaker.acquire().failure();
clock.advance(4000);
console.log(`${clock.now()} ms: ${breaker.metrics().numberOfBufferedCalls} call in the window`);
clock.advance(1);
console.log(`${clock.now()} ms: ${breaker.metrics().numberOfBufferedCalls} calls in the window`);
