import type { Options } from 'got';
import type { Attempt } from './attempt.ts';
import { watchRequest, type RequestListener } from './watch-request.ts';

export type Send = (...args: unknown[]) => unknown;

/**
 * Sends one hop, and watches what comes of it.
 * @returns what `send` gives got: a request or a response, or a promise of it
 */
export function sendAttempt(
  attempt: Attempt,
  options: Options,
  send: Send,
  args: unknown[],
  listener: RequestListener,
): unknown {
  // Where the user's own function gives nothing, got 14 sends it by itself, unseen.
  const { getFallbackRequestFunction } = options as { getFallbackRequestFunction?: () => Send };
  const filled = (sent: unknown): unknown =>
    sent ?? getFallbackRequestFunction?.call(options)(...args);
  const sent = attempt.send(() => filled(send(...args)));
  if (!isPromise(sent)) return watchRequest(sent, listener);
  return sent.then((later) => watchRequest(filled(later), listener));
}

export function isPromise<T>(value: T): value is T & Promise<unknown> {
  return typeof (value as Partial<Promise<unknown>> | undefined)?.then === 'function';
}
