/** What is used of a stream, of Node or of the web. */
type Stream = Partial<{
  readonly pipe: unknown;
  readonly destroy: () => unknown;
  readonly readableFlowing: boolean | null;
  readonly readableDidRead: boolean;
  readonly getReader: unknown;
  readonly cancel: () => Promise<unknown>;
}>;

/**
 * Gives up a body that nobody will get: a stream left unread would hold its connection for ever. One
 * that somebody has begun to read stays as it is.
 */
export function discardBody(data: unknown): void {
  const stream = (data ?? {}) as Stream;
  try {
    if (typeof stream.pipe === 'function') {
      if (stream.readableFlowing == null && !stream.readableDidRead) stream.destroy?.();
    } else if (typeof stream.getReader === 'function') {
      // Of one that has a reader it rejects, and does nothing.
      stream.cancel?.().catch(() => {});
    }
  } catch {
    // A stand-in of an adapter may give anything.
  }
}
