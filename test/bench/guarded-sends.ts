import { wrapFetch } from '@recloser/fetch';
import { circuitBreakerInterceptor } from '@recloser/undici';
import { circuitBreaker, handleAll, SamplingBreaker } from 'cockatiel';
import Opossum from 'opossum';
import { Agent, type Dispatcher } from 'undici';
import { KeyedGuard, UnkeyedGuard, type MinimalGuard } from './minimal-guard.ts';

/** Sends a GET to that path, and answers with the text of the response. */
export type Send = (path: string) => Promise<string>;

interface Answer {
  text(): Promise<string>;
}

const sends = {
  bare: ({ bare }: Calls): Call => bare,
  'minimal breaker': (calls: Calls): Call => calls.minimal(new UnkeyedGuard()),
  'minimal breakers, with keys': (calls: Calls): Call => calls.minimal(new KeyedGuard()),
  Recloser: (calls: Calls): Call => calls.guarded(),
  'opossum, default': ({ bare }: Calls): Call => {
    const breaker = new Opossum(bare);
    return (path) => breaker.fire(path);
  },
  'cockatiel, SamplingBreaker': ({ bare }: Calls): Call => {
    const breaker = new SamplingBreaker({ threshold: 0.5, duration: 30_000 });
    const policy = circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker });
    return (path) => policy.execute(() => bare(path));
  },
};

/** The same request of one client, bare and through one guard, over the same connections. */
export function bareAndGuarded(
  client: 'undici' | 'fetch',
  origin: string,
  guard: keyof typeof sends,
): { readonly bare: Send; readonly guarded: Send } {
  const calls = client === 'undici' ? ofUndici(origin) : ofFetch(origin);
  const of = (name: keyof typeof sends): Send => {
    const call = sends[name](calls);
    return async (path) => (await call(path)).text();
  };
  return { bare: of('bare'), guarded: of(guard) };
}

type Call = (path: string) => Promise<Answer>;

interface Calls {
  readonly bare: Call;
  /** The floor: it looks at the status, and guards no handler. */
  minimal(guard: MinimalGuard): Call;
  guarded(): Call;
}

function ofUndici(origin: string): Calls {
  const agent = new Agent();
  const by =
    (dispatcher: Dispatcher): Call =>
    async (path) =>
      (await dispatcher.request({ origin, path, method: 'GET' })).body;
  return {
    bare: by(agent),
    minimal: (guard) => by(agent.compose(minimalInterceptor(guard))),
    guarded: () => by(agent.compose(circuitBreakerInterceptor())),
  };
}

function minimalInterceptor(guard: MinimalGuard): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { method, origin, path } = options;
    const call = guard.admit({ method, origin: origin!, path });
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart(controller, status, headers, message) {
        call.end(status >= 500);
        handler.onResponseStart?.(controller, status, headers, message);
      },
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError(controller, error) {
        call.end(true);
        handler.onResponseError?.(controller, error);
      },
    });
  };
}

function ofFetch(origin: string): Calls {
  return {
    bare: (path) => fetch(origin + path),
    minimal: (guard) => (path) => {
      const url = origin + path;
      const call = guard.admit({ method: 'GET', url });
      return fetch(url).then(
        (response) => {
          call.end(response.status >= 500);
          return response;
        },
        (error: unknown) => {
          call.end(true);
          throw error;
        },
      );
    },
    guarded() {
      const guardedFetch = wrapFetch(fetch);
      return (path) => guardedFetch(origin + path);
    },
  };
}
