import { markDegraded } from '@recloser/core';
import { answerResponse } from './answer-response.ts';
import type { Controller, DispatchRequest, Handler, RawHeaders } from './dispatch.ts';
import type { FallbackAnswer } from './options.ts';

export interface AnswerOptions {
  readonly upload: DispatchRequest['body'];
  /** Called when the fallback answers, and when nobody waits for it any more. */
  readonly drop?: () => void;
  /** Called where the fallback leaves the call as it is. */
  readonly release: () => void;
}

/** Has a fallback answer in the dispatcher's place. */
export function answerFrom(
  answer: Promise<FallbackAnswer>,
  cause: unknown,
  above: Handler,
  { upload, drop, release }: AnswerOptions,
): void {
  const controller = new AnswerController(above, drop);
  const leave = (): void => {
    if (controller.retire()) release();
  };
  controller.start();
  answer.then(
    (given) => (given === cause ? leave() : controller.answer(given, cause, upload)),
    (error: unknown) => (error === cause ? leave() : controller.abort(error)),
  );
}

/** Stands for a connection towards the handler of whoever made the request. */
export class AnswerController implements Controller {
  aborted = false;
  paused = false;
  reason: unknown = null;
  rawHeaders: RawHeaders = [];
  readonly rawTrailers: RawHeaders = [];
  readonly #above: Handler;
  readonly #drop: () => void;
  #steps: (() => unknown)[] = [];
  #isProceeding = false;
  #isOver = false;

  constructor(above: Handler, drop: () => void = () => {}) {
    this.#above = above;
    this.#drop = drop;
  }

  /** From now on it can be aborted. */
  start(): void {
    this.#steps.push(() => this.#above.onRequestStart?.(this, null));
    this.#proceed();
  }

  /** False where it is over already. */
  retire(): boolean {
    const wasOver = this.#isOver;
    this.#isOver = true;
    return !wasOver;
  }

  answer(given: FallbackAnswer, cause: unknown, upload: DispatchRequest['body']): void {
    if (this.#isOver) return;
    this.#drop();
    try {
      this.#steps.push(...this.#stepsOf(given, cause, upload));
    } catch (error) {
      return this.abort(error);
    }
    this.#proceed();
  }

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.#isOver) return;
    this.aborted = true;
    this.reason = reason;
    this.#fail(reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.#proceed();
  }

  #stepsOf(
    given: FallbackAnswer,
    cause: unknown,
    upload: DispatchRequest['body'],
  ): (() => unknown)[] {
    const { statusCode, headers, rawHeaders, body } = answerResponse(given);
    const above = this.#above;
    markDegraded(headers, cause);
    this.rawHeaders = rawHeaders;
    keepFromRetry(above);
    return [
      () => above.onResponseStart?.(this, statusCode, headers, ''),
      () => body.length > 0 && above.onResponseData?.(this, body),
      () => above.onResponseEnd?.(this, {}),
      () => {
        this.#isOver = true;
        discard(upload);
      },
    ];
  }

  /** As far as the handler takes it. It may pause, resume and abort from within. */
  #proceed(): void {
    if (this.#isProceeding) return;
    this.#isProceeding = true;
    try {
      while (!this.paused && !this.#isOver && this.#steps.length > 0) this.#steps.shift()!();
    } catch (error) {
      // Or a handler that retries would ask again for what it did not take.
      this.aborted = true;
      this.#fail(error);
    } finally {
      this.#isProceeding = false;
    }
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#drop();
    this.#above.onResponseError?.(this, error);
  }
}

/**
 * The handler of `retry`, of which each call has its own, would ask again for a failing status: this
 * one is an answer, and may be given by a breaker that is open.
 */
function keepFromRetry(above: Handler & { readonly retryOpts?: { statusCodes?: unknown } }): void {
  if (Array.isArray(above.retryOpts?.statusCodes)) above.retryOpts.statusCodes = [];
}

/** Handlers see to the upload where a call fails, and dispatchers where they send it. */
function discard(upload: DispatchRequest['body']): void {
  if (typeof upload?.destroy !== 'function' || upload.destroyed === true) return;
  upload.on?.('error', () => {});
  upload.destroy();
}
