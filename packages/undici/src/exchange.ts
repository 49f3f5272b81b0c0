import type { Admission, Outcome, SignalLike } from '@recloser/core';
import type { InContext } from '@recloser/core/adapter';
import { answerFrom } from './answer-controller.ts';
import {
  signalOf,
  type Controller,
  type DispatchRequest,
  type Handler,
  type Headers,
} from './dispatch.ts';
import type { FallbackAnswer } from './options.ts';
import { bodyError, responseIn } from './response-error.ts';

/** What the fallback answers with; undefined where the ending is none of its business. */
export type AnswerInstead = (
  ending: 'refused' | Outcome | undefined,
  cause: unknown,
) => Promise<FallbackAnswer> | undefined;

/** One admitted request, between the dispatcher that sends it and the handler of whoever made it. */
export class Exchange {
  // A connection calls in the context of the request that opened it: a retry or a redirect from there
  // would be taken for a part of that request.
  readonly #inContext: InContext;
  readonly #admission: Admission;
  readonly #request: DispatchRequest;
  readonly #instead: AnswerInstead;
  readonly #above: Handler;
  #start: (() => unknown) | undefined;
  #hasResponse = false;
  #hasEnded = false;
  #leaving: SignalLike | undefined;
  #held: (() => unknown)[] | undefined;
  #isDropped = false;

  /** @param above  gets the fallback's answer */
  constructor(
    admission: Admission,
    request: DispatchRequest,
    instead: AnswerInstead,
    above: Handler,
  ) {
    this.#inContext = admission.inContext();
    this.#admission = admission;
    this.#request = request;
    this.#instead = instead;
    this.#above = above;
  }

  /** The fallback is deciding whether to answer. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Calls the handler above; later or never where a fallback comes between. */
  forward<T>(call: () => T): T | undefined {
    if (this.#isDropped) return undefined;
    if (this.#held !== undefined) {
      this.#held.push(call);
      return undefined;
    }
    try {
      return this.#inContext(call);
    } catch (error) {
      // The dispatcher takes it for the end of the request, as if the dependency had failed.
      this.left(error);
      throw error;
    }
  }

  started(call: () => unknown): unknown {
    this.#start = call;
    return this.forward(call);
  }

  ended(call: () => unknown): unknown {
    this.#hasEnded = true;
    return this.forward(call);
  }

  /** The handler above ends the request. */
  left(reason: unknown): void {
    this.#leaving ??= { aborted: true, reason };
  }

  /** @param connection  where a fallback may answer in its place */
  responded(status: number, headers: Headers, connection?: Controller): void {
    this.#hasResponse = true;
    const outcome = this.#admission.responded(status, headers);
    if (connection !== undefined) this.#hold(outcome, { statusCode: status, headers }, connection);
  }

  failed(error: unknown, controller: Controller | null | undefined): void {
    const signal = this.#endedBy(error, controller);
    if (this.#hasResponse) {
      this.#admission.bodyFailed(bodyError(error), signal);
      return;
    }
    const response = responseIn(error);
    const outcome =
      response === undefined
        ? this.#admission.failed(error, signal)
        : this.#admission.responded(response.statusCode, response.headers);
    // Undici itself has told a caller whose signal is aborted, by its deadline too.
    if (signal?.aborted !== true) this.#hold(outcome, error);
  }

  #endedBy(error: unknown, controller: Controller | null | undefined): SignalLike | undefined {
    const signal = signalOf(this.#request);
    if (signal?.aborted === true) return signal;
    // An upload that fails may come from another dependency.
    if (error != null && this.#request.body?.errored === error) this.left(error);
    if (this.#leaving !== undefined) return this.#leaving;
    // Fetch hands no signal on. Only who waits for the response aborts by the controller.
    return controller?.aborted === true ? controller : signal;
  }

  #hold(outcome: Outcome | undefined, cause: unknown, connection?: Controller): void {
    const answer = this.#inContext(() => this.#instead(outcome, cause));
    if (answer === undefined) return;
    this.#held = [];
    connection?.pause();
    const drop = (): void => {
      this.#isDropped = true;
      this.#held = undefined;
      connection?.abort();
      // `dump` notes an abort, and then waits for the body to end.
      connection?.resume();
    };
    const release = (): void => {
      // What this brings at once comes after what is held.
      connection?.resume();
      const held = this.#held ?? [];
      this.#held = undefined;
      try {
        // The handler was given another controller meanwhile.
        if (connection !== undefined && this.#start !== undefined) this.forward(this.#start);
        for (const call of held) this.forward(call);
      } catch (error) {
        // As undici does with what a handler throws.
        if (this.#hasEnded) this.forward(() => this.#above.onResponseError?.(connection, error));
        else if (connection !== undefined) connection.abort(error);
        else uncaught(error);
      }
    };
    const upload = this.#request.body;
    this.#inContext(() => answerFrom(answer, cause, this.#above, { upload, drop, release }));
  }
}

/** As it would be if the dispatcher had called the handler. */
function uncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
