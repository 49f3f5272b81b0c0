import {
  isCallNotPermitted,
  isDegraded,
  type FallbackOn,
  type HttpCircuitBreaker,
  type HttpCircuitBreakerOptions,
  type SignalLike,
} from '@recloser/core';
import { carryMarks, checkAdapterOptions, toHttpCircuitBreaker } from '@recloser/core/adapter';
import { guardedFetch, type FetchClient } from '@recloser/fetch';
import type { BeforeErrorHook, Options, RetryOptions } from 'ky';
import type { KyBreakerOptions, KyOriginal } from './options.ts';

type Fetch = NonNullable<Options['fetch']>;

/** The error that ky has made of what a call's last attempt ended in, once it has. */
interface Told {
  error?: Error | undefined;
}

/** ky needs about a dozen turns of the microtask queue until it tells. */
const MAX_TURNS = 100;

const NOT_ABORTED: SignalLike = { aborted: false };

/**
 * Puts a ky instance behind a circuit breaker, for `ky.extend`. Each attempt asks the breaker and
 * counts by itself, whatever `fetch` a later extend or the call sets. An attempt that is refused
 * sends nothing, is not retried, and gives the caller the `CallNotPermittedError` itself. A call with
 * `context: { circuitBreaker: false }` is left out.
 *
 *     const api = ky.extend(circuitBreaker({ breaker: { failureRateThreshold: 40 } }));
 *
 * An instance that is extended twice by the same `HttpCircuitBreaker` counts an attempt once, and
 * the options of the later one hold.
 *
 * @param breaker  one that may be shared with other clients, or the options of a new one
 * @returns what `ky.extend` takes: a function of the options of the instance that is extended
 * @throws TypeError or RangeError that names the option and its value
 */
export function circuitBreaker<On extends FallbackOn = 'refusal'>(
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions,
  options: KyBreakerOptions<On> = {},
): (parent: Options) => Options {
  checkAdapterOptions('circuitBreaker', breaker, options, { watchBody: 'boolean' });
  const http = toHttpCircuitBreaker(breaker);
  const own = { ...(options as unknown as KyBreakerOptions) };
  const extension = (parent: Options): Options => {
    const base: Fetch = (...args) => (parent.fetch ?? globalThis.fetch)(...args);
    // ky 1 knows no init hooks: there the `fetch` is all that guards.
    let fetch = guarded(base, http, own, { ...parent, signal: null });
    const init = (call: Options): void => {
      fetch = base;
      const told: Told = {};
      const beforeError: BeforeErrorHook = ({ error }) => (told.error = error);
      call.fetch = guarded(call.fetch ?? base, http, own, call, told);
      call.retry = withoutRefusals(call.retry, told);
      call.hooks = {
        ...call.hooks,
        beforeError: [beforeError, ...(call.hooks?.beforeError ?? [])],
      };
    };
    const retry = withoutRefusals(parent.retry);
    return { fetch: (...args) => fetch(...args), retry, hooks: { init: [init] } };
  };
  // Spread into other options it would guard nothing, and nobody would hear of it.
  return Object.defineProperty(extension, 'hooks', { enumerable: true, get: refuseSpread });
}

function refuseSpread(): never {
  throw new TypeError(
    'circuitBreaker: what it returns belongs in an extend of its own, as in ' +
      'ky.extend(circuitBreaker()).extend(options)',
  );
}

/**
 * The fetch for a call with these options. They are read as an attempt begins: hooks may still have
 * changed them.
 * @param told  not in ky 1, which doesn't tell
 */
function guarded(
  base: Fetch,
  breaker: HttpCircuitBreaker,
  own: KyBreakerOptions,
  options: Options,
  told?: Told,
): Fetch {
  const client: FetchClient<KyOriginal> = {
    // ky always gives fetch a Request.
    original: (input) => ({ request: input as Request, options }),
    signalOf({ signal }, hasResponded) {
      const { signal: callers } = options;
      if (callers != null) {
        const byKy = signal?.aborted === true && !callers.aborted;
        return byKy ? Promise.resolve(callers) : callers;
      }
      // It follows ky's timeout and, where the call was given a Request, that one's signal; both
      // abort with the same reason.
      if (signal?.aborted !== true || signal.reason?.name !== 'AbortError') return signal;
      return told === undefined ? NOT_ABORTED : whoAborted(told, signal, hasResponded);
    },
  };
  const guard = guardedFetch(base, breaker, own, client) as Fetch;
  return (...args) => {
    if (options.context?.['circuitBreaker'] === false) return base(...args);
    if (told !== undefined) told.error = undefined;
    const isCloned = (options.hooks?.afterResponse ?? []).length > 0;
    return isCloned ? guard(...args).then(markClones) : guard(...args);
  };
}

/** ky's timeout, or the caller: it is told by the error that ky makes of the abort. */
async function whoAborted(
  told: Told,
  signal: SignalLike,
  hasResponded: boolean,
): Promise<SignalLike> {
  for (let turn = 0; turn < MAX_TURNS && told.error === undefined; turn++) await Promise.resolve();
  // Of an attempt that is retried after its timeout, and of a body that the caller leaves, ky makes
  // no error.
  const byKy = told.error === undefined ? !hasResponded : told.error.name === 'TimeoutError';
  return byKy ? NOT_ABORTED : signal;
}

/**
 * Leaves the breaker's answers alone, whatever the user's `shouldRetry` says: a refusal, and the
 * response of a fallback, whose status may be one that ky retries.
 */
function withoutRefusals(retry: Options['retry'], told: Told = {}): RetryOptions {
  const given = typeof retry === 'number' ? { limit: retry } : retry;
  return {
    ...given,
    shouldRetry(state) {
      const error: Error & { readonly response?: unknown } = state.error;
      told.error = error;
      if (isCallNotPermitted(error) || isDegraded(error.response)) return false;
      return given?.shouldRetry?.(state);
    },
  };
}

/** ky gives each afterResponse hook a clone, and the hook may give that to the caller. */
function markClones(response: Response, original: Response = response): Response {
  const native = Reflect.get(response, 'clone') as () => Response;
  const value = (): Response => {
    const clone = Reflect.apply(native, response, []);
    return markClones(carryMarks(original, clone), original);
  };
  Object.defineProperty(response, 'clone', { value, writable: true, configurable: true });
  return response;
}
