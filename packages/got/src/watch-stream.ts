import type { Request } from 'got';
import { errorMonitor } from 'node:events';

/** What is used here of got's stream. */
export interface Stream {
  readonly destroyed?: boolean;
  prependOnceListener(event: string | symbol, listener: (value: unknown) => void): unknown;
  once(event: string | symbol, listener: (value: unknown) => void): unknown;
  emit(event: string | symbol, ...args: unknown[]): boolean;
}

/** Hears of a stream of got, and of those that its user makes to retry it. */
export interface StreamListener {
  /** got is about to hand a response over. */
  responded(response: unknown): void;
  /** Whatever becomes of it, there is nothing more to send. */
  ended(error: unknown): void;
  /** It was destroyed, by got or by whoever has it. */
  destroyed(error: unknown): void;
  /** There is another try after all. */
  retried(): void;
}

type CreateRetryStream = (options: unknown) => Request & Stream;

/** Watches a stream without a trace: one without an error listener stays as fatal as it is. */
export function watchStream(stream: Stream, listener: StreamListener): void {
  let isRetried = false;
  let failure: { readonly error: unknown } | undefined;
  stream.once('response', (response) => listener.responded(response));
  stream.once(errorMonitor, (error) => {
    // Of an upload that is piped got hands the connection's error on, and destroys nothing.
    if (stream.destroyed) listener.destroyed(error);
    else listener.ended(error);
  });
  stream.once('close', () => {
    if (isRetried) return;
    if (failure === undefined) listener.destroyed(undefined);
    else listener.ended(failure.error);
  });
  const emit = stream.emit.bind(stream);
  // A listener for it would make got retry, and got allows no second one.
  const value: Stream['emit'] = (event, ...args) => {
    if (event !== 'retry') return emit(event, ...args);
    const [count, error, createRetryStream] = args as [unknown, unknown, CreateRetryStream];
    failure = { error };
    return emit(event, count, error, (options: unknown) => {
      isRetried = true;
      const next = createRetryStream(options);
      listener.retried();
      watchStream(next, listener);
      return next;
    });
  };
  Object.defineProperty(stream, 'emit', { value, writable: true, configurable: true });
}

export function isEmitter<T>(value: T): value is T & Stream {
  return typeof (value as Partial<Stream> | undefined)?.prependOnceListener === 'function';
}
