// Sixteen calls, five seconds apart, to a dependency that is down from the 4th to the 12th. Time is
// moved by hand.

import { CircuitBreaker, isCallNotPermitted, ManualClock } from '@recloser/core';

const clock = new ManualClock();
const breaker = new CircuitBreaker('inventory', {
  slidingWindowSize: 5, // calls
  failureRateThreshold: 50,
  waitDurationInOpenState: 30_000,
  permittedNumberOfCallsInHalfOpenState: 1,
  clock,
});

let call = 0;
let reached = 0;
const moves: string[] = [];

breaker.on('stateTransition', ({ to }) => moves.push(`${to} on call ${call}`));

function inventory(): number {
  reached++;
  if (call >= 4 && call <= 12) throw new Error('no answer');
  return 42;
}

function row(number: string, time: string, before: string, ending: string, after: string): void {
  console.log(number.padEnd(6) + time.padEnd(8) + before.padEnd(8) + ending.padEnd(10) + after);
}

row('call', 'time', 'before', 'the call', 'after');
for (call = 1; call <= 16; call++) {
  const before = breaker.state;
  const ending = await breaker.execute(inventory).then(
    () => 'answered',
    (error: unknown) => (isCallNotPermitted(error) ? 'refused' : 'failed'),
  );
  row(String(call), `${clock.now() / 1000} s`, before, ending, breaker.state);
  clock.advance(5000);
}

// The first five calls fill the window: only with the 6th, three failures of five, is the rate at
// or above 50 %. The 12th comes as the wait of 30 s ends, and is refused: it has to be over.
console.log(`\n${moves.join(', ')}; ${reached} calls reached the server`);
