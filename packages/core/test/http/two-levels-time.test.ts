import { describe, expect, it } from 'vitest';
import { CallNotPermittedError, type Admission } from '../../src/index.ts';
import { HOST, Rig, USERS } from './http-rig.ts';

const slow = { numberOfSlowCalls: 1, numberOfBufferedCalls: 1 };
const slowSuccess = { ...slow, numberOfSlowSuccessfulCalls: 1 };
const slowFailure = { ...slow, numberOfSlowFailedCalls: 1 };

/** What both levels know, the endpoint first: it measures. */
function metricsOf(rig: Rig) {
  return [rig.endpoint.metrics(), rig.host.metrics()];
}

describe('slow calls', () => {
  it('are slow at the host where they are at the endpoint', () => {
    const rig = new Rig({ breaker: { detectStalledCalls: false } });
    const admission = rig.admit();
    rig.clock.advance(30_001);
    admission.responded(200);
    for (const metrics of metricsOf(rig)) expect(metrics).toMatchObject(slowSuccess);
  });

  it('are measured by the endpoint for both: an override for a slow path holds at both', () => {
    const rig = new Rig({
      overrides: [{ path: '/users', breaker: { slowCallDurationThreshold: 60_000 } }],
    });
    const admission = rig.admit();
    rig.clock.advance(60_000);
    admission.responded(200);
    for (const metrics of metricsOf(rig)) expect(metrics.numberOfSlowCalls).toBe(0);
  });

  it('are slow at the host by the override of a quick path, too', () => {
    const rig = new Rig({
      overrides: [{ path: '/users', breaker: { slowCallDurationThreshold: 100 } }],
    });
    const admission = rig.admit();
    rig.clock.advance(101);
    admission.responded(500);
    for (const metrics of metricsOf(rig)) expect(metrics).toMatchObject(slowFailure);
  });

  it('are measured by the host itself where it guards alone', () => {
    const rig = new Rig({ level: 'host', hostBreaker: { slowCallDurationThreshold: 100 } });
    const admission = rig.admit();
    rig.clock.advance(101);
    expect(rig.host.metrics()).toMatchObject(slowSuccess);
    admission.responded(200);
    expect(rig.host.metrics()).toMatchObject(slowSuccess);
  });
});

describe('a stalled call', () => {
  it('is a slow success at both levels while it is still out', () => {
    const rig = new Rig();
    const events = rig.hear('stalledCall');
    rig.admit();
    rig.clock.advance(30_000);
    for (const metrics of metricsOf(rig)) expect(metrics.numberOfBufferedCalls).toBe(0);
    rig.clock.advance(1);
    for (const metrics of metricsOf(rig)) {
      expect(metrics).toMatchObject({ ...slowSuccess, callsInFlight: 1, stalledCalls: 1 });
    }
    expect(events.map(({ breaker }) => breaker)).toEqual([USERS, HOST]);
  });

  it('that succeeds at last is not counted again', () => {
    const rig = new Rig();
    const admission = rig.admit();
    rig.clock.advance(40_000);
    rig.endpoint.metrics();
    admission.responded(200);
    for (const metrics of metricsOf(rig)) {
      expect(metrics).toMatchObject({ ...slowSuccess, callsInFlight: 0, consecutiveFailures: 0 });
    }
  });

  it('that fails at last becomes a slow failure at both', () => {
    const rig = new Rig();
    const admission = rig.admit();
    rig.clock.advance(40_000);
    rig.endpoint.metrics();
    admission.responded(500);
    for (const metrics of metricsOf(rig)) {
      expect(metrics).toMatchObject({ ...slowFailure, callsInFlight: 0 });
    }
  });

  it('that the caller gives up, or that was never sent, keeps its record and leaves none out', () => {
    const rig = new Rig();
    const [left, released] = [rig.admit(), rig.admit()];
    rig.clock.advance(29_000);
    left.failed(new DOMException('gone', 'AbortError'));
    rig.clock.advance(1001);
    rig.endpoint.metrics();
    released.released();
    for (const metrics of metricsOf(rig)) {
      expect(metrics).toMatchObject({ ...slowSuccess, callsInFlight: 0 });
    }
  });

  it('is released at the host where it finds or makes the endpoint open', () => {
    const rig = new Rig();
    const calls = Array.from({ length: 12 }, () => rig.admit());
    rig.clock.advance(30_001);
    expect(rig.endpoint.state).toBe('open');
    expect(rig.host.metrics()).toMatchObject({ stalledCalls: 9, callsInFlight: 9 });
    for (const call of calls) call.responded(500);
    for (const metrics of metricsOf(rig)) expect(metrics.callsInFlight).toBe(0);
    // What stalled before it opened stays a slow success; no failure speaks for the host.
    expect(rig.host.metrics()).toMatchObject({ numberOfBufferedCalls: 9, numberOfFailedCalls: 0 });
  });
});

