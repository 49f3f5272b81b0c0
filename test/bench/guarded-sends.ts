import { wrapFetch } from '@recloser/fetch';
import { circuitBreakerInterceptor } from '@recloser/undici';
import { circuitBreaker, handleAll, SamplingBreaker } from 'cockatiel';
import Opossum from 'opossum';
import { Agent, type Dispatcher } from 'undici';
import { MinimalBreaker } from './minimal-breaker.ts';

/** Sends a GET to that path, and answers with the text of the response. */
export type Send = (path: string) => Promise<string>;

interface Answer {
  text(): Promise<string>;
}

/** The same request of one client, bare and through each guard, all over the same connections. */
export function guardedSends(
  client: 'undici' | 'fetch',
  origin: string,
): Readonly<Record<string, Send>> {
  const { bare, minimal, guarded } = client === 'undici' ? ofUndici(origin) : ofFetch(origin);
  const opossum = new Opossum(bare);
  const breaker = new SamplingBreaker({ threshold: 0.5, duration: 30_000 });
  const cockatiel = circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker });
  return {
    bare: async (path) => (await bare(path)).text(),
    'minimal breaker': async (path) => (await minimal(path)).text(),
    Recloser: async (path) => (await guarded(path)).text(),
    'opossum, default': async (path) => (await opossum.fire(path)).text(),
    'cockatiel, SamplingBreaker': async (path) =>
      (await cockatiel.execute(() => bare(path))).text(),
  };
}

type Call = (path: string) => Promise<Answer>;

interface Calls {
  readonly bare: Call;
  /** The floor: a breaker with one key for all, that looks at the status and guards no handler. */
  readonly minimal: Call;
  readonly guarded: Call;
}

function ofUndici(origin: string): Calls {
  const agent = new Agent();
  const by =
    (dispatcher: Dispatcher): Call =>
    async (path) =>
      (await dispatcher.request({ origin, path, method: 'GET' })).body;
  return {
    bare: by(agent),
    minimal: by(agent.compose(minimalInterceptor())),
    guarded: by(agent.compose(circuitBreakerInterceptor())),
  };
}

function minimalInterceptor(): Dispatcher.DispatcherComposeInterceptor {
  const breaker = new MinimalBreaker();
  return (dispatch) => (options, handler) => {
    const begun = acquired(breaker);
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart(controller, status, headers, message) {
        breaker.record(begun, performance.now(), status >= 500);
        handler.onResponseStart?.(controller, status, headers, message);
      },
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError(controller, error) {
        breaker.record(begun, performance.now(), true);
        handler.onResponseError?.(controller, error);
      },
    });
  };
}

function ofFetch(origin: string): Calls {
  const breaker = new MinimalBreaker();
  const guardedFetch = wrapFetch(fetch);
  return {
    bare: (path) => fetch(origin + path),
    minimal(path) {
      const begun = acquired(breaker);
      return fetch(origin + path).then(
        (response) => {
          breaker.record(begun, performance.now(), response.status >= 500);
          return response;
        },
        (error: unknown) => {
          breaker.record(begun, performance.now(), true);
          throw error;
        },
      );
    },
    guarded: (path) => guardedFetch(origin + path),
  };
}

function acquired(breaker: MinimalBreaker): number {
  const begun = breaker.acquire();
  if (begun < 0) throw new Error('refused');
  return begun;
}
