// Ten steps in the life of a breaker. After each you say what state it is in: closed, open or
// half-open, or as much of the word as tells it from the others. The right answer is what the
// breaker itself says. Time is moved by hand.

import { createInterface } from 'node:readline';
import { CircuitBreaker, ManualClock, type CircuitBreakerState, type Permit } from '@recloser/core';

const clock = new ManualClock();
const breaker = new CircuitBreaker('inventory', {
  slidingWindowSize: 4, // calls
  failureRateThreshold: 50,
  waitDurationInOpenState: 30_000,
  permittedNumberOfCallsInHalfOpenState: 2,
  clock,
});

const early = breaker.acquire();
const trials: Permit[] = [];

const steps: readonly { tell: string; act: () => void; why: string }[] = [
  {
    tell: 'A call is sent and takes long. Meanwhile three others fail.',
    act: () => {
      for (let call = 1; call <= 3; call++) breaker.acquire().failure();
    },
    why: 'The window of four calls is not full yet, and on less the breaker does not judge.',
  },
  {
    tell: 'The next call succeeds.',
    act: () => breaker.acquire().success(),
    why: 'Now the window is full, and three failures of four are above 50 %. That a success filled it is no matter.',
  },
  {
    tell: 'Ten seconds later somebody calls. The dependency is well again.',
    act: () => {
      clock.advance(10_000);
      breaker.tryAcquire();
    },
    why: 'The call is refused, so nobody finds out: the wait is 30 s.',
  },
  {
    tell: 'Twenty seconds later, 30 s after it opened, somebody calls.',
    act: () => {
      clock.advance(20_000);
      breaker.tryAcquire();
    },
    why: 'The wait has to be over, and at 30 s exactly it is not.',
  },
  {
    tell: 'A minute passes, and nobody calls.',
    act: () => clock.advance(60_000),
    why: 'There is no timer (unless automaticTransitionFromOpenToHalfOpenEnabled is set): the next call makes the move.',
  },
  {
    tell: 'Somebody calls. The call is on its way.',
    act: () => trials.push(breaker.acquire()),
    why: 'The wait is over, so this is the first of two trial calls.',
  },
  {
    tell: 'The call from the very beginning, which took so long, succeeds.',
    act: () => early.success(),
    why: 'It was sent before the outage and says nothing of now: a call belongs to the period that admitted it.',
  },
  {
    tell: 'A second trial call is sent, a third call is refused, and the first one succeeds.',
    act: () => {
      trials.push(breaker.acquire());
      breaker.tryAcquire();
      trials[0]?.success();
    },
    why: 'The breaker judges by both trial calls, and one is still out.',
  },
  {
    tell: 'The second trial call fails.',
    act: () => trials[1]?.failure(),
    why: 'One of two is 50 %, and the threshold is reached at 50: at or above.',
  },
  {
    tell: 'A minute later two calls succeed.',
    act: () => {
      clock.advance(60_000);
      for (let call = 1; call <= 2; call++) breaker.acquire().success();
    },
    why: 'Both trial calls went well. It begins anew, with an empty window.',
  },
];

const states: readonly CircuitBreakerState[] = ['closed', 'open', 'half-open'];
const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();

/** The state that the reader says, or undefined where there is nothing more to read. */
async function answer(): Promise<CircuitBreakerState | undefined> {
  for (;;) {
    process.stdout.write('  closed, open or half-open? ');
    const { value: line, done } = await lines.next();
    // A terminal shows what is typed, a pipe does not.
    if (done || !process.stdin.isTTY) console.log(done ? '' : line);
    if (done) return undefined;
    const letters = lettersOf(line);
    const said = states.find((state) => letters !== '' && lettersOf(state).startsWith(letters));
    if (said !== undefined) return said;
    console.log('  That is none of the three.');
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '');
}

console.log(`A breaker is closed. It judges by the last 4 calls and opens where 50 % of them fail. It
stays open for 30 s, and is then tried with 2 calls. What is it after each step?`);

let right = 0;
let isOver = false;
for (const [index, { tell, act, why }] of steps.entries()) {
  console.log(`\n${index + 1}. ${tell}`);
  act();
  const said: CircuitBreakerState | undefined = isOver ? undefined : await answer();
  isOver ||= said === undefined;
  if (said === breaker.state) right++;
  const verdict = said === undefined ? 'Given up' : said === breaker.state ? 'Right' : 'No';
  console.log(`  ${verdict}: ${breaker.state}. ${why}`);
}
input.close();

console.log(`\nYou were right in ${right} of ${steps.length} steps.`);
