import { errorKind, type HttpCircuitBreaker } from '@recloser/core';
import { answerInstead, carryMarks } from '@recloser/core/adapter';
import type { Options, Request, RequestError, Response } from 'got';
import { errorMonitor } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Attempt } from './attempt.ts';
import { answeredPromise, type GotPromise } from './answered-promise.ts';
import { FallbackRequest, messageOf, type FallbackMessage } from './fallback-request.ts';
import type { GotBreakerOptions, GuardedRequest } from './options.ts';
import { watchStream, type Stream } from './watch-stream.ts';

type RequestFunction = ReturnType<Options['getRequestFunction']>;
type Send = (...args: unknown[]) => unknown;

/** One call of got behind a breaker, with all its attempts. */
export class GuardedCall {
  readonly #breaker: HttpCircuitBreaker;
  readonly #settings: GotBreakerOptions;
  readonly #countsCall: boolean;
  /** Those of the call, then those of its latest hop. */
  #options: Options;
  #attempt: Attempt | undefined;
  #isRefused = false;
  /** What got was given in the place of what it wanted to send. */
  #rejection: unknown;
  /** What got made of the latest response. */
  #response: Response | undefined;
  #isOver = false;
  #isReplaced = false;

  constructor(breaker: HttpCircuitBreaker, settings: GotBreakerOptions, options: Options) {
    this.#breaker = breaker;
    this.#settings = settings;
    this.#countsCall = settings.count === 'call';
    this.#options = options;
  }

  /** Another guard by the same breaker does it all. */
  replaced(): void {
    this.#isReplaced = true;
  }

