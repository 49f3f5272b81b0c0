import type {
  Admission,
  FallbackOn,
  FallbackOptions,
  HttpCircuitBreaker,
  Outcome,
  SignalLike,
} from '@recloser/core';
import { answerInstead, webResponse } from '@recloser/core/adapter';
import { requestOf, type FetchRequest } from './fetch-request.ts';
import { inPlaceOf } from './in-place-of.ts';
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
   * The caller's own signal, where fetch is given another. A promise where it is told only after
   * the error has gone on its way to the caller, so that no fallback can answer it. To throw or
   * reject says that none is known.
   */
  signalOf(request: FetchRequest): OwnSignal | Promise<OwnSignal>;
}

/** `wrapFetch`'s, for a fallback that gets the request as the client knows it. */
export interface GuardedFetchOptions<Original extends object> extends FallbackOptions<
  { readonly method: string; readonly url: string } & Original,
  unknown,
  FallbackOn
> {
  /** As `WrapFetchOptions` has it. @default false */
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
  const { fallback, fallbackOn } = options;
  const answering: FallbackOptions<FetchRequest, unknown, FallbackOn> = {
    fallback:
      fallback &&
      (async (cause, { method, url, original }) => {
        const request = { method: method.toUpperCase(), url, ...(original as Original) };
        return webResponse(await fallback(cause, request), cause);
      }),
    fallbackOn,
  };
  return (...args) => {
    const request = requestOf(args[0], args[1], client.original(...args));
    if (request === undefined) return base(...args);
    let admission: Admission;
    try {
      admission = breaker.admit(request);
    } catch (refusal) {
      return answerInstead(answering, 'refused', refusal, request) ?? rejected(refusal);
    }
    // Two closures cost less than an async function.
    return called(() => admission.send(() => base(...args))).then(
      (response) => {
        const outcome = settle(admission, response);
        const answer = answerInstead(answering, outcome, response, request);
        if (answer !== undefined) return inPlaceOf(response, answer);
        // Only a success can be amended.
        if (options.watchBody !== true || outcome !== 'success') return response;
        return watchedIfPossible(response as Response, breaker, (error) => {
          withSignal(client, request, (own) => admission.bodyFailed(error, own));
        });
      },
      (error: unknown) => {
        const outcome = withSignal(client, request, (own) => admission.failed(error, own));
        const answer = answerInstead(answering, outcome, error, request);
        if (answer === undefined) throw error;
        return answer.then((given) => {
          // What was thrown need not be an Error.
          if (given === error) throw error;
          return given;
        });
      },
    );
  };
}

/** Undefined where the client tells it only later. */
function withSignal<T>(
  client: FetchClient<object>,
  request: FetchRequest,
  tell: (signal: OwnSignal) => T,
): T | undefined {
  let signal: OwnSignal | Promise<OwnSignal>;
  try {
    signal = client.signalOf(request);
  } catch {
    return tell(undefined);
  }
  if (!(signal instanceof Promise)) return tell(signal);
  void signal.then(tell, () => tell(undefined));
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
