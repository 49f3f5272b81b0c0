import { markDegraded } from '@recloser/core';
import { shown } from '@recloser/core/adapter';
import type { Response } from 'got';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isAnyArrayBuffer } from 'node:util/types';
import type { FallbackResponse } from './options.ts';

/** A response that did not come over the network: got reads it as any. */
export type FallbackMessage = IncomingMessage & Pick<Response, 'rawBody'>;

const MUST = 'must answer with { statusCode, headers, body }';
const PARTS = ['statusCode', 'headers', 'body'] as const;

/**
 * @param cause  the refusal or the failure that it stands in for
 * @throws TypeError for what no response can be made of
 */
export function messageOf(answer: FallbackResponse, cause: unknown): FallbackMessage {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw typeError(MUST, shown(answer), cause);
  }
  if (answer.statusCode === undefined && answer.status !== undefined) {
    throw typeError(MUST, "a 'status'; did you mean 'statusCode'?", cause);
  }
  if (!PARTS.some((part) => part in answer)) {
    throw typeError(MUST, `${shown(answer)} without any of them`, cause);
  }
  const { statusCode = 200, headers: given = {}, body = '' } = answer;
  if (body instanceof Readable || body instanceof ReadableStream) {
    throw typeError('must read a stream before it answers', shown(body), cause);
  }
  const bytes = bytesOf(body);
  const headers: Record<string, unknown> = bytes ? {} : { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  if (typeof headers['set-cookie'] === 'string') headers['set-cookie'] = [headers['set-cookie']];
  // They may be those of a response of got, whose body is decoded, and perhaps parsed.
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  const isEncoded = bytes !== undefined && typeof body !== 'string' && !('rawBody' in answer);
  if (!isEncoded) delete headers['content-encoding'];
  // What got makes of it has the same headers.
  markDegraded(headers, cause);
  const rawBody = bytes ?? Buffer.from(JSON.stringify(body));
  function read(this: Readable): void {
    if (rawBody.length > 0) this.push(rawBody);
    this.push(null);
  }
  const statusMessage = STATUS_CODES[statusCode] ?? '';
  const parts = { statusCode, statusMessage, headers, rawBody, complete: true };
  return Object.assign(new Readable({ read }), parts) as unknown as FallbackMessage;
}

function bytesOf(body: unknown): Buffer | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  if (isAnyArrayBuffer(body)) return Buffer.from(body);
  if (!ArrayBuffer.isView(body)) return undefined;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function typeError(must: string, given: string, cause: unknown): TypeError {
  return new TypeError(`The fallback ${must}, but gave ${given}`, { cause });
}
