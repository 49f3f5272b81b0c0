import type { FallbackOn, HttpCircuitBreaker, HttpCircuitBreakerOptions } from '@recloser/core';
import { checkAdapterOptions, toHttpCircuitBreaker } from '@recloser/core/adapter';
import type { BeforeErrorHook, Hooks, Options } from 'ky';
import { FallbackErrors } from './fallback-errors.ts';
import { guarded, type Fetch } from './guarded.ts';
import type { KeyedRequest, KyBreakerOptions } from './options.ts';
import { ToldErrors } from './told-errors.ts';
import { withoutRefusals } from './without-refusals.ts';

/**
 * Puts a ky instance behind a circuit breaker, for `ky.extend`. Each attempt asks the breaker and
 * counts by itself, whatever `fetch` a later extend or the call sets. An attempt that is refused
 * sends nothing, is not retried, and gives the caller the `CallNotPermittedError` itself. A call
 * with `context: { circuitBreaker: false }` is left out.
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
  breaker?: HttpCircuitBreaker | HttpCircuitBreakerOptions<KeyedRequest>,
  options: KyBreakerOptions<On> = {},
): (parent: Options) => Options {
  checkAdapterOptions('circuitBreaker', breaker, options, { watchBody: 'boolean' });
  const http = toHttpCircuitBreaker(breaker);
  const failed = new FallbackErrors();
  const { fallback, ...rest } = options as unknown as KyBreakerOptions<FallbackOn>;
  const own: KyBreakerOptions<FallbackOn> = {
    ...rest,
    fallback: fallback && failed.noting(fallback),
  };
  const extension = (parent: Options): Options => {
    const base: Fetch = (...args) => (parent.fetch ?? globalThis.fetch)(...args);
    let fetch = guarded(base, http, own, parent);
    const init = (call: Options): void => {
      const told = new ToldErrors();
      const beforeError: BeforeErrorHook = ({ error }) => {
        told.tell(error);
        return failed.within(error) ?? error;
      };
      call.fetch = guarded(call.fetch ?? base, http, own, call, told);
      call.retry = withoutRefusals(call.retry, failed, told);
      call.hooks = {
        ...call.hooks,
        beforeError: [beforeError, ...(call.hooks?.beforeError ?? [])],
      };
    };
    // ky 1 has no init hooks, and does not ask for them: there the `fetch` is all that guards.
    const hooks: Hooks = Object.defineProperty({}, 'init', {
      get() {
        fetch = base;
        return [init];
      },
    });
    const retry = withoutRefusals(parent.retry, failed);
    return { fetch: (...args) => fetch(...args), retry, hooks };
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
