import { errorKind, type FallbackOn, type Outcome } from '@recloser/core';
import { answerInstead } from '@recloser/core/adapter';
import type { Options, RequestError } from 'got';
import { messageOf, type FallbackMessage } from './fallback-message.ts';
import { FallbackRequest } from './fallback-request.ts';
import type { GotBreakerOptions, GuardedRequest } from './options.ts';

/** Answers one call of got in the dependency's place, or gives got the error to end it with. */
export class CallFallback {
  readonly #settings: GotBreakerOptions<FallbackOn>;
  /** What got was given in the place of what it wanted to send. */
  #rejection: unknown;

  constructor(settings: GotBreakerOptions<FallbackOn>) {
    this.#settings = settings;
  }

  get isForFailures(): boolean {
    return this.#settings.fallbackOn === 'failure';
  }

  /**
   * @param answered  hears of the answer before got does
   * @returns what is given to got for its request
   */
  refused(
    refusal: unknown,
    options: Options,
    isForCache: boolean,
    answered: (message: FallbackMessage) => void,
  ): FallbackRequest {
    const answer = answerInstead(this.#settings, 'refused', refusal, requestOf(options));
    if (answer === undefined) return this.reject(refusal);
    const message = answer.then((given) => {
      if ((given as unknown) === refusal) throw refusal;
      const made = messageOf(given, refusal);
      answered(made);
      return made;
    });
    message.catch((error: unknown) => (this.#rejection = error));
    // got's cache would store what it is given by itself.
    return new FallbackRequest(message, isForCache ? 'cacheableResponse' : 'response');
  }

  /** @returns undefined where the call stays as it is */
  async failed(
    outcome: Outcome | undefined,
    cause: unknown,
    options: Options,
  ): Promise<FallbackMessage | undefined> {
    // The caller left, perhaps while got waited for the next try.
    if (outcome === undefined || errorKind(cause, options.signal).kind === 'cancel') {
      return undefined;
    }
    const answer = answerInstead(this.#settings, outcome, cause, requestOf(options));
    if (answer === undefined) return undefined;
    const given = await answer;
    return given === cause ? undefined : messageOf(given, cause);
  }

  /** Throws it, for got to end the call with. */
  reject(error: unknown): never {
    this.#rejection = error;
    throw error;
  }

  /** The errors of got 14.0 have none, and those that come through its cache have a copy. */
  addCause(error: RequestError): void {
    const { message } = (this.#rejection ?? {}) as Partial<Error>;
    if (message === error.message) error.cause = this.#rejection;
  }
}

function requestOf(options: Options): GuardedRequest {
  const url = new URL(options.url!);
  url.username = url.password = '';
  return { method: options.method, url: url.href, options };
}
