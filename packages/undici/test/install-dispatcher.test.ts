import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  Agent,
  fetch as undiciFetch,
  getGlobalDispatcher,
  MockAgent,
  request,
  setGlobalDispatcher,
} from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { circuitBreakerInterceptor, installDispatcher, isCallNotPermitted } from '../src/index.ts';
import { node22 } from '@recloser/test-support/node-22';
import { endpointBreaker } from '@recloser/test-support/outcomes';
import { startServer, status } from '@recloser/test-support/server';
import { guard } from './clients.ts';

const original = getGlobalDispatcher();

afterEach(() => {
  setGlobalDispatcher(original);
});

/** Everything that goes by the global dispatcher. */
const clients = {
  "Node's own fetch": async (url: string) => (await fetch(url)).status,
  "undici's fetch": async (url: string) => (await undiciFetch(url)).status,
  request: async (url: string) => {
    const { statusCode, body } = await request(url);
    await body.dump();
    return statusCode;
  },
};

describe.each(Object.entries(clients))('%s', (_name, call) => {
  test('is guarded until the dispatcher is restored', async () => {
    await using server = await startServer(status(503));
    const { breaker, outcomes } = guard(endpointBreaker({ consecutiveFailureThreshold: 2 }));

    const restore = installDispatcher(breaker);
    expect(await call(server.url)).toBe(503);
    expect(await call(server.url)).toBe(503);
    const refused: unknown = await call(server.url).catch((error: unknown) => error);
    expect(isCallNotPermitted(refused)).toBe(true);
    restore();

    expect(await call(server.url)).toBe(503);
    expect(outcomes).toEqual(['failure 503', 'failure 503', 'closed to open', 'refused open']);
    expect(server.requests).toHaveLength(3);
  });
});

