// The breaker of the textbooks: three failures in a row open it, ten seconds later one call is let
// through, and that call decides. Time is moved by hand, so that it takes none.

import { CircuitBreaker, isCallNotPermitted, ManualClock } from '@recloser/core';

const clock = new ManualClock();
const breaker = new CircuitBreaker('inventory', {
  consecutiveFailureThreshold: 3,
  waitDurationInOpenState: 10_000,
  permittedNumberOfCallsInHalfOpenState: 1,
  clock,
});

let isDown = false;

async function inventory(): Promise<number> {
  if (isDown) throw new Error('no answer');
  return 42;
}

async function call(): Promise<void> {
  const before = breaker.state;
  const ending = await breaker.execute(inventory).then(
    () => 'answered',
    (error: unknown) => (isCallNotPermitted(error) ? 'refused' : 'failed'),
  );
  row(`${clock.now() / 1000} s`, before, ending, breaker.state);
}

function row(time: string, before: string, ending: string, after: string): void {
  console.log(time.padEnd(10) + before.padEnd(8) + ending.padEnd(10) + after);
}

row('time', 'before', 'the call', 'after');
await call();

isDown = true;
await call();
await call();
await call(); // the third failure in a row
await call();

clock.advance(10_000);
await call(); // the wait has to be over: at 10 s exactly it is not

clock.advance(1);
await call(); // the trial call fails, and the wait begins anew

isDown = false;
clock.advance(10_001);
await call(); // the trial call succeeds
await call();
