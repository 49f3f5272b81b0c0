import type { Check } from './check.ts';
import { errorOf } from './error-of.ts';
import { guarded } from './guarded.ts';
import type { Room } from './room.ts';

const networkFailure = ['endpoint: failure network', 'host: failure network'];

function inWorkerd(because: string, expected: unknown = networkFailure): Check['differs'] {
  const difference = { because, expected };
  return { workerd: difference, 'workerd without Node.js APIs': difference };
}

const connectionLost = inWorkerd('workerd says “Network connection lost.” of most faults');
const internalError = inWorkerd('workerd says “internal error” of it');

/** What a call without a response counts as. */
function ending(
  name: string,
  call: (room: Room, get: typeof fetch) => Promise<unknown>,
  expected: readonly string[],
  differs: Check['differs'] = {},
): Check {
  return {
    name,
    async run(room) {
      const { get, outcomes } = guarded();
      await errorOf(call(room, get));
      return outcomes;
    },
    expected,
    differs,
  };
}

export const endingChecks: readonly Check[] = [
  ending(
    'a refused connection is a failure of the host alone',
    (room, get) => get(room.world.refusingUrl),
    ['host: failure refused'],
    connectionLost,
  ),
  ending(
    'a host without an address is a failure of the host alone',
    (_, get) => get('http://nonexistent.invalid/'),
    ['host: failure dns'],
    internalError,
  ),
  ending(
    'a server that speaks no TLS is a failure of the host alone',
    (room, get) => get(room.url('200').replace('http:', 'https:')),
    ['host: failure tls'],
    internalError,
  ),
  ending(
    'a connection closed before the headers is a failure of the endpoint',
    (room, get) => get(room.url('close')),
    ['endpoint: failure reset', 'host: failure reset'],
    connectionLost,
  ),
  ending(
    'a connection reset before the headers is a failure of the endpoint',
    (room, get) => get(room.url('reset')),
    ['endpoint: failure reset', 'host: failure reset'],
    connectionLost,
  ),
  ending(
    'an answer that is no HTTP is a failure of the endpoint',
    (room, get) => get(room.url('garbage')),
    ['endpoint: failure protocol', 'host: failure protocol'],
    connectionLost,
  ),
  ending('redirects without end count as nothing', (room, get) => get(room.url('loop')), [
    'endpoint: ignored redirect-loop',
  ]),
  ending(
    'AbortSignal.timeout that runs out is a failure by the deadline',
    (room, get) => get(room.url('hang'), { signal: AbortSignal.timeout(50) }),
    ['endpoint: failure deadline', 'host: failure deadline'],
  ),
  ending(
    'AbortSignal.timeout of a Request is one, too',
    (room, get) => get(new Request(room.url('hang'), { signal: AbortSignal.timeout(50) })),
    ['endpoint: failure deadline', 'host: failure deadline'],
  ),
  ending('a caller who leaves counts as nothing', (room, get) => leave(room, get), [
    'endpoint: ignored cancel',
  ]),
  ending(
    'a caller who leaves with a reason of its own counts as nothing',
    (room, get) => leave(room, get, 'the page was closed'),
    ['endpoint: ignored cancel'],
  ),
  ending(
    'a call whose signal is aborted already is not asked about',
    (room, get) => get(room.url('200'), { signal: AbortSignal.abort() }),
    [],
  ),
  ending('a URL that is none is not asked about', (_, get) => get('http://'), []),
  ending(
    'a Request that was used counts as nothing',
    async (room, get) => {
      const request = new Request(room.url('echo'), { method: 'POST', body: 'once' });
      await request.text();
      await get(request);
    },
    ['endpoint: ignored local'],
  ),
  {
    name: 'the error is the very one that fetch gives',
    async run(room) {
      let thrown: unknown;
      const { get } = guarded({}, {}, async (...args) => {
        thrown = await errorOf(fetch(...args));
        throw thrown;
      });
      return (await errorOf(get(room.url('reset')))) === thrown;
    },
    expected: true,
  },
];

async function leave(room: Room, get: typeof fetch, reason?: string): Promise<void> {
  const controller = new AbortController();
  const call = get(room.url('hang'), { signal: controller.signal });
  void room.arrival().then(() => controller.abort(reason));
  await call;
}
