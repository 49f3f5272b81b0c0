import type { Admission, Outcome, SignalLike } from '@recloser/core';
import type { InContext } from '@recloser/core/adapter';
import { answerFrom } from './answer-controller.ts';
import {
  signalOf,
  type AnyHandler,
  type Controller,
  type DispatchRequest,
  type Headers,
} from './dispatch.ts';
import type { LayerFallback } from './layer-fallback.ts';
import { bodyError, responseIn } from './response-error.ts';
import { upward } from './upward.ts';

/** One admitted request, between the dispatcher that sends it and the handler of whoever made it. */
export class Exchange<Kind extends AnyHandler = AnyHandler> {
  /** Of whoever made the request. */
  readonly handler: Kind;
  // A connection calls in the context of the request that opened it: a retry or a redirect from there
  // would be taken for a part of that request.
  readonly #inContext: InContext;
  readonly #admission: Admission;
  readonly #request: DispatchRequest;
  readonly #fallback: LayerFallback;
  #start: (() => unknown) | undefined;
  #hasResponse = false;
  #hasEnded = false;
  #leaving: SignalLike | undefined;
  #held: (() => unknown)[] | undefined;
  #isDropped = false;

  constructor(
    admission: Admission,
    request: DispatchRequest,
    fallback: LayerFallback,
    handler: Kind,
  ) {
    this.#inContext = admission.inContext();
    this.#admission = admission;
    this.#request = request;
    this.#fallback = fallback;
    this.handler = handler;
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
    const answer = this.#inContext(() => this.#fallback.answer(this.#request, outcome, cause));
    if (answer === undefined) return;
    const above = upward(this.handler);
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
        if (this.#hasEnded) this.forward(() => above.onResponseError?.(connection, error));
        else if (connection !== undefined) connection.abort(error);
        else uncaught(error);
      }
    };
    const upload = this.#request.body;
    this.#inContext(() => answerFrom(answer, cause, above, { upload, drop, release }));
  }
}

/** As it would be if the dispatcher had called the handler. */
function uncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
