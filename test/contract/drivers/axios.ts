import { addCircuitBreaker, type FallbackOn, type AddCircuitBreakerOptions } from '@recloser/axios';
import axios, {
  getAdapter,
  isAxiosError,
  type AxiosInstance,
  type AxiosRequestConfig,
  type AxiosResponse,
} from 'axios';
import axiosRetry from 'axios-retry';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Capabilities, ContractRequest, Driver, Hooks } from '../contract.ts';

type Adapter = NonNullable<AxiosRequestConfig['adapter']>;

const isFloor = process.env['CLIENTS'] === 'floor';

const lacks: Capabilities['lacks'] = {
  http2: 'axios speaks it where it is told to, and never ends a call whose connection closes then',
  'connect timeout': 'axios has one timeout for all',
  count: 'the adapter counts each attempt',
};

const whole: Capabilities['lacks'] = { streams: 'a response comes whole unless it is asked for' };

const differs: NonNullable<Capabilities['differs']> = {
  'upload fails': {
    outcomes: ['ignored local'],
    because: 'its source is known, and says that it broke off',
  },
};

const byHttp: NonNullable<Capabilities['differs']> = {
  ...differs,
  '101 without having been asked': {
    outcomes: ['failure deadline'],
    because: 'axios hears nothing of it, and waits on',
  },
};

const byFetch: NonNullable<Capabilities['differs']> = {
  ...differs,
  '100 Continue': {
    outcomes: ['failure reset'],
    because: "Node's fetch breaks off where it did not ask to continue",
  },
};

export const axiosDrivers: readonly Driver[] = [
  {
    name: 'axios, by its http adapter',
    make: driver('http', 'text'),
    capabilities: {
      settles: 'body',
      lacks: { ...lacks, ...whole },
      differs: {
        ...byHttp,
        'body reset': {
          outcomes: ['failure reset'],
          because: 'axios tells of the connection only',
        },
        'timeout in the body': {
          outcomes: ['failure body'],
          because: 'axios tells of a body that was cut',
        },
      },
    },
  },
  {
    name: 'axios, streams by its http adapter',
    make: driver('http', 'stream'),
    capabilities: {
      lacks: lacks,
      differs: {
        ...byHttp,
        'timeout in the body': {
          outcomes: ['success 200', 'amended body'],
          because: 'axios closes the connection',
        },
      },
    },
  },
  {
    name: 'axios, by its fetch adapter',
    make: driver('fetch', 'text'),
    capabilities: {
      settles: 'body',
      lacks: { ...lacks, ...whole },
      differs: {
        ...byFetch,
        'timeout in the body': {
          outcomes: ['failure response-timeout'],
          because: 'axios tells of one timeout for all',
        },
      },
    },
  },
  ...(isFloor ? [] : [streamsByFetch()]),
];

/** Not at the floor: axios.test.ts shows why. */
function streamsByFetch(): Driver {
  return {
    name: 'axios, streams by its fetch adapter',
    make: driver('fetch', 'stream'),
    capabilities: {
      lacks: {
        ...lacks,
        'watched bodies': 'a web stream can not be watched without being read',
        'watched decoding': 'a web stream can not be watched without being read',
      },
      differs: byFetch,
    },
  };
}

function driver(adapter: 'http' | 'fetch', responseType: 'stream' | 'text'): Driver['make'] {
  return (breaker, { fallback, fallbackOn, count = 'attempt', twice, hooks = {} } = {}) => {
    const inside: Adapter = async (config) => {
      await hooks.inside?.();
      return getAdapter(adapter, config)(config);
    };
    const create = (sendBy: Adapter): AxiosInstance =>
      axios.create({
        adapter: sendBy,
        responseType,
        transformResponse: [],
      });
    const retrying = create(inside);
    axiosRetry(retrying);
    const api =
      count === 'attempt'
        ? retrying
        : create((config) =>
            retrying.request({ ...config, adapter: inside, transformRequest: [] }),
          );
    const options: AddCircuitBreakerOptions<FallbackOn> = {
      fallback: fallback && ((cause, request) => ({ data: fallback(cause, request) })),
      fallbackOn,
    };
    hookBefore(api, hooks);
    for (let times = twice ? 2 : 1; breaker !== undefined && times > 0; times--) {
      addCircuitBreaker(api, breaker, options);
    }
    hookAfter(api, hooks);
    return {
      async call(request) {
        const response = await whateverStatus(api.request(configOf(request)));
        return {
          status: response.status,
          text: () => textOf(response.data),
          leave: () => leave(response.data),
          original: response,
        };
      },
    };
  };
}

function hookBefore(api: AxiosInstance, { before }: Hooks): void {
  if (before === undefined) return;
  api.interceptors.request.use(async (config) => {
    const data = await before();
    if (data === undefined) return config;
    const { headers } = config;
    const answer = { data, status: 200, statusText: 'OK', headers, config };
    return { ...config, adapter: async () => answer };
  });
}

function hookAfter(api: AxiosInstance, { after, swallow }: Hooks): void {
  if (after !== undefined) {
    const run = async (response: AxiosResponse | undefined): Promise<void> => {
      if (response !== undefined) await after();
    };
    api.interceptors.response.use(
      async (response) => {
        await run(response);
        return response;
      },
      async (error) => {
        await run(statusResponse(error));
        throw error;
      },
    );
  }
  if (swallow !== undefined) {
    api.interceptors.response.use(undefined, (error) => ({ status: 200, data: swallow(error) }));
  }
}

function configOf(request: ContractRequest): AxiosRequestConfig {
  const { url, method = 'GET', headers, body, signal, timeout, redirect, circuitBreaker } = request;
  const { limit, onBackoff } = request.retries ?? { limit: 0 };
  return {
    url,
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { data: body }),
    ...(signal && { signal }),
    ...(timeout !== undefined && { timeout }),
    // What follows them in the fetch adapter did not always know `maxRedirects`.
    ...(redirect === 'manual' && { maxRedirects: 0, fetchOptions: { redirect } }),
    ...(circuitBreaker === false && { circuitBreaker }),
    'axios-retry': {
      retries: limit,
      retryCondition: () => true,
      retryDelay() {
        onBackoff?.();
        return 0;
      },
    },
  };
}

/** The response of an error that says no more than its status. */
function statusResponse(error: unknown): AxiosResponse | undefined {
  const isStatus = isAxiosError(error) && error.message.startsWith('Request failed with status');
  return isStatus ? error.response : undefined;
}

async function whateverStatus(call: Promise<AxiosResponse>): Promise<AxiosResponse> {
  try {
    return await call;
  } catch (error) {
    const response = statusResponse(error);
    if (response === undefined) throw error;
    return response;
  }
}

type Data = string | Readable | ReadableStream | null;

async function textOf(data: Data): Promise<string> {
  return typeof data === 'object' && data !== null ? text(data) : (data ?? '');
}

function leave(data: Data): unknown {
  if (data instanceof Readable) return data.destroy();
  return data instanceof ReadableStream ? data.cancel() : undefined;
}
