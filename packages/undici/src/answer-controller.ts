import { markDegraded } from '@recloser/core';
import { shown } from '@recloser/core/adapter';
import type { Controller, Handler, Headers, RawHeaders } from './dispatch.ts';
import type { FallbackAnswer } from './options.ts';

export interface AnswerOptions {
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
  { drop, release }: AnswerOptions,
): void {
  const controller = new AnswerController(above, drop);
  controller.start();
  answer.then(
    (given) => {
      if (given !== cause) controller.answer(given, cause);
      else if (controller.retire()) release();
    },
    (error: unknown) => controller.abort(error),
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

  answer(given: FallbackAnswer, cause: unknown): void {
    if (this.#isOver) return;
    this.#drop();
    try {
      this.#steps.push(...this.#stepsOf(given, cause));
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

  #stepsOf(given: FallbackAnswer, cause: unknown): (() => unknown)[] {
    if (typeof given !== 'object' || given === null) {
      throw new TypeError(
        `fallback must give { statusCode, headers, body }, but gave ${shown(given)}`,
      );
    }
    const { statusCode = 200, headers = {}, body } = given;
    const above = this.#above;
    const named = markDegraded(lowerCased(headers), cause);
    const chunk = typeof body === 'string' ? Buffer.from(body) : body && Buffer.from(body);
    this.rawHeaders = rawHeadersOf(named);
    return [
      () => above.onResponseStart?.(this, statusCode, named, ''),
      () => chunk?.length && above.onResponseData?.(this, chunk),
      () => above.onResponseEnd?.(this, {}),
      () => (this.#isOver = true),
    ];
  }

  /** As far as the handler takes it. It may pause, resume and abort from within. */
  #proceed(): void {
    if (this.#isProceeding) return;
    this.#isProceeding = true;
    try {
      while (!this.paused && !this.#isOver && this.#steps.length > 0) this.#steps.shift()!();
    } catch (error) {
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

function lowerCased(headers: NonNullable<FallbackAnswer['headers']>): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function rawHeadersOf(headers: Headers): RawHeaders {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [Buffer.from(name), Buffer.from(each, 'latin1')]),
  );
}
