import type { Request } from 'got';
import { errorMonitor } from 'node:events';

/** What is used here of got's stream. */
export interface Stream {
  once(event: string | symbol, listener: (value: unknown) => void): unknown;
  emit(event: string | symbol, ...args: unknown[]): boolean;
}

/** Hears of a stream of got, and of those that its user makes to retry it. */
export interface StreamListener {
  /** got is about to hand a response over. */
  response(response: unknown): void;
  /** Whatever becomes of it, there is nothing more to send. */
  ended(error: unknown): void;
  /** There is another try after all. */
  retried(): void;
}

type CreateRetryStream = (options: unknown) => Request & Stream;

/** Watches a stream without a trace: one without an error listener stays as fatal as it is. */
export function watchStream(stream: Stream, listener: StreamListener): void {
  let isRetried = false;
  // As got 14 says that a promise was cancelled.
  const left = { name: 'CancelError', code: 'ERR_CANCELED' };
  let error: unknown = Object.assign(new Error('The stream was left'), left);
  stream.once('response', (response) => listener.response(response));
  stream.once(errorMonitor, (reason) => listener.ended(reason));
  stream.once('close', () => {
    if (!isRetried) listener.ended(error);
  });
  const emit = stream.emit.bind(stream);
  // A listener for it would make got retry, and got allows no second one.
  stream.emit = (event, ...args) => {
    if (event !== 'retry') return emit(event, ...args);
    const [count, reason, createRetryStream] = args as [unknown, unknown, CreateRetryStream];
    error = reason;
    return emit(event, count, reason, (options: unknown) => {
      isRetried = true;
      const next = createRetryStream(options);
      listener.retried();
      watchStream(next, listener);
      return next;
    });
  };
}