describe('the global dispatcher', () => {
  test('is the very one again after it was restored, for each version that is kept', () => {
    const kept = (): unknown[] =>
      [1, 2].map((version) =>
        Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${version}`)),
      );
    const before = kept();

    const restore = installDispatcher();
    expect(getGlobalDispatcher()).not.toBe(original);
    expect(kept()).not.toContain(before[0]);
    expect(kept()).not.toContain(before[1]);
    restore();

    expect(kept()).toEqual(before);
    expect(getGlobalDispatcher()).toBe(original);
  });

  test('takes options', async () => {
    const breaker = endpointBreaker();
    breaker.control('*').forceOpen({ reason: 'test' });
    const restore = installDispatcher(breaker, { fallback: () => ({ body: 'from the fallback' }) });

    const response = await fetch('http://api.example.invalid');
    restore();

    expect(await response.text()).toBe('from the fallback');
  });

  test('is left as it is by a wrong option', () => {
    expect(() => installDispatcher({ breakers: {} } as object)).toThrow(TypeError);
    expect(() => installDispatcher(new Agent() as object)).toThrow(
      new TypeError('options must be a plain object, but is an Agent'),
    );
    expect(() => installDispatcher({}, { fallbackon: 'failure' } as object)).toThrow(
      /installDispatcher: .*did you mean 'fallbackOn'/,
    );

    expect(getGlobalDispatcher()).toBe(original);
  });

  test('is left as it is where it can not be composed', () => {
    const plain = { dispatch: () => true };
    setGlobalDispatcher(plain as unknown as Agent);

    expect(() => installDispatcher()).toThrow('no global dispatcher');

    expect(getGlobalDispatcher()).toBe(plain);
  });
});

describe('restoring', () => {
  test('beneath a dispatcher that was set later leaves that, and passes its requests', async () => {
    await using server = await startServer();
    const { breaker, outcomes } = guard();
    const restore = installDispatcher(breaker);
    const later = getGlobalDispatcher().compose(
      (dispatch) => (options, handler) => dispatch(options, handler),
    );
    setGlobalDispatcher(later);
    await clients.request(server.url);

    restore();

    expect(getGlobalDispatcher()).toBe(later);
    for (const call of Object.values(clients)) expect(await call(server.url)).toBe(200);
    expect(outcomes).toEqual(['success 200']);
  });

  test('twice does nothing more', () => {
    const restore = installDispatcher();
    restore();
    const later = new Agent();
    setGlobalDispatcher(later);

    restore();

    expect(getGlobalDispatcher()).toBe(later);
  });

  test.for([
    [0, 1],
    [1, 0],
  ])('one of two breakers leaves the other at work: %i, then %i', async ([first, second]) => {
    await using server = await startServer();
    const both = [guard(), guard()];
    const restores = both.map(({ breaker }) => installDispatcher(breaker));
    await clients.request(server.url);

    restores[first!]!();
    await clients.request(server.url);
    restores[second!]!();
    await clients.request(server.url);

    expect(both[first!]!.outcomes).toEqual(['success 200']);
    expect(both[second!]!.outcomes).toEqual(['success 200', 'success 200']);
  });

  test('one of two installs of the same breaker leaves the other', async () => {
    await using server = await startServer();
    const { breaker, outcomes } = guard();
    const restores = [installDispatcher(breaker), installDispatcher(breaker)];
    await clients.request(server.url);
    restores[0]!();
    await clients.request(server.url);
    restores[1]!();

    await clients.request(server.url);

    expect(outcomes).toEqual(['success 200', 'success 200']);
  });
});

describe('a MockAgent', () => {
  test('that is set already is beneath the breaker', async () => {
    const mocks = new MockAgent();
    mocks.disableNetConnect();
    mocks.get('http://api.example.com').intercept({ path: '/' }).reply(503).times(3);
    setGlobalDispatcher(mocks);
    const { breaker, outcomes } = guard();

    const restore = installDispatcher(breaker);
    for (const call of Object.values(clients)) await call('http://api.example.com/');
    restore();

    expect(outcomes).toEqual(['failure 503', 'failure 503', 'failure 503']);
    expect(getGlobalDispatcher()).toBe(mocks);
    await mocks.close();
  });

  test('that is set later takes its place, and the breaker is composed over it by the test', async () => {
    const { breaker, outcomes } = guard();
    const restore = installDispatcher(breaker);
    const mocks = new MockAgent();
    mocks.get('http://api.example.com').intercept({ path: '/' }).reply(200).times(2);

    setGlobalDispatcher(mocks);
    await clients.request('http://api.example.com/');
    expect(outcomes).toEqual([]);
    setGlobalDispatcher(mocks.compose(circuitBreakerInterceptor(breaker)));
    await clients.request('http://api.example.com/');
    restore();

    expect(outcomes).toEqual(['success 200']);
    await mocks.close();
  });
});

const run = promisify(execFile);

test.for([
  ['22', node22],
  [process.versions.node, process.execPath],
] as const)("Node %s's own fetch is guarded where npm's undici is not loaded", async ([, node]) => {
  const script = fileURLToPath(new URL('own-fetch.ts', import.meta.url));

  const { stdout } = await run(node, ['--conditions=@recloser/source', '--no-warnings', script]);

  expect(JSON.parse(stdout)).toEqual({
    read: 'body',
    large: 4_000_000,
    'left as it is': [503, '/failing', 'body'],
    closed: 'TypeError',
    deadline: 'TimeoutError',
    outcomes: [
      'success 200',
      'success 200',
      'failure 503',
      'failure reset',
      'failure deadline',
      'success 200',
      'success 200',
    ],
    refused: ['TypeError', true],
    answered: [203, 'fallback', 'from the fallback'],
    socket: 'refused',
    restored: 200,
    dispatcher: 'Agent',
  });
});

test.for([
  ['22', node22],
  [process.versions.node, process.execPath],
] as const)(
  'Node %s makes its dispatcher to be composed, though nothing was fetched',
  async ([, node]) => {
    const index = new URL('../src/index.ts', import.meta.url).href;
    const script = `import(${JSON.stringify(index)}).then((it) => console.log(typeof it.installDispatcher()))`;

    const { stdout } = await run(node, [
      '--conditions=@recloser/source',
      '--no-warnings',
      '-e',
      script,
    ]);

    expect(stdout).toBe('function\n');
  },
);
