import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Sends no faster than the client reads. The body is cancelled when the client goes, or where somebody
 * else answers: that is left to them.
 */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  if (outgoing.headersSent) {
    await response.body?.cancel();
    return;
  }
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  const reader = response.body?.getReader();
  if (reader === undefined) {
    outgoing.end();
    return;
  }
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
    reader.cancel().catch(() => {});
  };
  outgoing.once('close', leave);
  if (outgoing.destroyed) leave();
  // While it waits for the client it reads nothing, and would not see an error.
  reader.closed.catch(() => outgoing.destroy());
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    // To write to one that somebody else has ended would be an error that nobody catches.
    if (done || gone.signal.aborted || outgoing.writableEnded) break;
    if (!outgoing.write(value)) await drained(outgoing, gone.signal);
  }
  outgoing.end();
}

async function drained(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(outgoing, 'drain', { signal }).catch(() => {});
}
