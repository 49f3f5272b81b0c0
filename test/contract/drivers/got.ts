import {
  circuitBreaker,
  errorKind,
  markDegraded,
  type FallbackOn,
  type GotBreakerOptions,
} from '@recloser/got';
import got, {
  type ExtendOptions,
  type Method,
  type OptionsInit,
  type Request,
  type RequestError,
  type Response,
} from 'got';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type {
  Capabilities,
  ContractReply,
  ContractRequest,
  Driver,
  Hooks,
  MakeOptions,
} from '../contract.ts';

type Reply = Pick<ContractReply, 'text' | 'leave'> & {
  readonly response: Pick<Response, 'statusCode'>;
};
type Api = typeof got;
type Call = (api: Api, request: ContractRequest, hooks: Hooks) => Promise<Reply>;

const isFloor = process.env['CLIENTS'] === 'floor';

const differs: Capabilities['differs'] = {
  '101 without having been asked': {
    outcomes: ['success 101'],
    because: 'got hands the connection to whoever listens for upgrades, and waits on',
  },
  'upload fails': {
    outcomes: ['ignored local'],
    because: 'got names what went wrong with an upload',
  },
  ...(isFloor
    ? {
        'body reset': {
          outcomes: ['success 200', 'amended reset'],
          because: 'got 14 says no more than ECONNRESET',
        },
      }
    : {
        'HTTP/2 stream reset': {
          outcomes: ['failure reset'],
          because: 'got says no more than ECONNRESET',
        },
      }),
  'HTTP/2 connection closed': {
    outcomes: ['failure reset'],
    because: 'got says no more than that the stream was terminated early',
  },
};

export const gotDrivers: readonly Driver[] = [
  {
    name: 'got, its promises',
    make: driver(callPromise),
    capabilities: {
      lacks: { streams: 'a promise of got is one of the whole response' },
      differs,
    },
  },
  {
    name: 'got, its streams',
    make: driver(callStream),
    capabilities: { differs },
  },
];

function driver(call: Call): Driver['make'] {
  return (breaker, options = {}) => {
    const { fallback, fallbackOn, count, twice, hooks = {} } = options;
    const guard: GotBreakerOptions<FallbackOn> = {
      fallback: fallback && ((cause, request) => ({ body: fallback(cause, request) })),
      fallbackOn,
      count,
    };
    let api = got.extend(madeWith(options));
    for (let times = twice ? 2 : 1; breaker !== undefined && times > 0; times--) {
      api = api.extend(circuitBreaker(breaker, guard));
    }
    return {
      async call(request) {
        try {
          const { response, ...body } = await call(api, request, hooks);
          return { ...body, status: response.statusCode, original: response };
        } catch (error) {
          if (hooks.swallow !== undefined) return replyOf(hooks.swallow(error), undefined);
          const { name, response } = error as RequestError;
          const isStatus = name === 'HTTPError';
          const isFailure = isStatus ? response!.statusCode >= 500 : !isLeft(error, request);
          if (call === callStream && fallbackOn === 'failure' && fallback && isFailure) {
            const { url, method = 'GET' } = request;
            return replyOf(fallback(error, { url, method }), markDegraded({}, error));
          }
          if (!isStatus) throw error;
          return { ...replyOf(String(response!.body), response), status: response!.statusCode };
        }
      },
    };
  };
}

function isLeft(error: unknown, { signal }: ContractRequest): boolean {
  return errorKind(error, signal).kind === 'cancel';
}

function replyOf(answer: string, original: unknown): ContractReply {
  return { status: 200, text: async () => answer, leave: () => {}, original };
}

function madeWith({
  http2 = false,
  hooks: { before, inside, after } = {},
}: MakeOptions): ExtendOptions {
  return {
    ...(http2 && { http2 }),
    ...(inside && {
      request: async () => {
        await inside();
        return undefined;
      },
    }),
    hooks: {
      beforeRequest: before ? [async () => messageOf(await before())] : [],
      afterResponse: after
        ? [
            async (response) => {
              await after();
              return response;
            },
          ]
        : [],
    },
  } as ExtendOptions;
}

/** What a hook may answer with. */
function messageOf(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  return Object.assign(Readable.from([Buffer.from(body)]), { statusCode: 200, headers: {} });
}

async function callPromise(api: Api, request: ContractRequest): Promise<Reply> {
  const called = api(request.url, optionsOf(request));
  const upgraded = new Promise<never>((_, reject) => {
    // Nobody else ends it then.
    void called.on('request', (sent) => sent.once('upgrade', () => reject(new Error('upgraded'))));
  });
  const response = await Promise.race([called, upgraded]);
  return { response, text: async () => response.body, leave: () => {} };
}

async function callStream(api: Api, request: ContractRequest, { after }: Hooks): Promise<Reply> {
  let latest: Request;
  const replied = new Promise<Reply>((resolve, reject) => {
    const watch = (stream: Request): void => {
      latest = stream;
      if (request.retries !== undefined) {
        stream.once('retry', (_count, _error, createRetryStream) => watch(createRetryStream()));
      }
      stream.once('response', (response: Response) => {
        resolve({ response, text: () => text(stream), leave: () => stream.destroy() });
      });
      stream.once('upgrade', () => reject(new Error('upgraded')));
      stream.on('error', reject);
      stream.once('close', () => {
        if (stream === latest) reject(new Error('The stream was closed'));
      });
    };
    watch(api.stream(request.url, optionsOf(request)));
  });
  try {
    const reply = await replied;
    await after?.();
    return reply;
  } catch (error) {
    if ((error as Error).name === 'HTTPError') await after?.();
    throw error;
  }
}

function optionsOf(request: ContractRequest): Pick<OptionsInit, never> {
  const { method = 'GET', headers, body, signal, timeout, connectTimeout, redirect } = request;
  return {
    method: method as Method,
    retry: retryOf(request),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    ...(redirect === 'manual' && { followRedirect: false }),
    ...(request.circuitBreaker === false && { context: { circuitBreaker: false } }),
    timeout: {
      ...(timeout !== undefined && { request: timeout }),
      ...(connectTimeout !== undefined && { connect: connectTimeout }),
    },
  };
}

/** Retries whatever fails, the refusals too: they are to be stopped by the adapter. */
function retryOf({ retries }: ContractRequest): OptionsInit['retry'] {
  if (retries === undefined) return { limit: 0 };
  const isNew = 'enforceRetryRules' in got.defaults.options.retry;
  return {
    ...(isNew && { enforceRetryRules: false }),
    calculateDelay: ({ attemptCount }) => {
      if (attemptCount > retries.limit) return 0;
      retries.onBackoff?.();
      return 1;
    },
  };
}
