import { isDegraded, type Admission, type HttpCircuitBreaker, type Outcome } from '@recloser/core';
import type { Options, RequestError } from 'got';
import type { IncomingMessage } from 'node:http';

/**
 * What was admitted: one try, with the redirects that it follows; or, where calls are counted, the
 * call with all its tries.
 */
export class Attempt {
  /** Undefined until it is recorded, and where no breaker guards it. */
  outcome: Outcome | undefined;
  isOver = false;
  readonly #admission: Admission;
  readonly #countsCall: boolean;
  /** Those of the latest hop. */
  #options: Options;
  /** One that got may be about to follow. */
  #redirect: IncomingMessage | undefined;
  #response: IncomingMessage | undefined;
  /** That of the response, whatever a hook makes of it. */
  #status: number | undefined;

  /** @throws CallNotPermittedError */
  constructor(breaker: HttpCircuitBreaker, options: Options, countsCall: boolean) {
    const { method, url } = options;
    this.#admission = breaker.admit({ method, url: url as URL, original: options });
    this.#options = options;
    this.#countsCall = countsCall;
  }

  /** Whether the request that got is about to send is a part of it. */
  takes(options: Options): boolean {
    if (this.isOver || !(this.#countsCall || this.#response === undefined)) return false;
    this.#options = options;
    this.#redirect = this.#response = undefined;
    return true;
  }

  send<T>(call: () => T): T {
    return this.#admission.send(call);
  }

  /** The status and the headers of a hop are known. */
  headers(response: IncomingMessage): void {
    // The answer of another guard.
    if (isDegraded(response)) return this.#admission.released();
    const { statusCode = 0, headers } = response;
    this.#status = statusCode;
    const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
    if (isRedirect && this.#options.followRedirect !== false) this.#redirect = response;
    else this.#answered(response);
  }

  redirectNotFollowed(): void {
    if (this.#redirect !== undefined) this.#answered(this.#redirect);
  }

  /** Well, or in an error of got. What comes after the end changes nothing. */
  end(error?: Partial<RequestError>): void {
    if (this.isOver) return;
    // One that got did not follow after all.
    if (error === undefined || error.name === 'HTTPError') this.#response ??= this.#redirect;
    const response = this.#response;
    if (response !== undefined && !this.#endsIn(error, response)) return this.#settle(response);
    if (error === undefined) return this.#admission.released();
    const { signal } = this.#options;
    if (this.outcome === undefined) {
      this.outcome = this.#admission.failed(this.#nameLocal(error), signal);
      return;
    }
    const outcome = this.#admission.bodyFailed(error, signal);
    if (outcome === 'failure' || outcome === 'trip') this.outcome = outcome;
  }

  #answered(response: IncomingMessage): void {
    this.#response = response;
    if (!this.#countsCall) this.#settle(response);
  }

  #settle(response: IncomingMessage): void {
    const { headers } = response;
    this.outcome = this.#admission.responded(this.#status!, headers, response) ?? this.outcome;
  }

  /** Of a whole response its status speaks, whatever a hook after it ran into. */
  #endsIn(error: Partial<RequestError> | undefined, { complete }: IncomingMessage): boolean {
    if (error === undefined || error.name === 'HTTPError') return false;
    // Perhaps while got waits for the next try.
    const hasLeft = this.#options.signal?.aborted === true || error.name === 'CancelError';
    if (this.#countsCall && hasLeft) return true;
    if (error.options !== this.#options) return false;
    // One without a response came before got had it: a hook of its cache.
    return error.name === 'ReadError' || (complete === false && error.response !== undefined);
  }

  /** The caller's own errors may have any code: that of a hook, or of a file. */
  #nameLocal(error: Partial<RequestError>): Error {
    const { name, message } = error;
    let code: string | undefined;
    if (name === 'UploadError') code = 'ERR_UPLOAD';
    // Between two hops there is no request, but hooks; the code is that of follow-redirects for it.
    else if (name === 'RequestError' && this.#redirect) code = 'ERR_FR_REDIRECTION_FAILURE';
    if (code === undefined) return error as Error;
    return Object.assign(new Error(message, { cause: error }), { code });
  }
}
