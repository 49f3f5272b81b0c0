import { errorMonitor } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isEmitter } from './watch-stream.ts';

/** Hears of a request that was sent. */
export interface RequestListener {
  /** The status and the headers are known. */
  answered(response: IncomingMessage): void;
  /** There will be no answer. */
  failed(error: Error): void;
}

/** @param sent  what the request function gave: a request, or a response at once */
export function watchRequest<T>(sent: T, listener: RequestListener): T {
  let isAnswered = false;
  const answered = (response: unknown): void => {
    isAnswered = true;
    listener.answered(response as IncomingMessage);
  };
  const failed = (error: unknown): void => {
    if (!isAnswered) listener.failed(error as Error);
  };
  if (typeof (sent as Partial<IncomingMessage> | undefined)?.statusCode === 'number') {
    answered(sent);
  } else if (isEmitter(sent)) {
    // Before got's cache, whose hooks may throw.
    for (const event of ['response', 'upgrade', 'connect']) {
      sent.prependOnceListener(event, answered);
    }
    // got knows better what it was, but versions of it forget some calls.
    sent.once(errorMonitor, (error) => setImmediate(failed, error));
  }
  return sent;
}
