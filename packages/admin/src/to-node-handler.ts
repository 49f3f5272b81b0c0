import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkFunction } from '@recloser/core/adapter';
import type { AdminHandler } from './admin-options.ts';
import { jsonAnswer } from './answers.ts';
import { requestOf } from './request-of.ts';
import { sendResponse } from './send-response.ts';

/**
 * The handler for `node:http`, Express and what else hands on a request and a response of Node's. It
 * answers every request that it gets. Where the body was parsed before, it is taken from
 * `request.body`.
 *
 *     createServer(toNodeHandler(handler)).listen(8080, '127.0.0.1');
 *
 * @throws TypeError where the handler is no function
 */
export function toNodeHandler(
  handler: AdminHandler,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  checkFunction('toNodeHandler: handler', handler);
  return (incoming, outgoing) => {
    void answer(handler, incoming, outgoing);
  };
}

async function answer(
  handler: AdminHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const request = requestOf(incoming, gone.signal);
  try {
    const response =
      request === undefined
        ? jsonAnswer({ error: 'the request could not be understood' }, 400)
        : await handler(request);
    await sendResponse(response, outgoing);
    // What is left of a body would stand before the next request.
    incoming.resume();
  } catch {
    outgoing.destroy();
  }
}
