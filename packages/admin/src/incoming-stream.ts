import type { IncomingMessage } from 'node:http';

/**
 * A body as it comes, no faster than it is read. Cancelled, it leaves the rest to be read by others:
 * the connection is still needed for the answer.
 */
export function incomingStream(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  let stop: (() => void) | undefined;
  return new ReadableStream(
    {
      pull(controller) {
        stop ??= listen(incoming, controller);
        incoming.resume();
      },
      cancel() {
        stop?.();
      },
    },
    // What nobody reads Node throws away by itself.
    { highWaterMark: 0 },
  );
}

function listen(
  incoming: IncomingMessage,
  controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
): () => void {
  const take = (chunk: Uint8Array): void => {
    controller.enqueue(new Uint8Array(chunk));
    if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
  };
  const end = (): void => controller.close();
  const fail = (error: Error): void => controller.error(error);
  // It tells no more.
  if (incoming.destroyed) fail(new Error('the client went'));
  incoming.on('data', take).once('end', end).once('error', fail);
  return () => incoming.off('data', take).off('end', end).off('error', fail);
}
