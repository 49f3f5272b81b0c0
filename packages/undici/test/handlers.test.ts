import type { Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import {
  circuitBreakerInterceptor,
  honestRetryAfter,
  isCallNotPermitted,
  type FallbackAnswer,
  type FallbackOn,
  type UndiciOptions,
} from '../src/index.ts';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { startServer } from '@recloser/test-support/server';
import { agent, guard, requestTo } from './clients.ts';

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
function guarded(dispatch: (handler: Methods) => unknown, options: UndiciOptions<FallbackOn> = {}) {
  const breaker = endpointBreaker({}, { rules: honestRetryAfter });
  const bare = (_request: unknown, handler: unknown): boolean => {
    dispatch(handler as Methods);
    return false;
  };
  const behind = circuitBreakerInterceptor(breaker, options)(bare as Dispatcher['dispatch']);
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
      for (const [method, ...args] of calls) handler[method]?.(...args);
    });

    send({ [first]() {} });

    expect(outcomes).toEqual(['success 200']);
  });

  test('can be spread by an interceptor inside', () => {
    const { send, outcomes } = guarded((handler) => {
      const spread: Methods = { ...handler };
      for (const [method, ...args] of calls) spread[method]?.(...args);
    });

    send({ [first]() {} });

    expect(outcomes).toEqual(['success 200']);
  });
});

