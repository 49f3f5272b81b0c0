import { isCallNotPermitted } from '@recloser/core';
import type { Hooks, Retries } from '../contract.ts';

/** What users write around a client that has no retries of its own, or no hooks. */

/** A refusal is not retried. */
export async function retriedByHand<R>(
  { limit, onBackoff }: Retries,
  attempt: () => Promise<R>,
  isFailure: (response: R) => boolean,
): Promise<R> {
  for (let retry = 0; ; retry++) {
    try {
      const response = await attempt();
      if (retry === limit || !isFailure(response)) return response;
    } catch (error) {
      if (retry === limit || isCallNotPermitted(error)) throw error;
    }
    onBackoff?.();
  }
}

/** `answer` makes a response of a text. */
export async function hookedByHand<R>(
  { before, after, swallow }: Hooks,
  call: () => Promise<R>,
  answer: (text: string) => R,
): Promise<R> {
  try {
    const text = await before?.();
    if (text !== undefined) return answer(text);
    const response = await call();
    await after?.();
    return response;
  } catch (error) {
    if (swallow === undefined) throw error;
    return answer(swallow(error));
  }
}
