import type { Outcome } from '@recloser/core';
import { answerInstead } from '@recloser/core/adapter';
import type { AxiosResponse } from 'axios';
import type { GuardedRequest, WholeFallbackOptions } from './options.ts';

interface Attempt {
  readonly outcome: Outcome | undefined;
  readonly request: GuardedRequest;
}

/** How far an error that an interceptor wrapped is looked for. */
const MAX_DEPTH = 8;

/**
 * Answers calls whose last attempt failed. What an attempt counted as is known where it is sent;
 * that it was the last one only by a response interceptor behind the one that retries.
 */
export class FailureFallback {
  readonly #options: WholeFallbackOptions;
  /** By the response or the error in which an attempt ended. */
  readonly #attempts = new WeakMap<object, Attempt>();

  constructor(options: WholeFallbackOptions) {
    this.#options = options;
  }

  remember(ending: unknown, outcome: Outcome | undefined, request: GuardedRequest): void {
    if (outcome !== 'success' && isObject(ending)) this.#attempts.set(ending, { outcome, request });
  }

  readonly onResponse = async (response: AxiosResponse): Promise<AxiosResponse> =>
    (await this.#answer(response)) ?? response;

  readonly onError = async (error: unknown): Promise<AxiosResponse> => {
    const answer = await this.#answer(error);
    if (answer === undefined) throw error;
    return answer;
  };

  async #answer(ending: unknown): Promise<AxiosResponse | undefined> {
    const known = this.#known(ending);
    if (known === undefined) return undefined;
    const { outcome, request } = this.#attempts.get(known)!;
    let left = false;
    try {
      const answer = await answerInstead(this.#options, outcome, ending, request);
      left = answer === ending;
      return answer;
    } catch (error) {
      left = error === ending;
      throw error;
    } finally {
      // A retry is a call within a call: what is left as it is comes by here again.
      if (left) this.#attempts.delete(known);
    }
  }

  #known(ending: unknown): object | undefined {
    for (let value = ending, depth = 0; isObject(value) && depth < MAX_DEPTH; depth++) {
      if (this.#attempts.has(value)) return value;
      value = value.cause;
    }
    return undefined;
  }
}

function isObject(value: unknown): value is { readonly cause?: unknown } {
  return typeof value === 'object' && value !== null;
}
