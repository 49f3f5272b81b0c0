import { shown } from '@recloser/core/adapter';
import { Writable } from 'node:stream';
import type { FallbackMessage } from './fallback-message.ts';

/** In the place of a request that is not sent: takes the upload, and has the answer for a response. */
export class FallbackRequest extends Writable {
  res: FallbackMessage | undefined;

  /** @param event  by which got hears of the response */
  constructor(answer: Promise<FallbackMessage>, event: string) {
    super({ autoDestroy: false, write: (_chunk, _encoding, written) => written() });
    // got may need some turns until it listens.
    setImmediate(() => void this.#respond(answer, event));
  }

  async #respond(answer: Promise<FallbackMessage>, event: string): Promise<void> {
    try {
      const message = await answer;
      if (this.destroyed) return;
      this.res = message;
      this.emit(event, message);
    } catch (error) {
      this.destroy(error instanceof Error ? error : errorOf(error));
    }
  }

  // Of a ClientRequest, for got and for listeners of `request`: nothing is sent with any of it.

  setTimeout(): this {
    return this;
  }

  setNoDelay(): void {}

  setSocketKeepAlive(): void {}

  flushHeaders(): void {}

  setHeader(): this {
    return this;
  }

  removeHeader(): void {}

  getHeader(): undefined {
    return undefined;
  }

  getHeaders(): Record<string, never> {
    return {};
  }

  hasHeader(): boolean {
    return false;
  }
}

function errorOf(thrown: unknown): Error {
  return new Error(typeof thrown === 'string' ? thrown : shown(thrown), { cause: thrown });
}
