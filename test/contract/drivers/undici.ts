import { wrapFetch } from '@recloser/fetch';
import {
  circuitBreakerInterceptor,
  installDispatcher,
  type HttpCircuitBreaker,
  type FallbackOn,
  type UndiciOptions,
} from '@recloser/undici';
import {
  Agent,
  fetch as undiciFetch,
  interceptors,
  setGlobalDispatcher,
  type Dispatcher,
} from 'undici';
import { hookedByHand, retriedByHand } from './by-hand.ts';
import { initOf } from './init-of.ts';
import type {
  Capabilities,
  ContractReply,
  ContractRequest,
  Driver,
  Hooks,
  MakeOptions,
} from '../contract.ts';

type Interceptor = Dispatcher.DispatcherComposeInterceptor;

/** Sends a request by a dispatcher, in one of the ways that undici has. */
type Send = (dispatcher: Dispatcher, request: ContractRequest) => Promise<ContractReply>;

const isFloor = process.env['CLIENTS'] === 'floor';

const CONNECTION = 'the dispatcher sees the connection only';

const UPLOAD = 'it is the caller who ends it, for whatever reason';

const differs: Capabilities['differs'] = {
  'body reset': { outcomes: ['success 200', 'amended reset'], because: CONNECTION },
  'body shorter than its length': {
    outcomes: ['success 200', 'amended reset'],
    because: CONNECTION,
  },
  'chunked body cut': { outcomes: ['success 200', 'amended reset'], because: CONNECTION },
  'connect within the timeout': {
    outcomes: ['failure connect-timeout'],
    because: 'undici has a timeout for each phase',
  },
  '100 Continue': {
    outcomes: ['failure reset'],
    because: 'undici breaks off where it did not ask to continue',
  },
  'upload not found': { outcomes: ['ignored cancel'], because: UPLOAD },
  'upload fails': { outcomes: ['ignored cancel'], because: UPLOAD },
  'HTTP/2 connection closed': {
    outcomes: ['failure reset'],
    because: 'undici says that of every connection',
  },
};

const of7: Capabilities['differs'] = {
  'redirect loop': {
    outcomes: ['success 302'],
    because: 'undici 7.1 gives the caller the last one',
  },
};

const of8: Capabilities['differs'] = {
  'redirect loop': { outcomes: ['ignored local'], because: 'undici calls it an invalid argument' },
};

const byHop: Capabilities['differs'] = {
  ...differs,
  'redirect loop': {
    outcomes: Array<string>(21).fill('success 302'),
    because: 'fetch follows above the dispatcher, and has its limit there',
  },
};

const lacks: Capabilities['lacks'] = {
  count: 'it is told by the order of composition',
  'watched decoding': 'nothing is decoded below fetch',
};

const unknownResponses: Capabilities['lacks'] = {
  'known responses': isFloor
    ? 'undici 7 makes the headers of a response anew'
    : 'fetch makes the headers of a response anew',
};

export const undiciDrivers: readonly Driver[] = [
  {
    name: 'undici.request',
    make: byDispatcher(requested),
    capabilities: {
      failureAnswered: 'attempt',
      lacks: { ...lacks, ...(isFloor && unknownResponses) },
      differs: {
        ...differs,
        ...(isFloor ? of7 : of8),
      },
    },
  },
  {
    name: 'undici.fetch',
    make: byDispatcher(fetched),
    capabilities: {
      failureAnswered: 'attempt',
      redirects: 'hop',
      differs: byHop,
      lacks: { ...lacks, ...unknownResponses, 'left out': 'fetch hands no such option on' },
    },
  },
  {
    name: "Node's own fetch with an installed dispatcher",
    make: byInstalledDispatcher,
    capabilities: {
      failureAnswered: 'attempt',
      redirects: 'hop',
      differs: byHop,
      lacks: {
        ...lacks,
        ...unknownResponses,
        http2: "Node's fetch speaks HTTP/1.1",
        retries: 'fetch never retries',
        'left out': 'fetch hands no such option on',
      },
    },
  },
];

function byDispatcher(send: Send): Driver['make'] {
  return (breaker, { count = 'attempt', twice, hooks = {}, http2 = false, ...options } = {}) => {
    const agents = new Agents(http2);
    const guard = breaker && circuitBreakerInterceptor(breaker, answering(options));
    const guards = guard === undefined ? [] : twice ? [guard, guard] : [guard];
    return {
      call(request) {
        const retry = retrying(request);
        const around = count === 'call' ? [...retry, ...guards] : [...guards, ...retry];
        const dispatcher = agents
          .for(request)
          .compose([...following(request, send), inside(hooks), ...around]);
        return hookedByHand(hooks, () => send(dispatcher, request), textReply);
      },
      close: () => agents.destroy(),
    };
  };
}

/** Every client of a test has its own breaker, and there is one global dispatcher for all of them. */
function byInstalledDispatcher(
  breaker: HttpCircuitBreaker | undefined,
  { count = 'attempt', twice, hooks = {}, ...options }: MakeOptions = {},
): ReturnType<Driver['make']> {
  const agents = new Agents(false);
  const restores: (() => void)[] = [];
  const installed = new Map<Agent, Globals>();
  const install = (agent: Agent): void => {
    setGlobalDispatcher(agent.compose(inside(hooks)));
    const times = breaker === undefined ? 0 : twice ? 2 : 1;
    for (let time = 0; time < times; time++) {
      restores.push(installDispatcher(breaker, answering(options)));
    }
  };
  const globalsFor = (request: ContractRequest): Globals => {
    const agent = agents.for(request);
    const known = installed.get(agent) ?? globalsAfter(() => install(agent));
    installed.set(agent, known);
    return known;
  };
  return {
    async call(request) {
      const set = globalsFor(request);
      // It reads the dispatcher before it returns.
      const send = (url: string, init?: RequestInit): Promise<Response> =>
        withGlobals(set, () => fetch(url, init));
      const { retries = { limit: 0 } } = request;
      const isFailure = (response: Response): boolean => !response.ok;
      const retried = (url: string, init?: RequestInit): Promise<Response> =>
        retriedByHand(retries, () => send(url, init), isFailure);
      const call = breaker && count === 'call' ? wrapFetch(retried, breaker) : retried;
      const made = async (): Promise<ContractReply> =>
        fetchReply(await call(request.url, initOf(request)));
      return hookedByHand(hooks, made, textReply);
    },
    async close() {
      for (const restore of restores) restore();
      await agents.destroy();
    },
  };
}

