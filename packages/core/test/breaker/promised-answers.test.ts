import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.ts';
import { manualBreaker, only, recordEvents, startDate, typesOf } from './manual-breaker.ts';
import { thenable } from './thenable.ts';

type Answer = () => never;

/** Functions that answer at once, but with a promise. */
const promised = [
  async () => true,
  async () => {
    throw new Error('too late');
  },
  () => thenable((_, reject) => reject(new Error('too late'))),
] as unknown as readonly Answer[];

/** The rejections that nobody handled while this ran. */
async function unhandledBy(work: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    // They are told at the end of a turn.
    await setImmediate();
  } finally {
    process.off('unhandledRejection', note);
  }
  return unhandled;
}

/** Runs one call, with each of the promises, and answers the events of each. */
async function eventsOf(
  optionsFor: (answer: Answer) => CircuitBreakerOptions,
  call: (breaker: CircuitBreaker) => Promise<void>,
) {
  const all: ReturnType<typeof recordEvents>[] = [];
  const unhandled = await unhandledBy(async () => {
    for (const answer of promised) {
      const { breaker, events } = manualBreaker(optionsFor(answer));
      await call(breaker);
      all.push(events);
    }
  });
  expect(unhandled).toEqual([]);
  return all;
}

async function returns(breaker: CircuitBreaker): Promise<void> {
  const value = { any: 'value' };
  expect(await breaker.execute(() => value)).toBe(value);
}

async function throws(breaker: CircuitBreaker): Promise<void> {
  const error = new Error('busy');
  const call = breaker.execute(() => {
    throw error;
  });
  expect(await call.catch((thrown: unknown) => thrown)).toBe(error);
}

const told = (source: string) => ({ type: 'error', source, error: expect.any(TypeError) });

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a promise instead of an answer', () => {
  it('of recordResult is no yes: the call is a success, and an event tells', async () => {
    const all = await eventsOf((recordResult) => ({ recordResult }), returns);
    for (const events of all) {
      expect(events).toMatchObject([told('recordResult'), { type: 'success' }]);
    }
  });

  it('of a predicate of recordErrors matches nothing, and an event tells', async () => {
    const all = await eventsOf((answer) => ({ recordErrors: [answer] }), throws);
    for (const events of all) {
      expect(events).toMatchObject([told('recordErrors'), { type: 'success' }]);
    }
  });

  it('of a predicate of ignoreErrors matches nothing, and an event tells', async () => {
    const all = await eventsOf((answer) => ({ ignoreErrors: [answer] }), throws);
    for (const events of all) {
      expect(events).toMatchObject([told('ignoreErrors'), { type: 'failure' }]);
    }
  });

  it('of transitionOnResult opens nothing, and an event tells', async () => {
    const all = await eventsOf((transitionOnResult) => ({ transitionOnResult }), returns);
    for (const events of all) {
      expect(typesOf(events)).toEqual(['success', 'error']);
      expect(only(events, 'error')).toMatchObject([told('transitionOnResult')]);
    }
  });

  it('of the wait function is read as a minute, and an event tells', async () => {
    const all = await eventsOf(
      (waitDurationInOpenState) => ({ waitDurationInOpenState, minimumNumberOfCalls: 1 }),
      throws,
    );
    for (const events of all) {
      expect(only(events, 'error')).toMatchObject([told('waitDurationInOpenState')]);
      expect(only(events, 'stateTransition')).toMatchObject([{ to: 'open', wait: 60_000 }]);
    }
  });

  it('of clock.now is time standing still, and an event tells', async () => {
    const unhandled = await unhandledBy(async () => {
      for (const answer of promised) {
        const clock = { now: () => 1000, date: () => startDate };
        const breaker = new CircuitBreaker('test', { clock });
        const events = recordEvents(breaker);
        const permit = breaker.acquire();
        clock.now = answer;
        permit.result('value');
        expect(events).toMatchObject([told('clock'), { type: 'success', elapsed: 0 }]);
        await returns(breaker);
      }
    });
    expect(unhandled).toEqual([]);
  });

  it("of clock.date is read as the system's date, and nothing is told", async () => {
    vi.spyOn(Date, 'now').mockReturnValue(startDate + 7);
    const unhandled = await unhandledBy(async () => {
      for (const date of promised) {
        const clock = { now: () => 1000, date };
        const breaker = new CircuitBreaker('test', { clock });
        const events = recordEvents(breaker);
        await throws(breaker);
        expect(events).toMatchObject([{ type: 'failure', at: startDate + 7 }]);
        expect(breaker.lastFailure?.at).toBe(startDate + 7);
      }
    });
    expect(unhandled).toEqual([]);
  });
});
