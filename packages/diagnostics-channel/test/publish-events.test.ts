import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { CircuitBreaker, HttpCircuitBreaker } from '@recloser/core';
import { httpEventTypes } from '@recloser/core/adapter';
import { describe, expect, test, vi } from 'vitest';
import { channels, publishEvents, type PublishedEvent } from '../src/index.ts';
import { Subscribed } from './subscribed.ts';

const request = { method: 'GET', url: 'https://api.example.com/users' };
const keys = ['GET https://api.example.com/users', 'https://api.example.com'];

/** It is asked for its date once for each step whose events are made. */
function dated() {
  const date = vi.fn<() => number>(() => 0);
  return { date, breaker: new HttpCircuitBreaker({ clock: { now: () => 0, date } }) };
}

describe('while nobody has subscribed', () => {
  test('no event is made', () => {
    const { breaker, date } = dated();
    publishEvents(breaker);
    breaker.admit(request).responded(200);
    breaker.admit(request).responded(404);
    expect(date).not.toHaveBeenCalled();
  });

  test('to a type, none of that type is made', () => {
    const { breaker, date } = dated();
    publishEvents(breaker);
    using subscribed = new Subscribed(breaker, 'stateTransition');
    breaker.admit(request).responded(200);
    expect(date).not.toHaveBeenCalled();
    breaker.control('*').forceOpen({ reason: 'test' });
    expect(subscribed.events.map(({ to }) => to)).toEqual(['forced-open', 'forced-open']);
  });

  test('an error of the user is printed once; once somebody has, each is published instead', () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const breaker = new HttpCircuitBreaker();
    breaker.on('success', () => {
      throw new Error('a bug of the user');
    });
    publishEvents(breaker);
    for (let call = 0; call < 3; call++) breaker.admit(request).responded(200);
    expect(print).toHaveBeenCalledTimes(1);
    using subscribed = new Subscribed(breaker, 'error');
    for (let call = 0; call < 3; call++) breaker.admit(request).responded(200);
    expect(print).toHaveBeenCalledTimes(1);
    expect(subscribed.events.map(({ source, breaker: key }) => [source, key])).toEqual(
      [keys, keys, keys].flat().map((key) => ["a listener for 'success'", key]),
    );
    print.mockRestore();
  });
});

describe('a subscriber', () => {
  test('hears from when it subscribes until it unsubscribes', () => {
    const breaker = new HttpCircuitBreaker();
    publishEvents(breaker);
    breaker.admit(request).responded(200);
    const heard = (() => {
      using subscribed = new Subscribed(breaker, 'success');
      breaker.admit(request).responded(204);
      return subscribed.events;
    })();
    breaker.admit(request).responded(206);

    expect(heard.map(({ status, breaker: key }) => [status, key])).toEqual(
      keys.map((key) => [204, key]),
    );
  });

  test('that came before hears too', () => {
    const breaker = new HttpCircuitBreaker();
    using subscribed = new Subscribed(breaker, 'success');
    publishEvents(breaker);
    breaker.admit(request).responded(200);
    expect(subscribed.events).toHaveLength(2);
  });

  test('hears whose event it is, of several breakers', () => {
    const [first, second] = [new HttpCircuitBreaker(), new HttpCircuitBreaker()];
    const heard: HttpCircuitBreaker[] = [];
    const listener = (message: unknown): void => {
      heard.push((message as PublishedEvent).breaker);
    };
    subscribe('recloser:success', listener);
    publishEvents(first);
    publishEvents(second);
    second.admit(request).responded(200);
    first.admit(request).responded(200);
    unsubscribe('recloser:success', listener);

    expect(heard).toEqual([second, second, first, first]);
  });

  test('finds the step that caused the event complete', () => {
    const breaker = new HttpCircuitBreaker({ breaker: { consecutiveFailureThreshold: 1 } });
    publishEvents(breaker);
    const states: unknown[] = [];
    const listener = (): void => {
      states.push(breaker.find(keys[0]!)?.state);
    };
    subscribe('recloser:failure', listener);
    breaker.admit(request).responded(503);
    unsubscribe('recloser:failure', listener);

    expect(states).toEqual(['open']);
  });

  test('that throws harms no call and no other, and is an uncaught exception later', async () => {
    const breaker = new HttpCircuitBreaker();
    publishEvents(breaker);
    const thrown = new Error('a bug of the subscriber');
    const throwing = (): never => {
      throw thrown;
    };
    const errors: unknown[] = [];
    breaker.on('error', ({ error }) => errors.push(error));
    const uncaught: unknown[] = [];
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const two = new Promise<void>((resolve) => {
      process.on('uncaughtException', (error) => {
        if (uncaught.push(error) === 2) resolve();
      });
    });
    subscribe('recloser:success', throwing);
    using after = new Subscribed(breaker, 'success');
    try {
      expect(breaker.admit(request).responded(200)).toBe('success');
      expect(uncaught).toEqual([]);
      await two;
    } finally {
      unsubscribe('recloser:success', throwing);
      process.removeAllListeners('uncaughtException');
      for (const listener of before) process.on('uncaughtException', listener);
    }

    expect(uncaught).toEqual([thrown, thrown]);
    expect(after.events).toHaveLength(2);
    expect(errors).toEqual([]);
    expect(breaker.find(keys[0]!)?.metrics().numberOfSuccessfulCalls).toBe(1);
  });
});

