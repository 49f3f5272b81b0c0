import { types } from 'node:util';
import { shown } from '@recloser/core/adapter';
import type { Headers, RawHeaders } from './dispatch.ts';
import type { FallbackAnswer } from './options.ts';

export interface AnswerResponse {
  readonly statusCode: number;
  readonly headers: Headers;
  readonly rawHeaders: RawHeaders;
  readonly body: Uint8Array;
}

const MUST = 'fallback must give { statusCode, headers, body }';
const PARTS = ['statusCode', 'headers', 'body'] as const;

/**
 * What a fallback gave, as handlers take it. It shares nothing with that.
 * @throws TypeError for what handlers can't take: of many statuses and headers they would say nothing
 */
export function answerResponse(given: FallbackAnswer): AnswerResponse {
  if (typeof given !== 'object' || given === null) throw wrong('', given);
  const { statusCode = 200, status } = given;
  if (given.statusCode === undefined && status !== undefined) {
    throw new TypeError(`${MUST}, but gave a 'status'; did you mean 'statusCode'?`);
  }
  if (!PARTS.some((part) => part in given)) {
    throw new TypeError(`${MUST}, but gave ${shown(given)} without any of them`);
  }
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) {
    throw wrong(', with a statusCode from 200 to 599', statusCode);
  }
  const headers = headersOf(given.headers ?? {});
  return { statusCode, headers, rawHeaders: rawHeadersOf(headers), body: bytesOf(given.body) };
}

function headersOf(given: NonNullable<FallbackAnswer['headers']>): Headers {
  if (typeof given !== 'object') throw wrong(', with headers by name', given);
  const headers = new Map<string, string | readonly string[]>();
  for (const entry of Symbol.iterator in given ? given : Object.entries(given)) {
    const [name, value] = Array.isArray(entry) ? entry : [];
    const values = [value ?? []].flat();
    if (typeof name !== 'string' || !values.every((each) => typeof each === 'string')) {
      throw wrong(', with strings or lists of strings as headers', entry);
    }
    const known = headers.get(name.toLowerCase());
    // A `Headers` has each of its cookies as an entry of its own.
    headers.set(name.toLowerCase(), known === undefined ? value! : [known, values].flat());
  }
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return Object.fromEntries(headers);
}

function rawHeadersOf(headers: Headers): RawHeaders {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [Buffer.from(name), Buffer.from(each, 'latin1')]),
  );
}

function bytesOf(body: FallbackAnswer['body']): Uint8Array {
  if (body == null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (types.isAnyArrayBuffer(body)) return Buffer.from(new Uint8Array(body));
  if (!ArrayBuffer.isView(body)) throw wrong(', with a string or bytes as its body', body);
  return Buffer.from(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
}

function wrong(what: string, given: unknown): TypeError {
  return new TypeError(`${MUST}${what}, but gave ${shown(given)}`);
}
