// One call of each client that is refused by its adapter, and one that fails as deep within the
// client without any: the least that the client itself takes for a call that fails.

import { HttpCircuitBreaker } from '@recloser/core';

type Call = () => Promise<unknown>;

const url = 'http://api.example.com/items/42';
const failure = new Error('not sent');

const fail = async (): Promise<never> => {
  throw failure;
};

function open(): HttpCircuitBreaker {
  const breaker = new HttpCircuitBreaker();
  breaker.control('*').forceOpen({ reason: 'benchmark' });
  return breaker;
}

interface Calls {
  readonly guarded: Call;
  readonly floor: Call;
}

export const refusedCalls = {
  fetch: async () => {
    const { wrapFetch } = await import('@recloser/fetch');
    const guarded = wrapFetch(fetch, open());
    return { guarded: () => guarded(url), floor: fail };
  },

  undici: async () => {
    const { circuitBreakerInterceptor } = await import('@recloser/undici');
    const { Agent, request } = await import('undici');
    const guarded = new Agent().compose(circuitBreakerInterceptor(open()));
    const failing = new Agent().compose(() => (_options, handler) => {
      queueMicrotask(() => handler.onResponseError?.(undefined as never, failure));
      return true;
    });
    return {
      guarded: () => request(url, { dispatcher: guarded }),
      floor: () => request(url, { dispatcher: failing }),
    };
  },

  axios: async () => {
    const { addCircuitBreaker } = await import('@recloser/axios');
    const { default: axios } = await import('axios');
    const guarded = addCircuitBreaker(axios.create(), open());
    const failing = axios.create({ adapter: fail });
    return { guarded: () => guarded.get(url), floor: () => failing.get(url) };
  },

  got: async () => {
    const { circuitBreaker } = await import('@recloser/got');
    const { default: got } = await import('got');
    const plain = got.extend({ retry: { limit: 0 } });
    const guarded = plain.extend(circuitBreaker(open()));
    const failing = plain.extend({ hooks: { beforeRequest: [fail] } });
    return { guarded: () => guarded.get(url), floor: () => failing.get(url) };
  },

  ky: async () => {
    const { circuitBreaker } = await import('@recloser/ky');
    const { default: ky } = await import('ky');
    const plain = ky.create({ retry: 0, timeout: false });
    const guarded = plain.extend(circuitBreaker(open()));
    const failing = plain.extend({ fetch: fail });
    return { guarded: () => guarded.get(url).text(), floor: () => failing.get(url).text() };
  },
} as const satisfies Readonly<Record<string, () => Promise<Calls>>>;
