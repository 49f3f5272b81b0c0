import { describe, expect, it } from 'vitest';
import type * as errors from '../../src/breaker/errors.ts';
import { CallNotPermittedError, getCallNotPermitted, isCallNotPermitted } from '../../src/index.ts';
import { manualBreaker } from './manual-breaker.ts';

const refusal = manualBreaker({ initialState: 'forced-open' }).breaker.refusal();
const wrapped = (cause: unknown, levels = 1): Error =>
  levels === 0 ? (cause as Error) : new Error('wrapped', { cause: wrapped(cause, levels - 1) });

const hostile = (property: string): object =>
  Object.defineProperty({}, property, {
    get() {
      throw new Error('hostile');
    },
  });

const throwingProxy = new Proxy(
  {},
  {
    get() {
      throw new Error('hostile');
    },
    has() {
      throw new Error('hostile');
    },
    getPrototypeOf() {
      throw new Error('hostile');
    },
  },
);

describe('isCallNotPermitted and getCallNotPermitted', () => {
  it('find the refusal itself', () => {
    expect(isCallNotPermitted(refusal)).toBe(true);
    expect(getCallNotPermitted(refusal)).toBe(refusal);
  });

  it.each([1, 2, 10, 1000])('find it %i causes deep', (levels) => {
    expect(isCallNotPermitted(wrapped(refusal, levels))).toBe(true);
    expect(getCallNotPermitted(wrapped(refusal, levels))).toBe(refusal);
  });

  it('find it in objects that are no errors', () => {
    expect(getCallNotPermitted({ cause: { cause: refusal } })).toBe(refusal);
    expect(getCallNotPermitted({ __proto__: null, cause: refusal })).toBe(refusal);
  });

  it('find a subclass', () => {
    class Special extends CallNotPermittedError {}
    const special = new Special({ breaker: 'x', state: 'open', reason: 'open', retryAfterMs: 1 });
    expect(getCallNotPermitted(wrapped(special))).toBe(special);
  });

  it('find a refusal of another copy of the package', async () => {
    const copy = new URL('../../src/breaker/errors.ts?copy', import.meta.url).href;
    const other = (await import(copy)) as typeof errors;
    expect(other.CallNotPermittedError).not.toBe(CallNotPermittedError);
    const foreign = new other.CallNotPermittedError({
      breaker: 'other',
      state: 'forced-open',
      reason: 'forced-open',
    });
    expect(foreign).not.toBeInstanceOf(CallNotPermittedError);
    expect(getCallNotPermitted(wrapped(foreign))).toBe(foreign);
    expect(other.isCallNotPermitted(wrapped(refusal))).toBe(true);

    const { breaker, events } = manualBreaker();
    breaker.acquire().error(wrapped(foreign));
    expect(events).toMatchObject([{ type: 'ignored' }]);
  });

  it.each<[value: unknown]>([
    [undefined],
    [null],
    [0],
    ['ERR_CALL_NOT_PERMITTED'],
    [Symbol('refusal')],
    [new Error('busy')],
    [wrapped(new Error('busy'), 3)],
    [wrapped('text')],
    [{ name: 'CallNotPermittedError', code: 'ERR_CALL_NOT_PERMITTED' }],
    [() => refusal],
  ])('find nothing in %s', (value) => {
    expect(isCallNotPermitted(value)).toBe(false);
    expect(getCallNotPermitted(value)).toBeUndefined();
  });

  it('end where causes go round', () => {
    const first = new Error('first');
    const second = new Error('second', { cause: first });
    first.cause = second;
    expect(isCallNotPermitted(first)).toBe(false);
    const own = new Error('own');
    own.cause = own;
    expect(isCallNotPermitted(own)).toBe(false);
  });

  it('never throw, whatever a getter or a Proxy does', () => {
    expect(isCallNotPermitted(hostile('cause'))).toBe(false);
    expect(isCallNotPermitted(throwingProxy)).toBe(false);
    expect(isCallNotPermitted(wrapped(throwingProxy, 2))).toBe(false);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(isCallNotPermitted(proxy)).toBe(false);
  });

  it('give a chain up that has no end', () => {
    let reads = 0;
    const endless = (): object => ({
      get cause() {
        if (++reads > 100_000) throw new Error('still reading');
        return endless();
      },
    });
    expect(isCallNotPermitted(endless())).toBe(false);
    expect(reads).toBeLessThanOrEqual(100_000);
  });
});

describe('a breaker', () => {
  it('counts a hostile error as the failure that it is', async () => {
    const { breaker, events } = manualBreaker();
    for (const error of [hostile('cause'), hostile('name'), hostile('code'), throwingProxy]) {
      const call = breaker.execute(() => Promise.reject(error as Error));
      expect(await call.catch((thrown: unknown) => thrown === error)).toBe(true);
    }
    expect(events.map(({ type }) => type)).toEqual(['failure', 'failure', 'failure', 'failure']);
    breaker.transitionToOpenState();
    expect(breaker.refusal()).toBeInstanceOf(CallNotPermittedError);
  });
});
