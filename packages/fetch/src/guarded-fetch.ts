import type {
  Admission,
  FallbackOptions,
  HttpCircuitBreaker,
  Outcome,
  SignalLike,
} from '@recloser/core';
import { answerInstead } from '@recloser/core/adapter';
import { requestOf, type FetchRequest } from './fetch-request.ts';
import { watchBody } from './watch-body.ts';

/** The arguments of a fetch. */
export type FetchArguments = [input: string | URL | Request, init?: RequestInit];

type OwnSignal = SignalLike | null | undefined;

/** What a client knows of its requests beyond the arguments that it calls a fetch with. */
export interface FetchClient<Original extends object> {
  /**
   * The request as the client knows it: `original` for the functions `partition` and `key`. A
   * fallback gets its properties.
   */
  original(...args: FetchArguments): Original;
  /**
   * The caller's own signal, where fetch is given another. A promise where it is told only after the
   * error has gone on its way to the caller, so that no fallback can answer it.
   */
  signalOf(request: FetchRequest, hasResponded: boolean): OwnSignal | Promise<OwnSignal>;
}

/** `wrapFetch`'s, for a fallback that gets the request as the client knows it. */
export interface GuardedFetchOptions<Original extends object> extends FallbackOptions<
  { readonly method: string; readonly url: string } & Original,
  unknown
> {
  readonly watchBody?: boolean | undefined;
}

/**
 * For clients that call a fetch: `base` behind the breaker, its options not checked and its
 * properties not copied.
 */
export function guardedFetch<Original extends object>(
  base: (...args: FetchArguments) => unknown,
  breaker: HttpCircuitBreaker,
  options: GuardedFetchOptions<Original>,
  client: FetchClient<Original>,
): (...args: FetchArguments) => unknown {
  return (...args) => {
    const original = client.original(...args);
    const request = requestOf(args[0], args[1], original);
    if (request === undefined) return base(...args);
    const instead = (ending: 'refused' | Outcome | undefined, cause: unknown) => {
      if (options.fallback === undefined) return undefined;
      const shown = { method: request.method.toUpperCase(), url: request.url, ...original };
      return answerInstead(options, ending, cause, shown);
    };
    let admission: Admission;
    try {
      admission = breaker.admit(request);
    } catch (refusal) {
      return instead('refused', refusal) ?? rejected(refusal);
    }
    // Two closures cost less than an async function.
    return called(() => admission.send(() => base(...args))).then(
      (response) => {
        const outcome = settle(admission, response);
        const answer = instead(outcome, response);
        if (answer !== undefined) return answer;
        // Only a success can be amended.
        if (options.watchBody !== true || outcome !== 'success') return response;
        return watchedIfPossible(response as Response, breaker, (error) => {
          whenKnown(client.signalOf(request, true), (own) => admission.bodyFailed(error, own));
        });
      },
      (error: unknown) => {
        const outcome = whenKnown(client.signalOf(request, false), (own) =>
          admission.failed(error, own),
        );
        const answer = instead(outcome, error);
        if (answer !== undefined) return answer;
        throw error;
      },
    );
  };
}

/** Undefined where it is told only later. */
function whenKnown<T>(
  signal: OwnSignal | Promise<OwnSignal>,
  tell: (signal: OwnSignal) => T,
): T | undefined {
  if (!(signal instanceof Promise)) return tell(signal);
  void signal.then(tell);
  return undefined;
}

/** A stand-in of a response may not let itself be watched. */
function watchedIfPossible(
  response: Response,
  breaker: HttpCircuitBreaker,
  report: (error: unknown) => void,
): Response {
  try {
    return watchBody(response, breaker, report);
  } catch {
    return response;
  }
}

/** A stand-in of fetch may throw, or answer at once. */
function called(call: () => unknown): Promise<unknown> {
  try {
    return Promise.resolve(call());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Undefined, too, where a stand-in of fetch answered something else than a response. */
function settle(admission: Admission, response: unknown): Outcome | undefined {
  try {
    const { status, headers } = response as Response;
    if (typeof status === 'number') return admission.responded(status, headers, response);
  } catch {
    // Nothing that can be read.
  }
  admission.released();
  return undefined;
}

/** To reject a promise that is pending costs half: Node books no unhandled rejection then. */
async function rejected(refusal: unknown): Promise<never> {
  await Promise.resolve();
  throw refusal;
}
