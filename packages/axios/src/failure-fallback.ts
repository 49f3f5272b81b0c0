import type { Outcome } from '@recloser/core';
import { answerInstead } from '@recloser/core/adapter';
import { isCancel, type AxiosResponse } from 'axios';
import { discardBody } from './discard-body.ts';
import type { AttemptedRequest, WholeFallbackOptions } from './options.ts';

interface Attempt {
  readonly outcome: Outcome | undefined;
  readonly request: AttemptedRequest;
  readonly data: unknown;
}

/** What is looked at of an error. */
interface AnyError {
  readonly cause?: unknown;
  readonly config?: unknown;
  readonly response?: { readonly data?: unknown };
}

/** How far an error that an interceptor wrapped is looked for. */
const MAX_DEPTH = 8;

/**
 * Answers calls whose last attempt failed. What an attempt counted as is known where it is sent;
 * that it was the last one only by a response interceptor behind the one that retries.
 */
export class FailureFallback {
  readonly #optionsOf: () => WholeFallbackOptions;
  /** By the response or the error in which an attempt ended, and by its config. */
  readonly #attempts = new WeakMap<object, Attempt>();
  /** A retry is a call within a call: what was left to it comes by here again. */
  readonly #left = new WeakSet<object>();

  constructor(optionsOf: () => WholeFallbackOptions) {
    this.#optionsOf = optionsOf;
  }

  remember(ending: unknown, outcome: Outcome | undefined, request: AttemptedRequest): void {
    if (this.#optionsOf().fallbackOn !== 'failure' || !request.isAnswered) return;
    const { response = ending } = (ending ?? {}) as { response?: unknown };
    const { data } = (response ?? {}) as { data?: unknown };
    const attempt: Attempt = { outcome, request, data };
    this.#attempts.set(request.config, attempt);
    if (!isObject(ending)) return;
    this.#attempts.set(ending, attempt);
    this.#left.delete(ending);
  }

  readonly onResponse = async (response: AxiosResponse): Promise<AxiosResponse> => {
    const attempt = this.#left.has(response) ? undefined : this.#attempts.get(response);
    return (await this.#answer(response, attempt)) ?? response;
  };

  readonly onError = async (error: unknown): Promise<AxiosResponse> => {
    const answer = await this.#answer(error, this.#attemptOf(error));
    if (answer === undefined) throw error;
    return answer;
  };

  /** Undefined where the ending stays as it is. */
  async #answer(ending: unknown, attempt: Attempt | undefined): Promise<AxiosResponse | undefined> {
    if (attempt === undefined) return undefined;
    const { outcome, request, data } = attempt;
    let answer: AxiosResponse | undefined;
    try {
      answer = await answerInstead(this.#optionsOf(), outcome, ending, request);
    } catch (error) {
      this.#leave(error);
      if (!isMadeOf(error, ending, data)) discardBody(data);
      throw error;
    }
    if (answer === undefined || answer === ending) {
      this.#leave(ending);
      return undefined;
    }
    if (answer.data !== data) discardBody(data);
    return answer;
  }

  #leave(ending: unknown): void {
    if (isObject(ending)) this.#left.add(ending);
  }

  #attemptOf(error: unknown): Attempt | undefined {
    for (let value = error, depth = 0; isObject(value) && depth < MAX_DEPTH; depth++) {
      if (this.#left.has(value)) return undefined;
      const attempt = this.#attempts.get(value) ?? this.#byConfigOf(value);
      if (attempt !== undefined) return attempt;
      value = value.cause;
    }
    return undefined;
  }

  // For the errors that axios or an interceptor makes of a failing response. Who cancels has left.
  #byConfigOf(error: AnyError): Attempt | undefined {
    const { config } = error;
    return isObject(config) && !isCancel(error) ? this.#attempts.get(config) : undefined;
  }
}

function isMadeOf(error: unknown, ending: unknown, data: unknown): boolean {
  if (error === ending) return true;
  return isObject(error) && (error.cause === ending || error.response?.data === data);
}

function isObject(value: unknown): value is AnyError {
  return typeof value === 'object' && value !== null;
}