test('stop ends it, and leaves other breakers published', () => {
  const [stopped, other] = [new HttpCircuitBreaker(), new HttpCircuitBreaker()];
  const stop = publishEvents(stopped);
  publishEvents(other);
  using ofStopped = new Subscribed(stopped, ...httpEventTypes);
  using ofOther = new Subscribed(other, 'success');
  stop();
  stop();
  stopped.admit(request).responded(200);
  stopped.control('*').forceOpen({ reason: 'test' });
  other.admit(request).responded(200);

  expect(ofStopped.events).toEqual([]);
  expect(ofOther.events).toHaveLength(2);
});

test('a channel without a subscriber is left as it was', () => {
  publishEvents(new HttpCircuitBreaker())();
  expect(channel('recloser:success').hasSubscribers).toBe(false);
});

test.each([
  [undefined, 'undefined'],
  [{ level: 'host' }, 'an object'],
  [new CircuitBreaker('prices'), 'a CircuitBreaker'],
  [fetch, 'a function'],
])('%s is refused: it is no HttpCircuitBreaker', (value, words) => {
  const publish = publishEvents as (breaker: unknown) => unknown;
  expect(() => publish(value)).toThrow(TypeError);
  expect(() => publish(value)).toThrow(
    `publishEvents: breaker must be an HttpCircuitBreaker, but is ${words}: make one, and hand it to`,
  );
});

describe('a second call for the same breaker', () => {
  const twice =
    'publishEvents: the events of this breaker are published already; call what the first call returned to end that';

  test('is an error, and each event is published once all the same', () => {
    const breaker = new HttpCircuitBreaker();
    publishEvents(breaker);
    expect(() => publishEvents(breaker)).toThrow(new Error(twice));

    using subscribed = new Subscribed(breaker, 'success');
    breaker.admit(request).responded(200);
    expect(subscribed.events.map(({ breaker: key }) => key)).toEqual(keys);
  });

  test('publishes again once the first was ended, whose end ends nothing more', () => {
    const breaker = new HttpCircuitBreaker();
    const stopFirst = publishEvents(breaker);
    stopFirst();
    const stopSecond = publishEvents(breaker);
    stopFirst();
    expect(() => publishEvents(breaker)).toThrow(twice);

    using subscribed = new Subscribed(breaker, 'success');
    breaker.admit(request).responded(200);
    stopSecond();
    breaker.admit(request).responded(200);
    expect(subscribed.events).toHaveLength(2);
  });
});

describe('channels', () => {
  test('has every type of event, and no other', () => {
    expect(channels).toStrictEqual(
      Object.fromEntries(httpEventTypes.map((type) => [type, `recloser:${type}`])),
    );
  });

  test('can not be changed', () => {
    expect(Object.isFrozen(channels)).toBe(true);
  });

  test('has no misspelt type, so that to subscribe to it is an error at once', () => {
    const names: Readonly<Record<string, string>> = channels;
    expect(() => subscribe(names['statetransition']!, () => {})).toThrow(TypeError);
  });
});
