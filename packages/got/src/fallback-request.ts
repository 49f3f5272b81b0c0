import { getDegradation, markDegraded } from '@recloser/core';
import type { Response } from 'got';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { FallbackResponse } from './options.ts';

/** A response that did not come over the network: got reads it as any. */
export type FallbackMessage = IncomingMessage & Pick<Response, 'rawBody'>;

export function messageOf(answer: FallbackResponse): FallbackMessage {
  const { statusCode = 200, headers: given = {}, body = '' } = answer;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const headers: Record<string, unknown> = isRaw ? {} : { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  // What got makes of it has the same headers.
  markDegraded(headers, getDegradation(answer)?.cause);
  const rawBody = Buffer.from(isRaw ? body : JSON.stringify(body));
  function read(this: Readable): void {
    if (rawBody.length > 0) this.push(rawBody);
    this.push(null);
  }
  const statusMessage = STATUS_CODES[statusCode] ?? '';
  const parts = { statusCode, statusMessage, headers, rawBody, complete: true };
  return Object.assign(new Readable({ read }), parts) as unknown as FallbackMessage;
}

/** In the place of a request that is not sent: takes the upload, and has the answer for a response. */
export class FallbackRequest extends Writable {
  res: FallbackMessage | undefined;

  /** @param event  by which got hears of the response */
  constructor(answer: Promise<FallbackResponse>, event: string) {
    super({ autoDestroy: false, write: (_chunk, _encoding, written) => written() });
    // got may need some turns until it listens.
    setImmediate(() => void this.#respond(answer, event));
  }

  async #respond(answer: Promise<FallbackResponse>, event: string): Promise<void> {
    try {
      const message = messageOf(await answer);
      if (this.destroyed) return;
      this.res = message;
      this.emit(event, message);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error), { cause: error }));
    }
  }

  setTimeout(): this {
    return this;
  }
}
