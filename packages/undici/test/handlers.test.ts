import type { Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { circuitBreakerInterceptor, honestRetryAfter, isCallNotPermitted } from '../src/index.ts';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { requestTo } from './clients.ts';

type Call = readonly [method: string, ...args: unknown[]];
/** A handler, with whatever methods. */
type Methods = Record<string, (...args: unknown[]) => unknown>;

const CONTROLLER = { aborted: false, reason: null, pause() {}, resume() {}, abort() {} };
const raw = (...texts: string[]): Buffer[] => texts.map((each) => Buffer.from(each));

const newCalls: readonly Call[] = [
  ['onRequestStart', CONTROLLER, { history: [] }],
  ['onBodySent', Buffer.from('upload')],
  ['onRequestSent'],
  ['onResponseStarted'],
  ['onResponseStart', CONTROLLER, 103, { link: '<a>' }, 'Early Hints'],
  ['onResponseStart', CONTROLLER, 200, { 'x-one': '1' }, 'OK'],
  ['onResponseData', CONTROLLER, Buffer.from('body')],
  ['onResponseEnd', CONTROLLER, { 'x-two': '2' }],
  ['onRequestUpgrade', CONTROLLER, 101, {}, 'socket'],
  ['onResponseError', CONTROLLER, new Error('late')],
];

const legacyCalls: readonly Call[] = [
  ['onBodySent', Buffer.from('upload')],
  ['onRequestSent'],
  ['onResponseStarted'],
  ['onHeaders', 103, raw('link', '<a>'), () => {}, 'Early Hints'],
  ['onHeaders', 200, raw('x-one', '1'), () => {}, 'OK'],
  ['onData', Buffer.from('body')],
  ['onComplete', raw('x-two', '2')],
  ['onUpgrade', 101, raw(), 'socket'],
  ['onError', new Error('late')],
];

/** A dispatcher of the test's own, behind a breaker. */
function guarded(dispatch: (handler: Methods) => unknown) {
  const breaker = endpointBreaker({}, { rules: honestRetryAfter });
  const bare = (_request: unknown, handler: unknown): boolean => {
    dispatch(handler as Methods);
    return false;
  };
  const behind = circuitBreakerInterceptor(breaker)(bare as Dispatcher['dispatch']);
  const send = (handler: object): boolean =>
    behind(requestTo('http://api.example.com/'), handler as Dispatcher.DispatchHandler);
  return { breaker, outcomes: outcomesOf(breaker), send };
}

describe.each([
  ['a handler', newCalls, 'onRequestStart'],
  ["a handler of undici 6's", legacyCalls, 'onConnect'],
] as const)('%s', (_name, calls, first) => {
  test('hears everything as it is said, and is answered as it answers', () => {
    const heard: Call[] = [];
    class Handler {
      // What is on a prototype and reads private fields breaks if it is called on anything else.
      readonly #heard = heard;

      hear(method: string, args: unknown[]): string {
        this.#heard.push([method, ...args]);
        return `from ${method}`;
      }
    }
    for (const method of new Set([first, ...calls.map(([name]) => name)])) {
      Object.defineProperty(Handler.prototype, method, {
        value(this: Handler, ...args: unknown[]) {
          return this.hear(method, args);
        },
      });
    }
    const answers: unknown[] = [];
    const { send, breaker, outcomes } = guarded((handler) => {
      for (const [method, ...args] of calls) answers.push(handler[method]!(...args));
    });

    expect(send(new Handler())).toBe(false);

    expect(heard).toEqual(calls);
    expect(answers).toEqual(calls.map(([method]) => `from ${method}`));
    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });

  test('may lack any method but the one it is known by', () => {
    const { send, outcomes } = guarded((handler) => {
      for (const [method, ...args] of calls) handler[method]!(...args);
    });

    send({ [first]() {} });

    expect(outcomes).toEqual(['success 200']);
  });

  test('can be spread by an interceptor inside', () => {
    const { send, outcomes } = guarded((handler) => {
      const spread: Methods = { ...handler };
      for (const [method, ...args] of calls) spread[method]!(...args);
    });

    send({ [first]() {} });

    expect(outcomes).toEqual(['success 200']);
  });
});

describe("a handler of undici 6's", () => {
  test('is told of a refusal', () => {
    const { breaker, send } = guarded(() => expect.unreachable());
    breaker.control('*').forceOpen({ reason: 'test' });
    const errors: unknown[] = [];

    expect(send({ onConnect() {}, onError: (error: unknown) => errors.push(error) })).toBe(true);

    expect(errors).toHaveLength(1);
    expect(isCallNotPermitted(errors[0])).toBe(true);
  });

  test('has its headers understood', () => {
    const { send, outcomes } = guarded((handler) => {
      handler['onConnect']!(() => {});
      handler['onHeaders']!(503, raw('Date', 'now', 'Retry-After', '60'), () => {}, '');
    });

    send({ onConnect() {} });

    expect(outcomes).toEqual(['closed to open']);
  });

  test('that aborts has left, whatever reason it gives', () => {
    const reason = Object.assign(new Error('mine'), { code: 'ECONNRESET' });
    const aborted: unknown[] = [];
    const { send, outcomes } = guarded((handler) => {
      handler['onConnect']!((given: unknown) => aborted.push(given));
      handler['onError']!(reason);
    });

    send({ onConnect: (abort: (reason: unknown) => void) => abort(reason), onError() {} });

    expect(aborted).toEqual([reason]);
    expect(outcomes).toEqual(['ignored cancel']);
  });
});
