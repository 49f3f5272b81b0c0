import { expect, it } from 'vitest';
import { HttpCircuitBreaker, type SuccessEvent } from '../../src/index.ts';
import { HOST, Rig, USERS } from './http-rig.ts';

/** A wall clock that goes on by a second each time it is read; the monotonic one stands still. */
function hastyClock() {
  let date = 0;
  return { now: () => 5, date: () => (date += 1000) };
}

const users = { method: 'GET', origin: HOST, path: '/users' };

it('the endpoint and the host tell of one ending with one date', () => {
  const http = new HttpCircuitBreaker({ clock: hastyClock() });
  const heard: SuccessEvent[] = [];
  http.on('success', (event) => heard.push(event));
  http.admit(users).responded(200);
  http.admit(users).responded(200);
  expect(heard.map(({ breaker }) => breaker)).toEqual([USERS, HOST, USERS, HOST]);
  const [endpoint, host, nextEndpoint, nextHost] = heard.map(({ at }) => at);
  expect(host).toBe(endpoint);
  expect(nextHost).toBe(nextEndpoint);
  expect(nextEndpoint).toBeGreaterThan(endpoint!);
});

it('the next step has the date that is then', () => {
  const rig = new Rig();
  const heard = rig.hear('success');
  const began = rig.clock.date();
  rig.respond(200);
  rig.clock.advance(1500);
  rig.respond(200);
  expect(heard.map(({ at }) => at - began)).toEqual([0, 0, 1500, 1500]);
});

it('a listener that moves the clock on has the new date in what it does', () => {
  const rig = new Rig();
  const heard = rig.hear('success', 'notPermitted');
  const began = rig.clock.date();
  const stop = rig.http.on('success', () => {
    stop();
    rig.clock.advance(700);
    rig.http.control('*').forceOpen({ reason: 'test' });
    rig.refusal();
  });
  rig.respond(200);
  expect(heard.map(({ type, at }) => [type, at - began])).toEqual([
    ['success', 0],
    ['success', 0],
    ['notPermitted', 700],
  ]);
});

it('what took effect before the step is dated back from the date of the step', () => {
  const rig = new Rig({ breaker: { slowCallDurationThreshold: 100, detectStalledCalls: true } });
  const heard = rig.hear('stalledCall', 'success');
  const began = rig.clock.date();
  const admission = rig.admit();
  rig.clock.advance(250);
  admission.responded(200);
  const ofEndpoint = heard.filter(({ breaker }) => breaker === USERS);
  expect(ofEndpoint.map(({ type, at }) => [type, at - began])).toEqual([
    ['stalledCall', 100],
    ['success', 250],
  ]);
});