describe('an endpoint that hangs', () => {
  it.each([
    ['without a client timeout', Infinity],
    ['with a client timeout of 10 s', 10_000],
  ])('cuts no good endpoint off, %s, be its traffic 97 %%', (_, timeout) => {
    const rig = new Rig();
    const hung: { admission: Admission; until: number }[] = [];
    for (let call = 0; call < 9000; call++, rig.clock.advance(20)) {
      while ((hung[0]?.until ?? Infinity) <= rig.clock.now()) {
        hung.shift()?.admission.failed(new DOMException('late', 'TimeoutError'));
      }
      if (call % 33 === 0) rig.respond(200, { path: '/good' });
      else {
        const answer = rig.tryAdmit('/hangs');
        if (answer instanceof CallNotPermittedError) continue;
        hung.push({ admission: answer, until: rig.clock.now() + timeout });
      }
    }
    expect(rig.host.metrics().numberOfNotPermittedCalls).toBe(0);
    expect(rig.breaker(`GET ${HOST}/hangs`).metrics().totalOpenings).toBeGreaterThan(1);
  });
});

describe('a call that outlives its lease', () => {
  const breaker = { permitLease: 60_000, detectStalledCalls: false };

  it('is written off at both levels as a slow failure', () => {
    const rig = new Rig({ breaker });
    const events = rig.hear('failure', 'lateOutcome');
    const admission = rig.admit();
    rig.clock.advance(60_001);
    for (const metrics of metricsOf(rig)) {
      expect(metrics).toMatchObject({ ...slowFailure, callsInFlight: 0 });
    }
    expect(events).toMatchObject([
      { breaker: USERS, writtenOff: true },
      { breaker: HOST, writtenOff: true },
    ]);
    admission.responded(200);
    for (const metrics of metricsOf(rig)) {
      expect(metrics).toMatchObject({ ...slowFailure, callsInFlight: 0, lateOutcomes: 1 });
    }
  });

  it('is counted once where it was stalled before', () => {
    const rig = new Rig();
    rig.admit();
    rig.clock.advance(30_001);
    rig.endpoint.metrics();
    rig.clock.advance(330_000);
    for (const metrics of metricsOf(rig)) {
      // The record of the stall has left the window of 30 s by now.
      expect(metrics).toMatchObject({
        callsInFlight: 0,
        stalledCalls: 1,
        numberOfBufferedCalls: 0,
      });
    }
  });

  it('is released at the host where the endpoint is open', () => {
    const rig = new Rig({ breaker });
    const admission = rig.admit();
    rig.endpoint.transitionToForcedOpenState();
    rig.endpoint.transitionToOpenStateFor(600_000);
    rig.clock.advance(60_001);
    for (const metrics of metricsOf(rig)) {
      expect(metrics).toMatchObject({ callsInFlight: 0, numberOfBufferedCalls: 0 });
    }
    admission.responded(500);
    expect(rig.host.metrics()).toMatchObject({ numberOfBufferedCalls: 0, lateOutcomes: 0 });
  });

  it.each([
    ['as the endpoint opens', () => {}],
    ['and the endpoint is reset there', (rig: Rig) => rig.endpoint.reset()],
  ])('may end meanwhile, in the wait function that its writing off asks, %s', (_, meddle) => {
    const waitDurationInOpenState = (): number => {
      admission.failed(new Error('given up'));
      meddle(rig);
      return 1000;
    };
    const options = { ...breaker, consecutiveFailureThreshold: 1, waitDurationInOpenState };
    const rig = new Rig({ breaker: options });
    const admission = rig.admit();
    rig.clock.advance(60_001);
    rig.http.snapshot();
    for (const metrics of metricsOf(rig)) expect(metrics.callsInFlight).toBe(0);

    // What comes due later is still carried out.
    rig.clock.advance(1001);
    rig.respond(200, { times: 10 });
    rig.admit();
    rig.clock.advance(60_001);
    for (const metrics of metricsOf(rig)) expect(metrics.callsInFlight).toBe(0);
  });

  it('is out no longer at either level in the first snapshot after that', () => {
    const rig = new Rig({ breaker });
    rig.admit();
    rig.clock.advance(60_001);
    expect(rig.http.snapshot().breakers.map(({ callsInFlight }) => callsInFlight)).toEqual([0, 0]);
  });

  it('is out at both levels or at neither in a snapshot during which the lease ends', () => {
    const seen = new Set<string>();
    for (let readAt = 59_990; readAt <= 60_001; readAt++) {
      let now = 0;
      let step = 0;
      const clock = { now: () => (now += step), date: () => now };
      const rig = new Rig({ clock, breaker });
      rig.admit();
      now = readAt;
      step = 1;
      seen.add(
        rig.http
          .snapshot()
          .breakers.map((level) => level.callsInFlight)
          .join(' '),
      );
    }
    expect(seen).toEqual(new Set(['1 1', '0 0']));
  });
});
