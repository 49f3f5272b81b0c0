import { wrapFetch } from '@recloser/fetch';
import { circuitBreaker, type FallbackOn, type KyBreakerOptions } from '@recloser/ky';
import ky, { isHTTPError, type Options, type ResponsePromise } from 'ky';
import { hookedByHand } from './by-hand.ts';
import { initOf } from './init-of.ts';
import type { Capabilities, ContractReply, ContractRequest, Driver, Hooks } from '../contract.ts';

const isFloor = process.env['CLIENTS'] === 'floor';

const lacks: Capabilities['lacks'] = {
  http2: "Node's fetch speaks HTTP/1.1",
  'connect timeout': 'the timeout of ky is for the whole attempt',
  count: 'no hook of ky sees every end of a call: README tells how to compose it',
  ...(isFloor && { 'body timeout': 'ky 2.0 has no timeout for bodies' }),
};

const differs: Capabilities['differs'] = {
  '100 Continue': {
    outcomes: ['failure reset'],
    because: "Node's fetch breaks off where it did not ask to continue",
  },
};

export const kyDrivers: readonly Driver[] = [
  {
    name: 'ky',
    make: driver({}, byOptions),
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
    name: 'ky with watchBody',
    make: driver({ watchBody: true }, byOptions),
    capabilities: { lacks, differs, failureAnswered: 'attempt' },
  },
  {
    name: 'ky with watchBody, given a Request',
    make: driver({ watchBody: true }, byRequest),
    capabilities: { lacks, differs, failureAnswered: 'attempt' },
  },
];

type Arguments = [input: string | Request, options: Options];

function driver(
  options: KyBreakerOptions<FallbackOn>,
  argumentsOf: (request: ContractRequest) => Arguments,
): Driver['make'] {
  return (breaker, { fallback, fallbackOn, count = 'attempt', twice, hooks = {} } = {}) => {
    const answer = fallback && {
      fallback: (...args: Parameters<typeof fallback>) => new Response(fallback(...args)),
      fallbackOn,
    };
    let api = ky.create(madeWith(hooks));
    if (breaker !== undefined && count === 'attempt') {
      for (let times = twice ? 2 : 1; times > 0; times--) {
        api = api.extend(circuitBreaker(breaker, { ...options, ...answer }));
      }
    }
    const send = (request: ContractRequest): ResponsePromise => api(...argumentsOf(request));
    const whole = async (request: ContractRequest): Promise<Response> => {
      const made = async (_url: string, _init?: RequestInit): Promise<Response> => {
        try {
          return await send(request);
        } catch (error) {
          if (!isHTTPError(error)) throw error;
          const { data, response } = error;
          return new Response(typeof data === 'string' ? data : JSON.stringify(data), response);
        }
      };
      const { url, method = 'GET', signal = null } = request;
      return wrapFetch(made, breaker, answer)(url, { method, signal });
    };
    const replied = async (request: ContractRequest): Promise<ContractReply> => {
      if (breaker !== undefined && count === 'call') return replyOf(await whole(request));
      try {
        const promise = send(request);
        // The timeout of ky for bodies holds for those that are read by ky.
        return { ...replyOf(await promise), text: () => promise.text() };
      } catch (error) {
        if (!isHTTPError(error)) throw error;
        const { data, response } = error;
        // ky has read it.
        return {
          ...replyOf(response),
          text: async () => (typeof data === 'string' ? data : ''),
          leave: () => {},
        };
      }
    };
    const { swallow } = hooks;
    return {
      call: (request) =>
        hookedByHand(
          swallow ? { swallow } : {},
          () => replied(request),
          (text) => replyOf(new Response(text)),
        ),
    };
  };
}

function replyOf(response: Response): ContractReply {
  return {
    status: response.status,
    text: () => response.text(),
    leave: () => response.body?.cancel(),
    original: response,
  };
}

function madeWith({ before, inside, after }: Hooks): Options {
  return {
    fetch: async (...args) => {
      await inside?.();
      return fetch(...args);
    },
    hooks: {
      beforeRequest: before
        ? [
            async () => {
              const text = await before();
              return text === undefined ? undefined : new Response(text);
            },
          ]
        : [],
      afterResponse: after ? [async () => after()] : [],
    },
  };
}

function byOptions(request: ContractRequest): Arguments {
  return [request.url, { ...initOf(request), ...kyOptionsOf(request) }];
}

function byRequest(request: ContractRequest): Arguments {
  return [new Request(request.url, initOf(request)), kyOptionsOf(request)];
}

/** Retries whatever fails, the refusals too: they are to be stopped by the adapter. */
function kyOptionsOf({ timeout, retries, circuitBreaker: guard }: ContractRequest): Options {
  const delay = (): number => {
    retries?.onBackoff?.();
    return 0;
  };
  return {
    timeout: timeout ?? false,
    retry: retries ? { limit: retries.limit, delay, shouldRetry: () => true } : 0,
    ...(guard === false && { context: { circuitBreaker: false } }),
  };
}
