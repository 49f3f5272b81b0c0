import { wrapFetch, type FallbackOn, type WrapFetchOptions } from '@recloser/fetch';
import { hookedByHand, retriedByHand } from './by-hand.ts';
import { initOf } from './init-of.ts';
import type { Capabilities, ContractRequest, Driver } from '../contract.ts';

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const lacks: Capabilities['lacks'] = {
  http2: "Node's fetch speaks HTTP/1.1",
  timeout: 'fetch has no timeout of its own',
  'body timeout': 'fetch has no timeout of its own',
  'connect timeout': 'fetch has no timeout of its own',
  retries: 'fetch has none of its own: a loop makes them',
  count: 'the loop is what is wrapped',
  'left out': 'fetch takes no options of others',
};

const differs: Capabilities['differs'] = {
  '100 Continue': {
    outcomes: ['failure reset'],
    because: "Node's fetch breaks off where it did not ask to continue",
  },
};

export const fetchDrivers: readonly Driver[] = [
  {
    name: 'fetch',
    make: driver({}),
    capabilities: {
      differs,
      failureAnswered: 'attempt',
      lacks: {
        ...lacks,
        'watched bodies': 'bodies are watched only where asked for',
        'watched decoding': 'bodies are watched only where asked for',
      },
    },
  },
  {
    name: 'fetch with watchBody',
    make: driver({ watchBody: true }),
    capabilities: { lacks, differs, failureAnswered: 'attempt' },
  },
];

function driver(options: WrapFetchOptions<Response, FallbackOn>): Driver['make'] {
  return (breaker, { fallback, fallbackOn, count = 'attempt', twice, hooks = {} } = {}) => {
    const all: WrapFetchOptions<Response, FallbackOn> = {
      ...options,
      fallback: fallback && ((cause, request) => new Response(fallback(cause, request))),
      fallbackOn,
    };
    const guard = (inner: Fetch): Fetch => {
      if (breaker === undefined) return inner;
      const once = wrapFetch(inner, breaker, all);
      return twice ? wrapFetch(once, breaker, all) : once;
    };
    const inside: Fetch = async (url, init) => {
      await hooks.inside?.();
      return fetch(url, init);
    };
    const retrying = (inner: Fetch, { retries = { limit: 0 } }: ContractRequest): Fetch => {
      const isFailure = (response: Response): boolean => !response.ok;
      return (url, init) => retriedByHand(retries, () => inner(url, init), isFailure);
    };
    return {
      async call(request) {
        const composed =
          count === 'call' ? guard(retrying(inside, request)) : retrying(guard(inside), request);
        const response = await hookedByHand(
          hooks,
          () => composed(request.url, initOf(request)),
          (text) => new Response(text),
        );
        return {
          status: response.status,
          text: () => response.text(),
          leave: () => response.body?.cancel(),
          original: response,
        };
      },
    };
  };
}
