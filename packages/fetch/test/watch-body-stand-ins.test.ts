import { describe, expect, test } from 'vitest';
import { wrapFetch } from '../src/index.ts';
import { callsInFlight, endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { standIn } from './stand-in.ts';

const hostile = (): never => {
  throw new Error('hostile');
};

const plain = () => ({ status: 200, headers: {}, body: 'text', text: async () => 'text' });

/** A stand-in whose property throws when it is read. */
const throwing = (name: string) => Object.defineProperty(plain(), name, { get: hostile });

/** A stand-in that throws at one of the operations on it. */
const trapped = (trap: keyof ProxyHandler<object>) => new Proxy(plain(), { [trap]: hostile });

let statusReadings = 0;

const standIns: readonly [what: string, response: object][] = [
  ['a `bytes` that throws', throwing('bytes')],
  ['a `json` that throws', throwing('json')],
  ['a `clone` that throws', throwing('clone')],
  ['a trap of getOwnPropertyDescriptor', trapped('getOwnPropertyDescriptor')],
  ['a trap of defineProperty', trapped('defineProperty')],
  [
    'a trap of getPrototypeOf, and no body',
    new Proxy({ status: 200, headers: {} }, { getPrototypeOf: hostile }),
  ],
  [
    'a status that can be read once',
    {
      headers: {},
      get status() {
        return statusReadings++ === 0 ? 200 : hostile();
      },
    },
  ],
];

describe('a stand-in of a response, of which bodies are watched,', () => {
  test.for(standIns)('with %s comes to the caller as it is', async ([, response]) => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    const api = wrapFetch(
      standIn(() => response),
      breaker,
      { watchBody: true },
    );

    expect((await api('http://api.example.com/')) === response).toBe(true);

    expect(outcomes).toEqual(['success 200']);
    expect(callsInFlight(breaker)).toEqual([0]);
  });
});
