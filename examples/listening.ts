// What a breaker tells, a line per event: through a trip, a hold, a call that stalls,
// one that ends too late, and the recovery. Time is moved by hand.

import { CircuitBreaker, ManualClock } from '@recloser/core';

const clock = new ManualClock();
const breaker = new CircuitBreaker('payments', {
  slidingWindowSize: 4,
  slowCallDurationThreshold: 2000,
  slowCallRateThreshold: 75,
  detectStalledCalls: true,
  waitDurationInOpenState: 10_000,
  permittedNumberOfCallsInHalfOpenState: 2,
  clock,
});

function tell(at: number, ...words: readonly string[]): void {
  console.log(`${(at / 1000).toFixed(1).padStart(5)} s  ${words.join(', ')}`);
}

breaker.on('success', ({ at, elapsed }) => tell(at, 'success', `${elapsed} ms`));
breaker.on('failure', ({ at, kind = 'no kind', trip, stalled }) =>
  tell(at, 'failure', kind, ...(trip ? ['trips'] : []), ...(stalled ? ['stalled before'] : [])),
);
breaker.on('ignored', ({ at, kind = 'ignored' }) => tell(at, 'counts nowhere', kind));
breaker.on('held', ({ at, holdFor }) => tell(at, 'asked to be left alone', `${holdFor} ms`));
breaker.on('amended', ({ at }) => tell(at, 'the last success was a failure after all'));
breaker.on('stalledCall', ({ at, elapsed }) => tell(at, 'a call is out', `${elapsed} ms so far`));
breaker.on('lateOutcome', ({ at }) => tell(at, 'a call of an earlier period ended'));
breaker.on('notPermitted', ({ at, reason }) => tell(at, 'refused', reason));
breaker.on('slowCallRateExceeded', ({ at, rate }) => tell(at, `${rate} % are slow`));
breaker.on('failureRateExceeded', ({ at, rate }) => tell(at, `${rate} % failed`));
breaker.on('stateTransition', ({ at, from, to, reason, wait }) =>
  tell(at, `${from} → ${to}`, reason, ...(wait === undefined ? [] : [`for ${wait} ms`])),
);
breaker.on('reset', ({ at }) => tell(at, 'reset'));

console.log('A trip: the API key was revoked, and there is nothing to count.');
const overtaken = breaker.acquire();
breaker.acquire().trip(undefined, { kind: 'revoked key' });
breaker.tryAcquire();

console.log('\nThe trial calls: one is left by its caller and gives its place back, two succeed.');
clock.advance(10_001);
breaker.acquire().ignore(undefined, { kind: 'the caller left' });
overtaken.success(); // sent before the trip: too late to be a trial call
breaker.acquire().success();
breaker.acquire().success();

console.log('\nA hold: it said when to come back.');
breaker.acquire().hold(3000);
breaker.tryAcquire();
clock.advance(3001);
breaker.acquire().success();
breaker.acquire().success();

console.log('\nThree of four calls hang: the breaker does not wait until they return.');
const hanging = [breaker.acquire(), breaker.acquire(), breaker.acquire()];
clock.advance(100);
breaker.acquire().success();
clock.advance(5000);
breaker.tryAcquire(); // what has come due is carried out as the breaker is touched, as of then
for (const permit of hanging) permit.failure(undefined, { kind: 'timeout' });

console.log('\nA body that breaks off after good headers, and an operator who has mended it all.');
clock.advance(10_001);
const streamed = breaker.acquire();
streamed.success();
streamed.amend(new Error('the body broke off'));
breaker.acquire().failure(undefined, { kind: 'reset' });
breaker.reset();
