import type { FallbackOn, HttpCircuitBreaker } from '@recloser/core';
import type { Options, RequestError } from 'got';
import { answeredPromise, type GotPromise } from './answered-promise.ts';
import { Attempt } from './attempt.ts';
import { CallFallback } from './call-fallback.ts';
import { LatestResponse } from './latest-response.ts';
import type { GotBreakerOptions } from './options.ts';
import { isPromise, sendAttempt, type Send } from './send-attempt.ts';
import type { RequestListener } from './watch-request.ts';
import { isEmitter, watchStream, type StreamListener } from './watch-stream.ts';

type RequestFunction = ReturnType<Options['getRequestFunction']>;

/** One call of got behind a breaker, with all its attempts. */
export class GuardedCall implements StreamListener {
  readonly #breaker: HttpCircuitBreaker;
  readonly #countsCall: boolean;
  readonly #fallback: CallFallback;
  readonly #response = new LatestResponse();
  /** Those of the call, then those of its latest hop. */
  #options: Options;
  #attempt: Attempt | undefined;
  #isRefused = false;
  /** got has told of the error that the call ends in. */
  #hasFailed = false;
  #isOver = false;
  #isReplaced = false;

  constructor(
    breaker: HttpCircuitBreaker,
    settings: GotBreakerOptions<FallbackOn>,
    options: Options,
  ) {
    this.#breaker = breaker;
    this.#countsCall = settings.count === 'call';
    this.#fallback = new CallFallback(settings);
    this.#options = options;
  }

  /** Another guard by the same breaker does it all. */
  replaced(): void {
    this.#isReplaced = true;
  }

  /** Whether a hop with these options is its business, and not that of a later call with them. */
  guards({ signal }: Options): boolean {
    // got 15 and before follow a redirect even where the caller has left meanwhile.
    return !this.#isReplaced && (!this.#isOver || signal?.aborted === true);
  }

  /** A hop begins, with its hooks. */
  begins(): void {
    this.#response.begins();
  }

  /** Of one hop: `send` behind the breaker. */
  requestFunction(options: Options, send: RequestFunction): RequestFunction {
    const guarded: Send = (...args) => {
      if (this.#isOver) return Promise.reject(new Error('The call is over'));
      this.#options = options;
      let attempt: Attempt;
      try {
        attempt = this.#admitted(options);
      } catch (refusal) {
        this.#isRefused = true;
        // got's cache gives a callback.
        const isForCache = typeof args[1] === 'function';
        const answered = this.#response.came.bind(this.#response);
        return this.#fallback.refused(refusal, options, isForCache, answered);
      }
      try {
        const sent = sendAttempt(attempt, options, send as Send, args, this.#listener(attempt));
        if (!isPromise(sent)) return sent;
        return sent.catch((error: unknown) => this.#fallback.reject(error));
      } catch (error) {
        return this.#fallback.reject(error);
      }
    };
    return guarded as RequestFunction;
  }

  /** Watches to its end what got made of the call. */
  follow<T>(made: T): T {
    if (this.#options.isStream) {
      if (isEmitter(made)) watchStream(made, this);
      return made;
    }
    if (!isPromise(made)) return made;
    const failure = made.then(
      (value) => this.#resolved(value),
      (error: Partial<RequestError> | undefined) => {
        this.#response.request = error?.request ?? this.#response.request;
        this.ended(error);
        return { cause: error };
      },
    );
    if (!this.#fallback.isForFailures) return made;
    const instead = failure.then(async (found) => {
      const outcome = this.#isRefused ? undefined : this.#attempt?.outcome;
      return found && (await this.#fallback.failed(outcome, found.cause, this.#options));
    });
    const promise = made as unknown as GotPromise;
    return answeredPromise(promise, instead, () => this.#response.request, this.#options) as T;
  }

  /**
   * got tells of a try that failed, before it waits for the next.
   * @returns whether there may be a next
   */
  mayRetry(error: RequestError): boolean {
    if (this.#isOver) return true;
    this.#fallback.addCause(error);
    if (!this.#countsCall) this.#end(error);
    // The name is that of what a hook asks for.
    return !this.#isRefused || error.name === 'RetryError';
  }

  /** The call fails, unless a hook or a handler of the user makes something else of it. */
  failed(error: RequestError): RequestError {
    if (this.#isOver) return error;
    this.#hasFailed = true;
    this.#fallback.addCause(error);
    this.#end(error);
    return error;
  }

  redirectNotFollowed(): void {
    if (!this.#isOver) this.#attempt?.redirectNotFollowed();
  }

  handedOver(response: unknown): void {
    if (!this.#isOver) this.#response.handedOver(response);
  }

  responded(response: unknown): void {
    this.#attempt?.end();
    this.handedOver(response);
  }

  ended(error: unknown): void {
    this.#end(error as Partial<RequestError> | undefined);
    this.#isOver = true;
  }

  destroyed(error: unknown): void {
    // Any other error is of who destroyed it, and was at most wrapped by got.
    const isOfGot = this.#hasFailed || this.#options.signal?.aborted === true;
    this.ended(isOfGot && error !== undefined ? error : leftError());
  }

  retried(): void {
    this.#isOver = false;
  }

  /** @throws CallNotPermittedError */
  #admitted(options: Options): Attempt {
    if (this.#attempt?.takes(options) !== true) {
      this.#attempt = undefined;
      this.#attempt = new Attempt(this.#breaker, options, this.#countsCall);
    }
    this.#isRefused = false;
    return this.#attempt;
  }

  #listener(attempt: Attempt): RequestListener {
    return {
      answered: (response) => {
        this.#response.came(response);
        attempt.headers(response);
      },
      failed: (error) => {
        if (!this.#countsCall && attempt === this.#attempt) this.#end(error);
      },
    };
  }

  #resolved(value: unknown): { cause: unknown } | undefined {
    this.#end(undefined);
    this.handedOver(value);
    this.#isOver = true;
    const response = this.#response.givenBy(value, this.#options.resolveBodyOnly);
    return response && { cause: response };
  }

  #end(error: Partial<RequestError> | undefined): void {
    const attempt = this.#attempt;
    if (attempt === undefined || attempt.isOver) return;
    attempt.end(error);
    attempt.isOver = true;
    this.handedOver(error?.response);
  }
}

// As got 14 says that a promise was cancelled.
function leftError(): Error {
  const error = new Error('The stream was left');
  return Object.assign(error, { name: 'CancelError', code: 'ERR_CANCELED' });
}
