// Bytes of one breaker: made and never called, and after 200 calls with the default window, of
// which the time window's fall into every one of its seconds. The array that holds them is not
// counted, nor are the keys of a registry, which belong to who asks for them. With each breaker of
// the others goes the closure that calls it, of about 100 bytes. And what a response holds of its
// call, for a failure that may be found in its body, where whoever got the response keeps it.

import {
  BreakerRegistry,
  CircuitBreaker,
  HttpCircuitBreaker,
  type CircuitBreakerOptions,
} from '@recloser/core';
import { ofEach, quickPeers, slowPeers, timeWindow, type Guard } from '../contestants.ts';
import { usedBytes } from '../measure.ts';
import type { Part } from '../part.ts';
import { atMost, compared } from '../table.ts';

const IDLE = 4000;
const CALLED = 2000;
const SLOW_CALLED = 300;
const CALLS = 200;

type Make = (key: string) => unknown;

/** The bytes of each of so many, once as many others have been made and let go. */
async function bytesOfEach(instances: number, begin: () => Make): Promise<number> {
  const keys = Array.from({ length: instances }, (_, index) => `key ${index}`);
  const kept: unknown[] = keys.map(() => undefined);
  const makeAll = async (make: Make): Promise<void> => {
    for (const [index, key] of keys.entries()) kept[index] = await make(key);
  };
  await makeAll(begin());
  kept.fill(undefined);
  const before = await usedBytes();
  await makeAll(begin());
  const bytes = ((await usedBytes()) - before) / instances;
  if (kept.includes(undefined)) throw new Error('one was not made');
  return bytes;
}

const body = async (): Promise<number> => 1;

const idle = (guard: Guard): Promise<number> => bytesOfEach(IDLE, () => () => guard(body));

function called(guard: Guard, instances: number): Promise<number> {
  return bytesOfEach(instances, () => async () => {
    const guarded = await guard(body);
    for (let call = 0; call < CALLS; call++) await guarded();
    return guarded;
  });
}

/** One call in four fails, and the time goes on by 30 s in all. */
function callAll(breaker: CircuitBreaker): CircuitBreaker {
  for (let call = 0; call < CALLS; call++) {
    const permit = breaker.tryAcquire()!;
    if (call % 4 === 0) permit.failure();
    else permit.success();
    ms += 30_000 / CALLS;
  }
  return breaker;
}

let ms = 0;

function calledByClock(begin: () => (key: string) => CircuitBreaker): Promise<number> {
  performance.now = () => ms;
  return bytesOfEach(CALLED, () => {
    const make = begin();
    return (key) => callAll(make(key));
  });
}

function registry(options: CircuitBreakerOptions = {}): (key: string) => CircuitBreaker {
  const all = new BreakerRegistry({ breaker: options });
  return (key) => all.get(key)!;
}

async function addedToResponse(): Promise<number> {
  const breaker = new HttpCircuitBreaker();
  const bare = await bytesOfEach(IDLE, () => () => ({}));
  const guarded = await bytesOfEach(IDLE, () => () => {
    const response = {};
    const admission = breaker.admit({ method: 'GET', url: 'https://api.example.com/items' });
    admission.send(() => admission.responded(200, undefined, response));
    return response;
  });
  return guarded - bare;
}

const alone = (): CircuitBreaker => new CircuitBreaker('bench');

const own = {
  'Recloser, idle': () => bytesOfEach(IDLE, () => alone),
  'Recloser in a registry, idle': () => bytesOfEach(IDLE, registry),
  'Recloser, called': () => calledByClock(() => alone),
  'Recloser in a registry, called': () => calledByClock(registry),
  'Recloser in a registry, time window, called': () => calledByClock(() => registry(timeWindow)),
};

const added = 'Recloser, added to a response that is kept';

/** What a time window of 30 s counts with: a bucket for each second, of five numbers. */
const ring = 'the counts of 30 s alone';

export const part: Part<number> = {
  title: 'The heap of a breaker',
  contestants: {
    ...own,
    [added]: addedToResponse,
    [ring]: () => bytesOfEach(CALLED, () => () => new Int32Array(30 * 5)),
    ...ofEach({ ...quickPeers, ...slowPeers }, idle, ', idle'),
    ...ofEach(quickPeers, (guard) => called(guard, CALLED), ', called'),
    ...ofEach(slowPeers, (guard) => called(guard, SLOW_CALLED), ', called'),
  },
  report: compared({
    unit: 'bytes',
    reference: 'cockatiel, SamplingBreaker, idle',
    targets: (medians) =>
      [...Object.keys(own), added].map((name) => {
        const limit = name.endsWith('called') ? 800 : 300;
        const floor = name.includes('time window')
          ? { figure: medians[ring]!, of: ring }
          : undefined;
        return atMost(`heap: ${name}`, limit, medians[name]!, 'bytes', floor);
      }),
  }),
};
