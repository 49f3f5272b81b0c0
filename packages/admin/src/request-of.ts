import type { IncomingMessage } from 'node:http';
import { incomingStream } from './incoming-stream.ts';

/**
 * The request in the words of fetch; undefined where there are none for it.
 * @param signal  aborted when the client goes
 */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  try {
    const { method = 'GET' } = incoming;
    const init: RequestInit = { method, headers: headersOf(incoming), signal };
    if (method === 'GET' || method === 'HEAD') return new Request(urlOf(incoming), init);
    const body = bodyOf(incoming);
    return new Request(urlOf(incoming), { ...init, body, duplex: 'half' } as RequestInit);
  } catch {
    return undefined;
  }
}

/**
 * The path is that of the request line, whatever the other parts say.
 * @throws Error where the path is not as a URL has it: what stands before may have seen another one
 */
function urlOf(incoming: IncomingMessage): URL {
  // As Express keeps it, where it cuts `url` off.
  const { originalUrl = incoming.url } = incoming as { readonly originalUrl?: string };
  const target = (originalUrl ?? '/').replace(/^https?:\/\/[^/?#]+/i, '');
  const [path = ''] = target.split('?');
  const isEncrypted = 'encrypted' in incoming.socket;
  const url = new URL(`${isEncrypted ? 'https' : 'http'}://localhost${rooted(target)}`);
  if (url.pathname !== rooted(path)) throw new Error('not a plain path');
  return withHost(url, incoming);
}

/** Of an asterisk, or of a URL without a path, too. */
function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function withHost(url: URL, { headers: { host } }: IncomingMessage): URL {
  // The setter takes nothing but a host, and ignores what is none.
  if (host !== undefined) url.host = host;
  return url;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const copy = new Headers();
  for (const [name, value = ''] of Object.entries(headers)) {
    for (const each of Array.isArray(value) ? value : [value]) copy.append(name, each);
  }
  return copy;
}

/** As it comes, or as it was parsed by what stands before. */
function bodyOf(incoming: IncomingMessage): BodyInit {
  if (!incoming.readableDidRead) {
    // An empty one that was parsed before: it has ended without any data.
    return incoming.readableEnded ? '' : incomingStream(incoming);
  }
  const { body } = incoming as { readonly body?: unknown };
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (typeof body === 'object' && body !== null) return JSON.stringify(body);
  return new ReadableStream({
    pull() {
      const why = 'it was read before the handler and is not in request.body';
      throw new Error(`${why}; mount the handler before what parses bodies`);
    },
  });
}
