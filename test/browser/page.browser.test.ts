import { CircuitBreaker, HttpCircuitBreaker, isCallNotPermitted } from '@recloser/core';
import { wrapFetch, wrapGlobalFetch } from '@recloser/fetch';
import { outcomesOf } from '@recloser/test-support/outcomes';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Dependency } from './dependency.ts';
import { ways } from './ways.ts';

/** By which a page comes back to something later. */
const timers = [
  'setTimeout',
  'setInterval',
  'requestAnimationFrame',
  'requestIdleCallback',
] as const;

/** Names the timers that were set since. */
function watchTimers(): () => string[] {
  const spies = timers.map((name) => vi.spyOn(window, name));
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => timers.filter((_, index) => spies[index]!.mock.calls.length > 0);
}

describe('a page', () => {
  test.for(ways)('is left alone by an open breaker, which sets no timer: $name', async (way) => {
    const dependency = new Dependency();
    // No status: of that ky reads the body, with a timer.
    const url = dependency.url('close');
    const timersSet = watchTimers();
    const breaker = new HttpCircuitBreaker({
      level: 'endpoint',
      breaker: { consecutiveFailureThreshold: 1 },
    });
    const call = way.guard(breaker);

    await expect(call(url)).rejects.toMatchObject(way.errors.network);
    await expect(call(url)).rejects.toSatisfy(isCallNotPermitted);

    expect(timersSet()).toEqual([]);
    expect(breaker.snapshot().breakers).toMatchObject([{ state: 'open', callsInFlight: 0 }]);
    expect(await dependency.arrivals()).toBe(1);
  });

  test('gets the one timer that it asks for, and hears by it that the wait is over', async () => {
    const timersSet = watchTimers();
    const breaker = new CircuitBreaker('pricing', {
      waitDurationInOpenState: 10,
      automaticTransitionFromOpenToHalfOpenEnabled: true,
    });
    const isHalfOpen = new Promise<void>((resolve) => {
      breaker.on('stateTransition', ({ to }) => {
        if (to === 'half-open') resolve();
      });
    });

    breaker.transitionToOpenState();

    expect(timersSet()).toEqual(['setTimeout']);
    await isHalfOpen;
    expect(await breaker.execute(async () => 'a price')).toBe('a price');
  });

  test.for(ways)('may call its own origin by a path: $name', async (way) => {
    const breaker = new HttpCircuitBreaker({ level: 'endpoint' });

    await way.guard(breaker)('/not-there');

    expect(breaker.snapshot().breakers).toMatchObject([
      { name: `GET ${location.origin}/not-there`, callsInFlight: 0 },
    ]);
  });

  test('may guard its global fetch, and take the guard off again', async () => {
    const dependency = new Dependency();
    const url = dependency.url(503);
    const original = window.fetch;
    const takeOff = wrapGlobalFetch({ breaker: { consecutiveFailureThreshold: 1 } });
    onTestFinished(takeOff);

    expect((await fetch(url)).status).toBe(503);
    await expect(fetch(url)).rejects.toSatisfy(isCallNotPermitted);
    takeOff();

    expect(window.fetch).toBe(original);
    expect((await fetch(url)).status).toBe(503);
    expect(await dependency.arrivals()).toBe(2);
  });

  test('that may not look into a response counts it as a success', async () => {
    const breaker = new HttpCircuitBreaker({ level: 'endpoint' });
    const outcomes = outcomesOf(breaker);

    const response = await wrapFetch(fetch, breaker)(new Dependency().url(503), {
      mode: 'no-cors',
    });

    expect([response.type, response.status]).toEqual(['opaque', 0]);
    expect(outcomes).toEqual(['success 0']);
  });
});
