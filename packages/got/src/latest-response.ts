import { carryMarks } from '@recloser/core/adapter';
import type { Request, Response } from 'got';
import type { IncomingMessage } from 'node:http';

/** The latest response of a call: as it came, and what got and hooks made of it. */
export class LatestResponse {
  /** got's own, which its responses have. */
  request: Request | undefined;
  #made: Response | undefined;
  /** Of this hop; undefined where a hook answers it, or the cache. */
  #source: IncomingMessage | undefined;
  /** That of the source, whatever a hook makes of it. */
  #status: number | undefined;

  /** A hop begins, with its hooks. */
  begins(): void {
    this.#source = this.#status = undefined;
  }

  /** From the server, or from a fallback. */
  came(source: IncomingMessage): void {
    this.#source = source;
    this.#status = source.statusCode;
  }

  /** Of a response that it decodes got makes another. */
  handedOver(response: unknown): void {
    const { request } = (response ?? {}) as Partial<Response>;
    if (request?.options === undefined) return;
    this.#made = response as Response;
    this.request = request;
    const source = this.#source;
    if (source !== undefined && source !== response) carryMarks(source, response);
  }

  /** The response, where what a call gave is what the server gave, and no hook's or handler's. */
  givenBy(value: unknown, resolveBodyOnly: boolean): Response | undefined {
    const made = this.#made;
    if (made === undefined || made.statusCode !== this.#status) return undefined;
    return value === (resolveBodyOnly ? made.body : made) ? made : undefined;
  }
}
