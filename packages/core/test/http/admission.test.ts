import { describe, expect, it } from 'vitest';
import { HOST, Rig, USERS } from './http-rig.ts';

const fixedWait = { breaker: { waitDurationInOpenState: 5000 } };

function refused(rig: Rig): number[] {
  return [rig.host, rig.endpoint].map((breaker) => breaker.metrics().numberOfNotPermittedCalls);
}

describe('admission', () => {
  it('takes a permit at both levels', () => {
    const rig = new Rig();
    const admission = rig.admit();
    expect(rig.host.metrics().callsInFlight).toBe(1);
    expect(rig.endpoint.metrics().callsInFlight).toBe(1);
    admission.responded(200);
    expect(rig.host.metrics().callsInFlight).toBe(0);
    expect(rig.endpoint.metrics().callsInFlight).toBe(0);
  });

  it('is refused by the host for all of its endpoints, and for no other host', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200);
    rig.host.transitionToOpenState();
    expect(rig.refusal()).toMatchObject({
      name: 'CallNotPermittedError',
      code: 'ERR_CALL_NOT_PERMITTED',
      breaker: HOST,
      state: 'open',
      reason: 'open',
      retryAfterMs: 5001,
    });
    expect(rig.refusal('/orders')?.breaker).toBe(HOST);
    expect(rig.refusal('/users', 'https://other.example.com')).toBeUndefined();
  });

  it('is refused by the endpoint for that endpoint alone', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200);
    rig.endpoint.transitionToOpenState();
    expect(rig.refusal()).toMatchObject({ breaker: USERS, state: 'open', retryAfterMs: 5001 });
    expect(rig.refusal('/orders')).toBeUndefined();
    expect(() => rig.admit('/users', { method: 'POST' })).not.toThrow();
  });

  it('leaves no permit out at the host where the endpoint refuses', () => {
    const rig = new Rig();
    rig.respond(200);
    rig.endpoint.transitionToForcedOpenState();
    for (let call = 0; call < 5; call++) expect(rig.refusal()?.reason).toBe('forced-open');
    expect(rig.host.metrics()).toMatchObject({ callsInFlight: 0, numberOfBufferedCalls: 1 });
  });

  it('moves no host to half-open where the endpoint refuses', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200);
    rig.host.transitionToOpenState();
    rig.clock.advance(5001);
    rig.endpoint.transitionToOpenState();
    expect(rig.refusal()?.breaker).toBe(USERS);
    expect(rig.host.state).toBe('open');
    expect(rig.refusal('/orders')).toBeUndefined();
    expect(rig.host.state).toBe('half-open');
  });

  it('moves no endpoint to half-open where the host refuses', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200);
    rig.endpoint.transitionToOpenState();
    rig.clock.advance(5001);
    rig.host.transitionToOpenState();
    expect(rig.refusal()?.breaker).toBe(HOST);
    expect(rig.endpoint.state).toBe('open');
  });

  it('moves both to half-open where the waits of both are over', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200);
    rig.endpoint.transitionToOpenState();
    rig.host.transitionToOpenState();
    rig.clock.advance(5001);
    rig.admit();
    expect([rig.host.state, rig.endpoint.state]).toEqual(['half-open', 'half-open']);
  });

  it('counts a refusal in the breaker that refused, and nowhere else', () => {
    const rig = new Rig();
    rig.respond(200);
    const events = rig.hear('notPermitted');
    rig.endpoint.transitionToOpenState();
    rig.refusal();
    expect(refused(rig)).toEqual([0, 1]);
    rig.host.transitionToOpenState();
    rig.refusal();
    rig.refusal();
    expect(refused(rig)).toEqual([2, 1]);
    expect(events.map(({ breaker }) => breaker)).toEqual([USERS, HOST, HOST]);
  });

  it.each([
    ['the host', 4000, 9000],
    ['the endpoint', 9000, 4000],
  ])('tells the larger wait where both are open, be it not that of %s', (_, first, second) => {
    const rig = new Rig();
    rig.respond(200);
    rig.host.transitionToOpenStateFor(first);
    rig.endpoint.transitionToOpenStateFor(second);
    const refusal = rig.refusal();
    expect(refusal).toMatchObject({ breaker: HOST, retryAfterMs: 9001 });
    expect(refusal?.message).toContain('9001 ms');
    rig.clock.advance(9001);
    expect(rig.refusal()).toBeUndefined();
  });

  it('tells no wait where the host waits for nothing', () => {
    const rig = new Rig();
    rig.respond(200);
    rig.host.transitionToForcedOpenState();
    rig.endpoint.transitionToOpenState();
    expect(rig.refusal()).toMatchObject({ breaker: HOST, retryAfterMs: undefined });
  });

  it('lets all endpoints compete for the trial calls of a half-open host', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200);
    rig.host.transitionToOpenState();
    rig.host.transitionToHalfOpenState();
    const trials = ['/a', '/b', '/c'].map((path) => rig.admit(path));
    expect(rig.refusal('/d')).toMatchObject({ breaker: HOST, reason: 'half-open-full' });
    trials[0]?.released();
    expect(rig.refusal('/d')).toBeUndefined();
    trials[0] = rig.admit('/d');
    for (const trial of trials) trial.responded(200);
    expect(rig.host.state).toBe('closed');
  });

  it('is refused by the bulkhead of either level without a trace', () => {
    const rig = new Rig({ hostBreaker: { maxConcurrentCalls: 2 } });
    const calls = [rig.admit('/a'), rig.admit('/b')];
    expect(rig.refusal('/c')).toMatchObject({ breaker: HOST, reason: 'concurrency' });
    expect(rig.host.metrics().numberOfNotPermittedCalls).toBe(0);
    for (const call of calls) call.responded(200);
    expect(rig.refusal('/c')).toBeUndefined();
  });

  it('tells what the last failure was', () => {
    const rig = new Rig();
    rig.respond(503, { times: 10 });
    const at = rig.clock.date();
    expect(rig.refusal()?.lastFailure).toEqual({ status: 503, at });
  });
});

describe('a listener that acts between the two levels', () => {
  it('changes neither while the other is asked: the call has both permits or none', () => {
    const rig = new Rig(fixedWait);
    rig.respond(200);
    rig.host.transitionToOpenState();
    rig.clock.advance(5001);
    const removeListener = rig.host.on('stateTransition', ({ to }) => {
      if (to === 'half-open') rig.endpoint.transitionToForcedOpenState();
    });
    const refusal = rig.refusal();
    removeListener();
    expect(rig.endpoint.state).toBe('forced-open');
    expect([undefined, USERS]).toContain(refusal?.breaker);
    expect(rig.host.metrics().callsInFlight).toBe(0);
    expect(rig.endpoint.metrics().callsInFlight).toBe(0);
    const trials = ['/a', '/b', '/c'].map((path) => rig.admit(path));
    expect(rig.refusal('/d')?.breaker).toBe(HOST);
    for (const trial of trials) trial.responded(200);
    expect(rig.host.state).toBe('closed');
  });
});
