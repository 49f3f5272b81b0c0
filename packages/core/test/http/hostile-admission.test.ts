import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Admission, HttpCircuitBreakerOptions } from '../../src/index.ts';
import { HOST, Rig, USERS } from './http-rig.ts';

const broken = new Error('a bug of the user’s');
function throwing(): never {
  throw broken;
}

/** Values that break naive code. */
const hostile: unknown[] = [
  undefined,
  null,
  NaN,
  -1,
  7n,
  Symbol('s'),
  'text',
  '',
  [],
  {},
  Object.create(null),
  () => 0,
  new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing }),
  { get: throwing },
  { get: () => Symbol('header') },
  { get status(): never { return throwing(); } }, // prettier-ignore
  Object.assign(new Error('odd'), { code: Symbol('code'), cause: 7n }),
];

describe('nothing that an admission does throws', () => {
  const ends: [name: string, end: (admission: Admission, value: never) => void][] = [
    ['responded, with any status', (admission, value) => admission.responded(value)],
    ['responded, with any headers', (admission, value) => admission.responded(429, value)],
    ['responded, with any response', (admission, value) => admission.responded(200, {}, value)],
    ['failed, with any error', (admission, value) => admission.failed(value)],
    ['failed, with any signal', (admission, value) => admission.failed(broken, value)],
    ['bodyFailed, with anything', (admission, value) => admission.bodyFailed(value, value)],
  ];

  it.each(ends)('%s, and no permit stays out', (_, end) => {
    const rules = [
      { name: 'slow', responseHeader: { 'x-a': 'b' }, outcome: 'failure' },
      { name: 'wait', status: 429, retryAfter: true, outcome: 'hold' },
    ] as const;
    for (const options of [{}, { rules }, { level: 'host' }] as HttpCircuitBreakerOptions[]) {
      for (const value of hostile) {
        const rig = new Rig(options);
        const admission = rig.admit();
        expect(() => end(admission, value as never)).not.toThrow();
        for (const { callsInFlight } of rig.http.snapshot().breakers) expect(callsInFlight).toBe(0);
      }
    }
  });

  it('bodyFailed, with anything after a response', () => {
    for (const value of hostile) {
      const rig = new Rig();
      const admission = rig.admit();
      admission.responded(200, value as never);
      expect(() => admission.bodyFailed(value, value as never)).not.toThrow();
      expect(rig.host.metrics().callsInFlight).toBe(0);
    }
  });

  it('admit, with a request that is none: it passes unguarded', () => {
    const rig = new Rig();
    for (const value of hostile) expect(() => rig.http.admit(value as never)).not.toThrow();
    for (const url of hostile) {
      expect(() => rig.http.admit({ method: 'GET', url: url as never })).not.toThrow();
      expect(() => rig.http.admit({ method: url as never, url: HOST })).not.toThrow();
    }
  });
});

describe('a function of the user’s that throws', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    ['partition', { partition: throwing }],
    ['key', { key: throwing }],
  ])(
    '%s: an error event tells, and the request is guarded by the derived keys',
    (name, options) => {
      const rig = new Rig(options);
      const errors = rig.hear('error');
      rig.respond(500, { times: 10 });
      expect(rig.keys).toEqual([HOST, USERS]);
      expect(rig.refusal()?.breaker).toBe(USERS);
      expect(errors[0]).toMatchObject({ type: 'error', error: broken, source: name });
      expect(errors).toHaveLength(11);
    },
  );

  it.each<[name: string, options: HttpCircuitBreakerOptions]>([
    ['partition', { partition: () => 7 as never }],
    ['partition', { partition: () => null as never }],
    ['partition', { partition: () => Symbol('s') as never }],
    ['partition', { partition: () => ({}) as never }],
    ['key', { key: () => 7 as never }],
    ['key', { key: () => null as never }],
    ['key', { key: () => '' }],
    ['key', { key: () => [] as never }],
    ['key', { key: () => ({ host: '' }) }],
    ['key', { key: () => ({ endpoint: 7 }) as never }],
    ['key', { key: () => ({ endpiont: 'x' }) as never }],
  ])('or a %s that answers no text: the same', (name, options) => {
    const rig = new Rig(options);
    const errors = rig.hear('error');
    rig.respond(200);
    expect(rig.keys).toEqual([HOST, USERS]);
    expect(errors).toMatchObject([{ source: name, error: expect.any(TypeError) as unknown }]);
  });

  it.each(['partition', 'key'])('or a %s that is async: its rejection is taken care of', (name) => {
    const rejected = Promise.reject(broken);
    const then = vi.spyOn(rejected, 'then');
    const rig = new Rig({ [name]: () => rejected });
    const errors = rig.hear('error');
    rig.respond(200);
    const calls = then.mock.calls.length;
    rejected.catch(() => {});
    expect(errors).toMatchObject([{ source: name }]);
    expect(calls).toBeGreaterThan(0);
  });

  it('when: its row is passed over, and an error event tells', () => {
    const rig = new Rig({ rules: [{ name: 'mine', when: throwing, outcome: 'trip' }] });
    const errors = rig.hear('error');
    rig.respond(200);
    rig.respond(500);
    expect(rig.host.metrics()).toMatchObject({
      numberOfSuccessfulCalls: 1,
      numberOfFailedCalls: 1,
    });
    expect(errors).toMatchObject([
      { error: broken, source: "when of the row 'mine'" },
      { error: broken, source: "when of the row 'mine'" },
    ]);
  });

  it('when, asked about a body: the error event does not wait for another call', () => {
    const rig = new Rig({ rules: [{ error: 'any', when: throwing, outcome: 'ignore' }] });
    const errors = rig.hear('error');
    const admission = rig.admit();
    admission.responded(200);
    admission.bodyFailed(new DOMException('gone', 'AbortError'));
    expect(errors).toHaveLength(1);
  });

  it('a listener: the call and the listeners after it are not harmed', () => {
    const rig = new Rig();
    rig.http.on('success', throwing);
    rig.http.on('breakerAdded', throwing);
    rig.http.on('failure', () => Promise.reject(broken));
    const heard = rig.hear('success', 'failure');
    const errors = rig.hear('error');
    rig.respond(200);
    rig.respond(500);
    expect(heard).toHaveLength(4);
    expect(errors.map(({ source }) => source)).toEqual([
      "a listener for 'breakerAdded'",
      "a listener for 'breakerAdded'",
      "a listener for 'success'",
      "a listener for 'success'",
    ]);
  });

  it('a clock: time stands still, and calls pass', () => {
    const rig = new Rig();
    const now = vi.spyOn(rig.clock, 'now').mockImplementation(throwing);
    const errors = rig.hear('error');
    rig.respond(200);
    expect(errors[0]).toMatchObject({ source: 'clock', error: broken });
    now.mockRestore();
    rig.respond(500, { times: 10 });
    expect(rig.refusal()?.breaker).toBe(USERS);
  });

  it('a wait function: the breaker opens all the same', () => {
    const rig = new Rig({ breaker: { waitDurationInOpenState: throwing } });
    const errors = rig.hear('error');
    rig.respond(500, { times: 10 });
    expect(rig.refusal()).toMatchObject({ breaker: USERS, retryAfterMs: 60_001 });
    expect(errors).toMatchObject([{ source: 'waitDurationInOpenState', breaker: USERS }]);
  });

  it('is told by console.error where nobody listens to errors', () => {
    const rig = new Rig({ key: throwing });
    expect(() => rig.admit()).not.toThrow();
    expect(console.error).toHaveBeenCalledOnce();
    expect(vi.mocked(console.error).mock.calls[0]?.[1]).toBe(broken);
  });
});
