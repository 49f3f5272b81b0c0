// What a refused call costs. Every breaker is opened by failing calls; `execute` is awaited and its
// error caught, one call after the other.

import { CircuitBreaker } from '@recloser/core';
import { guards, ofEach, timeWindow, type Guard } from '../contestants.ts';
import { nsPerCall, rejecting, sync } from '../measure.ts';
import type { Part } from '../part.ts';
import { atMost, atMostTimes, compared } from '../table.ts';

const failure = new Error('the dependency is down');

/** Calls until nothing is called any more. */
async function open(guard: Guard): Promise<() => Promise<number>> {
  let called = 0;
  const guarded = await guard(async () => {
    called++;
    throw failure;
  });
  for (let call = 1; call <= 10_000; call++) {
    await guarded().catch(() => {});
    if (called < call) return guarded;
  }
  throw new Error('it did not open');
}

function ofTryAcquire(): Promise<number> {
  const breaker = new CircuitBreaker('bench', { ...timeWindow, minimumNumberOfCalls: 1 });
  breaker.tryAcquire()!.failure(failure);
  return nsPerCall(sync(() => (breaker.tryAcquire() === undefined ? 1 : 0)));
}

/** The properties of a refusal, none of them made for the call, and no stack trace. */
class BareRefusal extends Error {
  override readonly name = 'CallNotPermittedError';
  readonly code = 'ERR_CALL_NOT_PERMITTED';
  readonly breaker = 'bench';
  readonly key = undefined;
  readonly state = 'open';
  readonly reason = 'open';
  readonly retryAfterMs = 1000;
  readonly lastFailure = undefined;
}

/** As it is cheapest: rejected while it is pending, with an error of its own. */
function refuseBare(): Promise<never> {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const refusal = new BareRefusal('refused');
  Error.stackTraceLimit = limit;
  return new Promise((_, reject) => {
    void Promise.resolve().then(() => reject(refusal));
  });
}

const fresh = 'a fresh error with the same properties, and no breaker';
const preMade = 'throwing one pre-made error from an async function';
const byExecute = 'Recloser, time window';

export const part: Part<number> = {
  title: 'A refused call',
  contestants: {
    [preMade]: () =>
      nsPerCall(
        rejecting(async () => {
          throw failure;
        }),
      ),
    [fresh]: () => nsPerCall(rejecting(refuseBare)),
    'Recloser, tryAcquire': ofTryAcquire,
    ...ofEach(guards, async (guard) => nsPerCall(rejecting(await open(guard)))),
  },
  report: compared({
    unit: 'ns',
    reference: preMade,
    targets: (medians) => [
      atMost('refused by `tryAcquire`', 150, medians['Recloser, tryAcquire']!, 'ns'),
      atMostTimes(
        'refused by `execute`',
        1.2,
        medians[byExecute]! / medians[preMade]!,
        'a pre-made error',
        { figure: medians[fresh]! / medians[preMade]!, of: fresh },
      ),
    ],
  }),
};