  /** Of one hop: `send` behind the breaker. */
  requestFunction(options: Options, send: RequestFunction): RequestFunction {
    if (this.#isReplaced) return send;
    const guarded: Send = (...args) => {
      // got 15 and before follow a redirect even where the caller has left meanwhile.
      if (this.#isOver) return Promise.reject(new Error('The call is over'));
      this.#options = options;
      let attempt: Attempt;
      try {
        attempt = this.#admitted(options);
      } catch (refusal) {
        return this.#refused(refusal, args);
      }
      // Where the user's own function gives nothing, got 14 sends it by itself, unseen.
      const { getFallbackRequestFunction } = options as { getFallbackRequestFunction?: () => Send };
      const filled = (sent: unknown): unknown =>
        sent ?? getFallbackRequestFunction?.call(options)(...args);
      try {
        const sent = attempt.send(() => filled((send as Send)(...args)));
        if (!isPromise(sent)) return this.#watched(sent, attempt);
        return sent.then(
          (later) => this.#watched(filled(later), attempt),
          (error: unknown) => this.#reject(error),
        );
      } catch (error) {
        return this.#reject(error);
      }
    };
    return guarded as RequestFunction;
  }

  /** Watches to its end what got made of the call. */
  follow<T>(made: T): T {
    if (this.#options.isStream) {
      if (isEmitter(made)) this.#watchStream(made);
      return made;
    }
    if (!isPromise(made)) return made;
    let request: Request | undefined;
    const ended = made.then(
      (value): unknown => {
        this.handedOver(value);
        request = this.#response?.request;
        this.#ended(undefined);
        return this.#response ?? value;
      },
      (error: Partial<RequestError> | undefined) => {
        request = error?.request ?? this.#response?.request;
        this.#ended(error);
        return error;
      },
    );
    if (this.#settings.fallbackOn !== 'failure') return made;
    const instead = ended.then((cause) => this.#answerTo(cause));
    const promise = made as unknown as GotPromise;
    return answeredPromise(promise, instead, () => request, this.#options) as T;
  }

  /**
   * got tells of a try that failed, before it waits for the next.
   * @returns whether there may be a next
   */
  mayRetry(error: RequestError): boolean {
    this.#addCause(error);
    if (!this.#countsCall) this.#end(error);
    return !this.#isRefused;
  }

  /** The call fails, unless a hook or a handler of the user makes something else of it. */
  failed(error: RequestError): RequestError {
    this.#addCause(error);
    this.#end(error);
    return error;
  }

  redirectNotFollowed(): void {
    this.#attempt?.redirectNotFollowed();
  }

  /** Of a response that it decodes got makes another. */
  handedOver(response: unknown): void {
    const { request } = (response ?? {}) as Partial<Response>;
    if (request?.options === undefined) return;
    this.#response = response as Response;
    const first = this.#attempt?.response;
    if (first !== undefined && first !== response) carryMarks(first, response);
  }

  #admitted(options: Options): Attempt {
    if (this.#attempt?.takes(options)) return this.#attempt;
    this.#attempt = undefined;
    this.#attempt = new Attempt(this.#breaker, options, this.#countsCall);
    return this.#attempt;
  }

  #watched(sent: unknown, attempt: Attempt): unknown {
    let isAnswered = false;
    const answered = (response: unknown): void => {
      isAnswered = true;
      attempt.headers(response as IncomingMessage);
    };
    const failed = (error: unknown): void => {
      if (isAnswered || attempt !== this.#attempt) return;
      this.#end(error as Error);
    };
    if (typeof (sent as IncomingMessage | undefined)?.statusCode === 'number') answered(sent);
    else if (isEmitter(sent)) {
      for (const event of ['response', 'upgrade', 'connect']) sent.once(event, answered);
      if (this.#countsCall) return sent;
      // got knows better what it was, but versions of it forget some calls.
      sent.once(errorMonitor, (error) => setImmediate(failed, error));
    }
    return sent;
  }

  #refused(refusal: unknown, args: unknown[]): FallbackRequest {
    this.#isRefused = true;
    if (this.#settings.fallback === undefined) return this.#reject(refusal);
    const answer = answerInstead(this.#settings, 'refused', refusal, this.#request)!;
    answer.catch((error: unknown) => (this.#rejection = error));
    // got's cache gives a callback, and would store what that is given.
    const isForCache = typeof args[1] === 'function';
    return new FallbackRequest(answer, isForCache ? 'cacheableResponse' : 'response');
  }

  #reject(error: unknown): never {
    this.#rejection = error;
    throw error;
  }

  /** The errors of got 14.0 have none, and those that come through its cache have a copy. */
  #addCause(error: RequestError): void {
    const { message } = (this.#rejection ?? {}) as Partial<Error>;
    if (message === error.message) error.cause = this.#rejection;
  }

  #watchStream(stream: Stream): void {
    watchStream(stream, {
      response: (response) => {
        this.handedOver(response);
        this.#attempt?.end();
      },
      ended: (error) => this.#ended(error as Partial<RequestError>),
      retried: () => (this.#isOver = false),
    });
  }

  #ended(error: Partial<RequestError> | undefined): void {
    this.#end(error);
    this.#isOver = true;
  }

  #end(error: Partial<RequestError> | undefined): void {
    const attempt = this.#attempt;
    if (attempt === undefined || attempt.isOver) return;
    this.handedOver(error?.response);
    attempt.end(error);
    attempt.isOver = true;
  }

  async #answerTo(cause: unknown): Promise<FallbackMessage | undefined> {
    const outcome = this.#isRefused ? undefined : this.#attempt?.outcome;
    if (outcome === undefined) return undefined;
    // Perhaps while got waited for the next try.
    if (errorKind(cause, this.#options.signal).kind === 'cancel') return undefined;
    const answer = await answerInstead(this.#settings, outcome, cause, this.#request);
    return answer === undefined || answer === cause ? undefined : messageOf(answer);
  }

  get #request(): GuardedRequest {
    const options = this.#options;
    const url = new URL(options.url!);
    url.username = url.password = '';
    return { method: options.method, url: url.href, options };
  }
}

function isEmitter<T>(value: T): value is T & Stream {
  return typeof (value as Partial<Stream> | undefined)?.once === 'function';
}

function isPromise<T>(value: T): value is T & Promise<unknown> {
  return typeof (value as Partial<Promise<unknown>> | undefined)?.then === 'function';
}