describe("a handler of undici 6's", () => {
  test('is told of a refusal, as soon as the call has returned', async () => {
    const { breaker, send } = guarded(() => expect.unreachable());
    breaker.control('*').forceOpen({ reason: 'test' });
    const errors: unknown[] = [];

    expect(send({ onConnect() {}, onError: (error: unknown) => errors.push(error) })).toBe(true);
    expect(errors).toEqual([]);
    await Promise.resolve();

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

test.for([
  ['of an upgrade', 'onRequestUpgrade', { upgrade: 'something' }],
  ['of a body', 'onResponseData', {}],
  ['of an end', 'onResponseEnd', {}],
] as const)(
  'a handler that can not be told %s is refused by the dispatcher, and nothing is sent',
  async ([, method, options]) => {
    await using server = await startServer();
    await using made = agent();
    const { outcomes, interceptor } = guard();
    const handler = {
      onRequestStart() {},
      onRequestUpgrade() {},
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd() {},
      onResponseError: (_controller: unknown, error: Error) => void errors.push(error.message),
      [method]: undefined,
    };
    const errors: string[] = [];

    made.compose(interceptor).dispatch(requestTo(server.url, options), handler as never);

    expect(errors).toEqual([`invalid ${method} method`]);
    expect(outcomes).toEqual(['ignored local']);
    expect(server.requests).toEqual([]);
  },
);

describe('while the fallback decides', () => {
  /** The fallback leaves the call as it is, when the test has it do so. */
  function deciding(dispatch: (handler: Methods) => unknown) {
    let giveBack = (): void => {};
    const made = guarded(dispatch, {
      fallbackOn: 'failure',
      fallback: (cause) =>
        new Promise((resolve) => {
          giveBack = () => resolve(cause as FallbackAnswer);
        }),
    });
    const leave = async (): Promise<void> => {
      giveBack();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { ...made, leave };
  }

  test('the connection is paused, and then goes on', async () => {
    const told: string[] = [];
    const connection = {
      ...CONTROLLER,
      pause: () => void told.push('pause'),
      resume: () => void told.push('resume'),
    };
    const { send, leave } = deciding((handler) => {
      handler['onRequestStart']!(connection, {});
      handler['onResponseStart']!(connection, 503, {}, '');
    });

    send({ onRequestStart() {}, onResponseStart: () => void told.push('headers') });
    expect(told).toEqual(['pause']);
    await leave();

    expect(told).toEqual(['pause', 'resume', 'headers']);
  });

  test("a connection of undici 6's is, too", async () => {
    const flows: unknown[] = [];
    const told: string[] = [];
    const { send, leave } = deciding((handler) => {
      handler['onConnect']!(() => {});
      flows.push(handler['onHeaders']!(503, raw(), () => told.push('resume'), ''));
      flows.push(handler['onData']!(Buffer.from('body')));
    });

    send({
      onConnect() {},
      onHeaders: () => void told.push('headers'),
      onData: () => void told.push('data'),
    });
    expect(flows).toEqual([false, false]);
    expect(told).toEqual([]);
    await leave();

    expect(told).toEqual(['resume', 'headers', 'data']);
  });

  test('nothing is lost that a handler throws when it is told at last', async () => {
    const error = new Error('mine');
    const aborted: unknown[] = [];
    const connection = { ...CONTROLLER, abort: (reason: unknown) => void aborted.push(reason) };
    const { send, leave } = deciding((handler) => {
      handler['onRequestStart']!(connection, {});
      handler['onResponseStart']!(connection, 503, {}, '');
    });

    send({
      onRequestStart() {},
      onResponseStart() {
        throw error;
      },
    });
    await leave();

    expect(aborted).toEqual([error]);
  });
});

describe("an answer, for a handler of undici 6's,", () => {
  test('comes as slowly as it is taken', async () => {
    const { breaker, send } = guarded(() => expect.unreachable(), {
      fallback: () => ({ body: 'from the fallback' }),
    });
    breaker.control('*').forceOpen({ reason: 'test' });
    const heard: string[] = [];
    let resume = (): void => {};

    send({
      onConnect: () => void heard.push('connect'),
      onHeaders(status: number, _headers: unknown, goOn: () => void) {
        heard.push(`headers ${status}`);
        resume = goOn;
        return false;
      },
      onData(chunk: Uint8Array) {
        heard.push(String(chunk));
        return false;
      },
      onComplete: () => void heard.push('end'),
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['connect', 'headers 200']);
    resume();
    expect(heard).toEqual(['connect', 'headers 200', 'from the fallback']);
    resume();

    expect(heard).toEqual(['connect', 'headers 200', 'from the fallback', 'end']);
  });
});

test('an answer comes after its handler has returned, though that pauses and resumes', async () => {
  const { breaker, send } = guarded(() => expect.unreachable(), {
    fallback: () => ({ body: 'from the fallback' }),
  });
  breaker.control('*').forceOpen({ reason: 'test' });
  const heard: string[] = [];

  send({
    onRequestStart() {},
    onResponseStart(controller: typeof CONTROLLER) {
      controller.pause();
      controller.resume();
      heard.push('headers');
    },
    onResponseData: () => void heard.push('data'),
    onResponseEnd: () => void heard.push('end'),
  });
  await new Promise((resolve) => setImmediate(resolve));

  expect(heard).toEqual(['headers', 'data', 'end']);
});

test('what a handler throws that is told of an error late is uncaught, as it is without a breaker', async () => {
  const error = new Error('mine');
  const uncaught = new Promise((resolve) => process.setUncaughtExceptionCaptureCallback(resolve));
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const { send } = guarded((handler) => handler['onResponseError']!(null, reset), {
    fallbackOn: 'failure',
    fallback: (cause) => cause as FallbackAnswer,
  });

  send({
    onRequestStart() {},
    onResponseError() {
      throw error;
    },
  });

  expect(await uncaught).toBe(error);
  process.setUncaughtExceptionCaptureCallback(null);
});

test.for(['UND_ERR_REQ_RETRY', 'UND_ERR_RESPONSE', 'UND_ERR_RESPONSE_STATUS_CODE'])(
  'an error that was made of a response counts by its status: %s',
  (code) => {
    const error = Object.assign(new Error('failed'), { code, statusCode: 503 });
    const { send, outcomes } = guarded((handler) => handler['onResponseError']!(null, error));

    send({ onRequestStart() {} });

    expect(outcomes).toEqual(['failure 503']);
  },
);
