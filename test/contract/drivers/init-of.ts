import { Readable } from 'node:stream';
import type { ContractRequest } from '../contract.ts';

/** A request as the `init` of a fetch. */
export function initOf({
  method = 'GET',
  headers,
  body,
  signal,
  redirect,
}: ContractRequest): RequestInit {
  const upload = body instanceof Readable ? Readable.toWeb(body) : body;
  return {
    method,
    ...(headers && { headers }),
    ...(upload !== undefined && { body: upload as BodyInit, duplex: 'half' }),
    ...(signal && { signal }),
    ...(redirect && { redirect }),
  };
}