type Globals = Readonly<Record<symbol, unknown>>;

const globals = globalThis as unknown as Record<symbol, unknown>;

function dispatchers(): Globals {
  return Object.fromEntries(
    Object.getOwnPropertySymbols(globals)
      .filter((key) => Symbol.keyFor(key)?.startsWith('undici.globalDispatcher.'))
      .map((key) => [key, globals[key]]),
  );
}

function withGlobals<T>(set: Globals, call: () => T): T {
  const before = dispatchers();
  Object.assign(globals, set);
  try {
    return call();
  } finally {
    Object.assign(globals, before);
  }
}

function globalsAfter(install: () => void): Globals {
  return withGlobals({}, () => {
    install();
    return dispatchers();
  });
}

/** Undici has no timeout for the whole of a request, and that for connecting is one of its agent. */
class Agents {
  readonly #all = new Map<string, Agent>();
  readonly #http2: boolean;

  constructor(http2: boolean) {
    this.#http2 = http2;
  }

  for({ timeout, connectTimeout = timeout ?? 10_000 }: ContractRequest): Agent {
    const key = `${timeout} ${connectTimeout}`;
    const agent =
      this.#all.get(key) ??
      new Agent({
        allowH2: this.#http2,
        ...(timeout !== undefined && { headersTimeout: timeout, bodyTimeout: timeout }),
        connect: { timeout: connectTimeout },
      });
    this.#all.set(key, agent);
    return agent;
  }

  async destroy(): Promise<void> {
    for (const agent of this.#all.values()) await agent.destroy();
  }
}

function answering({ fallback, fallbackOn }: MakeOptions): UndiciOptions<FallbackOn> {
  return { fallback: fallback && ((...args) => ({ body: fallback(...args) })), fallbackOn };
}

/** Between the breaker and the network. */
function inside({ inside: hook }: Hooks): Interceptor {
  return (dispatch) => (options, handler) => {
    const waiting = hook?.();
    if (waiting === undefined) return dispatch(options, handler);
    const fail = (error: Error): void => {
      const legacy = handler as { onError?: (this: unknown, error: Error) => void };
      if (handler.onResponseError) handler.onResponseError(undefined as never, error);
      else legacy.onError?.(error);
    };
    waiting.then(() => dispatch(options, handler), fail);
    return true;
  };
}

/** Redirects are followed within an attempt; fetch follows them itself. */
function following({ redirect = 'follow' }: ContractRequest, send: Send): Interceptor[] {
  const follows = redirect === 'follow' && send === requested;
  return follows ? [interceptors.redirect({ maxRedirections: 20 })] : [];
}

/** Retries whatever fails, the refusals too: they are to be stopped by the adapter. */
function retrying({ retries }: ContractRequest): Interceptor[] {
  if (retries === undefined) return [];
  const retry = interceptors.retry({
    maxRetries: retries.limit,
    retry(error, { state }, callback) {
      if (state.counter > retries.limit) callback(error);
      else {
        retries.onBackoff?.();
        callback(null);
      }
      return null;
    },
  });
  return [retry];
}

async function requested(
  dispatcher: Dispatcher,
  { url, method = 'GET', headers, body, signal, circuitBreaker }: ContractRequest,
): Promise<ContractReply> {
  const { origin, pathname, search } = new URL(url);
  try {
    const response = await dispatcher.request({
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      ...(circuitBreaker === false && { circuitBreaker }),
    });
    // Undici 7.1 says nothing at all of a caller that left between two attempts.
    if (response.statusCode === undefined) throw signal?.reason;
    return {
      status: response.statusCode,
      text: () => response.body.text(),
      leave: () => void response.body.on('error', () => {}).destroy(),
      original: response,
    };
  } catch (error) {
    return failingReply(error);
  }
}

async function fetched(dispatcher: Dispatcher, request: ContractRequest): Promise<ContractReply> {
  try {
    const init = { ...initOf(request), dispatcher };
    return fetchReply(await undiciFetch(request.url, init as object));
  } catch (error) {
    return failingReply(error, (error as Error).cause);
  }
}

/** Of the error that a retry makes of the last failing status. */
function failingReply(error: unknown, cause: unknown = error): ContractReply {
  const { code, statusCode } = cause as { code?: unknown; statusCode?: number };
  if (code !== 'UND_ERR_REQ_RETRY' || statusCode === undefined) throw error;
  return { ...textReply(''), status: statusCode, original: error };
}

function fetchReply(
  response: Pick<Response, 'status' | 'text'> & { readonly body?: { cancel(): unknown } | null },
): ContractReply {
  return {
    status: response.status,
    text: () => response.text(),
    leave: () => response.body?.cancel(),
    original: response,
  };
}

function textReply(text: string): ContractReply {
  return { status: 200, text: async () => text, leave() {}, original: undefined };
}
