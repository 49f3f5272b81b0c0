import { describe, expect, it } from 'vitest';
import { HOST, Rig, USERS } from './http-rig.ts';

const reason = 'maintenance';

function rigWithCalls(...paths: string[]): Rig {
  const rig = new Rig();
  for (const path of ['/users', ...paths]) rig.respond(200, { path });
  return rig;
}

describe('the operator’s hand', () => {
  it('forces open what matches its pattern, and says why in an event', () => {
    const rig = rigWithCalls('/orders');
    const events = rig.hear('control');

    const result = rig.http.control('*/users').forceOpen({ reason, for: 60_000 });

    expect(result).toEqual({ moved: [USERS], skipped: [] });
    expect(rig.refusal('/users')?.reason).toBe('forced-open');
    expect(rig.refusal('/orders')).toBeUndefined();
    expect(events).toEqual([
      {
        type: 'control',
        breaker: '*/users',
        at: rig.clock.date(),
        action: 'forceOpen',
        reason,
        expiresAt: rig.clock.date() + 60_000,
        moved: [USERS],
        skipped: [],
      },
    ]);
  });

  it.each([
    ['forceOpen', 'forced-open'],
    ['disable', 'disabled'],
    ['metricsOnly', 'metrics-only'],
  ] as const)('%s holds for breakers made later, until it is handed back', (action, state) => {
    const rig = rigWithCalls();
    rig.http.control('*').forceOpen({ reason });
    rig.http.control('*')[action]({ reason });
    rig.tryAdmit('/orders');

    expect(rig.breaker(`GET ${HOST}/orders`).state).toBe(state);
    rig.http.control('*').handBack({ reason: 'done' });
    rig.tryAdmit('/invoices');

    const states = rig.http.snapshot().breakers.map((breaker) => breaker.state);
    expect(new Set(states)).toEqual(new Set(['closed']));
  });

  it('ends by itself strictly after its time, and an event says so', () => {
    const rig = rigWithCalls();
    rig.http.control(HOST).forceOpen({ reason, for: 1000 });
    const events = rig.hear('control');

    rig.clock.advance(1000);
    expect(rig.refusal()?.breaker).toBe(HOST);
    rig.clock.advance(1);
    expect(rig.refusal()).toBeUndefined();

    expect(events).toMatchObject([{ action: 'handBack', reason: 'expired', moved: [HOST] }]);
  });

  it('that expires while nothing is called is handed back by a look', () => {
    const rig = rigWithCalls();
    rig.http.control('*').disable({ reason, until: new Date(rig.clock.date() + 1000) });
    rig.clock.advance(1001);

    expect(rig.http.snapshot().breakers.map(({ state }) => state)).toEqual(['closed', 'closed']);
  });

  it('leaves alone, as it expires, what was moved by hand meanwhile', () => {
    const rig = rigWithCalls();
    rig.http.control(USERS).disable({ reason, for: 1000 });
    rig.endpoint.transitionToForcedOpenState();
    rig.clock.advance(1001);

    expect(rig.refusal()?.reason).toBe('forced-open');
  });

  it('of a narrow pattern ends in the order of a wider one that still stands', () => {
    const rig = rigWithCalls();
    rig.http.control('*').metricsOnly({ reason });
    rig.http.control(USERS).forceOpen({ reason, for: 1000 });
    rig.clock.advance(1001);
    rig.respond(200);

    expect(rig.endpoint.state).toBe('metrics-only');
  });

  it('opens for so long, and a breaker made meanwhile for the rest', () => {
    const rig = rigWithCalls();
    rig.http.control('GET *').open({ reason, for: 1000 });
    rig.clock.advance(400);

    expect(rig.refusal('/users')?.retryAfterMs).toBe(601);
    expect(rig.refusal('/orders')?.retryAfterMs).toBe(601);
    rig.clock.advance(601);
    expect(rig.refusal('/users')).toBeUndefined();
    rig.respond(200, { path: '/invoices' });
    expect(rig.breaker(`GET ${HOST}/invoices`).state).toBe('closed');
  });

  it('closes, resets and lets trial calls through at once, and later breakers know nothing of it', () => {
    const rig = rigWithCalls();
    rig.endpoint.transitionToOpenState();

    expect(rig.http.control('GET *').halfOpen({ reason }).moved).toEqual([USERS]);
    expect(rig.endpoint.state).toBe('half-open');
    rig.http.control('*').close({ reason });
    expect(rig.endpoint.state).toBe('closed');
    rig.respond(500);
    const resets = rig.hear('reset');
    rig.http.control(USERS).reset({ reason });
    expect(resets).toHaveLength(1);
    expect(rig.endpoint.metrics().numberOfFailedCalls).toBe(0);
  });

  it('skips what can’t make the move, and names it', () => {
    const rig = rigWithCalls();

    expect(rig.http.control('*').halfOpen({ reason })).toEqual({
      moved: [],
      skipped: [HOST, USERS],
    });
    expect(rig.endpoint.state).toBe('closed');
  });

  it('finds a breaker by the name of its override, too', () => {
    const rig = new Rig({ overrides: [{ name: 'people', path: '/users' }] });
    rig.respond(200);

    expect(rig.http.control('people').forceOpen({ reason }).moved).toEqual([USERS]);
  });

  it('hands back what was held by hand, without an order', () => {
    const rig = rigWithCalls();
    rig.endpoint.transitionToDisabledState();

    expect(rig.http.control('*').handBack({ reason }).moved).toEqual([USERS]);
    expect(rig.endpoint.state).toBe('closed');
  });

  it('does not end an order that is given anew', () => {
    const rig = rigWithCalls();
    rig.http.control('*').forceOpen({ reason, for: 1000 });
    rig.http.control('*').forceOpen({ reason, for: 5000 });
    rig.clock.advance(2000);

    expect(rig.refusal()?.reason).toBe('forced-open');
  });

  it('carries out a whole order before a listener gives the next one', () => {
    const rig = rigWithCalls('/orders');
    const events = rig.hear('control');
    let given = 0;
    rig.http.on('stateTransition', ({ to }) => {
      if (to === 'forced-open' && given++ === 0) rig.http.control('*').handBack({ reason: 'no' });
    });
    rig.http.control('*').forceOpen({ reason });

    const states = rig.http.snapshot().breakers.map((breaker) => breaker.state);
    expect(new Set(states)).toEqual(new Set(['closed']));
    expect(events.map(({ action }) => action)).toEqual(['forceOpen', 'handBack']);
  });

  it('that none can follow leaves the order before, and its end, in force', () => {
    const rig = rigWithCalls();
    rig.http.control('*').metricsOnly({ reason, for: 10_000 });
    rig.http.control('*').open({ reason, for: 5000 });
    rig.http.control('*').halfOpen({ reason });
    expect(rig.http.snapshot().orders).toMatchObject([{ action: 'metricsOnly' }]);
    rig.clock.advance(10_001);

    expect(rig.http.find(USERS)?.state).toBe('closed');
  });

  it('hands back, or resets, also what narrower orders hold', () => {
    for (const way of ['handBack', 'reset'] as const) {
      const rig = rigWithCalls();
      rig.http.control('*/users').forceOpen({ reason });
      rig.http.control('*')[way]({ reason });

      expect(rig.endpoint.state).toBe('closed');
      expect(rig.http.snapshot().orders).toEqual([]);
    }
  });

  it('hands nothing back that a wider order still holds', () => {
    const rig = rigWithCalls();
    rig.http.control('*').forceOpen({ reason });

    expect(rig.http.control(USERS).handBack({ reason })).toEqual({ moved: [], skipped: [USERS] });
    expect(rig.endpoint.state).toBe('forced-open');
  });

  it('has ended for one who finds a breaker, too', () => {
    const rig = rigWithCalls();
    rig.http.control('*').forceOpen({ reason, for: 10 });
    rig.clock.advance(11);

    expect(rig.http.find(USERS)?.state).toBe('closed');
  });

  it('that has ended is not applied again', () => {
    const rig = rigWithCalls();
    rig.http.control('*').forceOpen({ reason, for: 10 });
    rig.http.control(USERS).disable({ reason });
    rig.clock.advance(50);
    const moves = rig.hear('stateTransition');
    rig.http.control(USERS).handBack({ reason });

    expect(moves.filter(({ breaker }) => breaker === USERS).map(({ to }) => to)).toEqual([
      'closed',
    ]);
  });

  it('lets go to the state that the configuration gave an operator', () => {
    const rig = new Rig({ breaker: { initialState: 'metrics-only' } });
    rig.respond(200);
    rig.http.control('*').forceOpen({ reason, for: 10 });
    rig.clock.advance(11);

    expect(rig.http.snapshot().breakers.map(({ state }) => state)).toEqual([
      'metrics-only',
      'metrics-only',
    ]);
  });

  it('is listed in the snapshot while it stands', () => {
    const rig = rigWithCalls();
    rig.http.control('*').disable({ reason });
    rig.http.control(USERS).forceOpen({ reason, for: 1000 });

    expect(rig.http.snapshot().orders).toEqual([
      { pattern: '*', action: 'disable', reason },
      { pattern: USERS, action: 'forceOpen', reason, expiresAt: rig.clock.date() + 1000 },
    ]);
  });

  it('announces the end of each order once, whatever a listener reads', () => {
    const rig = rigWithCalls('/orders');
    rig.http.control(USERS).forceOpen({ reason, for: 10 });
    rig.http.control(`GET ${HOST}/orders`).forceOpen({ reason, for: 10 });
    const events = rig.hear('control');
    rig.http.on('stateTransition', () => rig.http.snapshot());
    rig.clock.advance(11);
    rig.respond(200);

    expect(events.map(({ breaker, moved }) => [breaker, moved])).toEqual([
      [USERS, [USERS]],
      [`GET ${HOST}/orders`, [`GET ${HOST}/orders`]],
    ]);
  });

  it.each<[string, (rig: Rig) => unknown, new () => Error, string]>([
    ['no pattern', ({ http }) => http.control(''), TypeError, 'control: pattern'],
    ['no options', ({ http }) => http.control('*').close(undefined!), TypeError, 'close: options'],
    ['no reason', ({ http }) => http.control('*').close({} as never), TypeError, 'close: reason'],
    [
      'an empty reason',
      ({ http }) => http.control('*').disable({ reason: '' }),
      TypeError,
      'disable: reason',
    ],
    [
      'an unknown name',
      ({ http }) => http.control('*').forceOpen({ reason, fro: 1 } as never),
      TypeError,
      "did you mean 'for'?",
    ],
    [
      'an expiry of what does not stand',
      ({ http }) => http.control('*').reset({ reason, for: 1 } as never),
      TypeError,
      "'for' is not known",
    ],
    [
      'two expiries',
      ({ http }) => http.control('*').forceOpen({ reason, for: 1, until: new Date() } as never),
      TypeError,
      'for and until',
    ],
    [
      'a past date',
      ({ http, clock }) => http.control('*').open({ reason, until: new Date(clock.date()) }),
      RangeError,
      'open: until',
    ],
    [
      'an invalid date',
      ({ http }) => http.control('*').open({ reason, until: new Date(NaN) }),
      RangeError,
      'open: until',
    ],
    [
      'a span of 0',
      ({ http }) => http.control('*').open({ reason, for: 0 }),
      RangeError,
      'open: for',
    ],
    [
      'an opening without an end',
      ({ http }) => http.control('*').open({ reason } as never),
      TypeError,
      'open: for how long?',
    ],
  ])('is refused, and moves nothing, with %s', (_, order, type, words) => {
    const rig = rigWithCalls();

    expect(() => order(rig)).toThrow(type);
    expect(() => order(rig)).toThrow(words);
    expect(rig.http.snapshot().breakers.map(({ state }) => state)).toEqual(['closed', 'closed']);
  });
});
