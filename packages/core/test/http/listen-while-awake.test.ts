import { afterEach, describe, expect, it, vi } from 'vitest';
import { listenWhileAwake } from '../../src/adapter.ts';
import { HttpCircuitBreaker, type ErrorEvent } from '../../src/index.ts';
import { HOST, Rig, USERS, words } from './http-rig.ts';

/** A listener to successes that sleeps and wakes as the test says. */
function sleeper(http: HttpCircuitBreaker, { isAwake = false } = {}) {
  const mood = { isAwake };
  const heard: string[] = [];
  const stop = listenWhileAwake(
    http,
    'success',
    ({ breaker }) => heard.push(breaker),
    () => mood.isAwake,
  );
  return { mood, heard, stop };
}

const thrown = new Error('who am I?');
const unsure = (): never => {
  throw thrown;
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a listener that sleeps', () => {
  it('hears nothing, and no event is made for it', () => {
    // An event is dated as it is made.
    const date = vi.fn<() => number>(() => 0);
    const http = new HttpCircuitBreaker({ clock: { now: () => 0, date } });
    const { heard, mood } = sleeper(http);
    const call = (): unknown => http.admit({ method: 'GET', url: HOST }).responded(200);
    call();
    expect(date).not.toHaveBeenCalled();
    mood.isAwake = true;
    call();
    expect(date).toHaveBeenCalled();
    expect(heard).toHaveLength(2);
  });

  it('keeps no other from hearing, and hears nothing of what is made for them', () => {
    const rig = new Rig();
    const before = rig.hear('success');
    const { heard } = sleeper(rig.http);
    const after = rig.hear('success');
    rig.respond(200);
    for (const list of [before, after]) {
      expect(words(list)).toEqual(['success of the endpoint', 'success of the host']);
    }
    expect(heard).toEqual([]);
  });

  it('hears again once it is awake, until it sleeps again', () => {
    const rig = new Rig();
    const { mood, heard } = sleeper(rig.http);
    rig.respond(200);
    mood.isAwake = true;
    rig.respond(200);
    expect(heard).toEqual([USERS, HOST]);
    mood.isAwake = false;
    rig.respond(200);
    expect(heard).toEqual([USERS, HOST]);
  });

  it('hears no more once it is removed, awake or not', () => {
    const rig = new Rig();
    const { heard, stop } = sleeper(rig.http, { isAwake: true });
    stop();
    rig.respond(200);
    expect(heard).toEqual([]);
  });
});

describe('a listener that throws when it is asked whether it is awake', () => {
  it('harms no call, and an error event tells', () => {
    const rig = new Rig();
    const errors: ErrorEvent[] = rig.hear('error');
    const others = rig.hear('success');
    const listener = vi.fn<() => void>();
    listenWhileAwake(rig.http, 'success', listener, unsure);
    expect(rig.admit().responded(200)).toBe('success');
    expect(rig.endpoint.metrics()).toMatchObject({ numberOfBufferedCalls: 1, callsInFlight: 0 });
    expect(listener).not.toHaveBeenCalled();
    expect(words(others)).toEqual(['success of the endpoint', 'success of the host']);
    expect(errors).toMatchObject([
      { breaker: USERS, error: thrown, source: "a listener for 'success'" },
      { breaker: HOST, error: thrown, source: "a listener for 'success'" },
    ]);
  });

  it('is told of where it is the only one, too', () => {
    const rig = new Rig({ level: 'host' });
    const errors = rig.hear('error');
    listenWhileAwake(rig.http, 'success', () => {}, unsure);
    rig.respond(200);
    expect(errors).toMatchObject([{ breaker: HOST, error: thrown }]);
  });

  it('harms no refusal either', () => {
    const rig = new Rig();
    rig.hear('error');
    listenWhileAwake(rig.http, 'notPermitted', () => {}, unsure);
    rig.http.control('*').forceOpen({ reason: 'test' });
    expect(rig.refusal()).toMatchObject({ reason: 'forced-open' });
  });

  it('about errors goes not round', () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const rig = new Rig();
    listenWhileAwake(rig.http, 'error', () => {}, unsure);
    rig.http.on('success', unsure);
    expect(rig.admit().responded(200)).toBe('success');
    expect(print.mock.calls).toEqual([[expect.stringContaining("'error'"), thrown]]);
  });
});

it('an error is printed while all who listen to errors sleep', () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  const rig = new Rig();
  listenWhileAwake(
    rig.http,
    'error',
    () => {},
    () => false,
  );
  rig.http.on('success', unsure);
  rig.respond(200);
  expect(print.mock.calls).toEqual([[expect.stringContaining("'success'"), thrown]]);
});

it('what can be no listener is refused as by on', () => {
  const { http } = new Rig();
  const listen = listenWhileAwake as (...words: unknown[]) => unknown;
  expect(() =>
    listen(
      http,
      'successes',
      () => {},
      () => true,
    ),
  ).toThrow(/'success'/);
  expect(() => listen(http, 'success', 'log', () => true)).toThrow(TypeError);
});
