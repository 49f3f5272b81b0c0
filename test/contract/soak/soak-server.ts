import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a client's adapter records of a request. */
export type Verdict = 'success' | 'failure' | 'ignored';

/** How the server ends a request, and what is to be recorded of it. */
export const endings = {
  ok: 'success',
  slow: 'success',
  large: 'success',
  empty: 'success',
  missing: 'success',
  busy: 'failure',
  broken: 'failure',
  unavailable: 'failure',
  moved: 'success',
  'moved to what is broken': 'success',
  'closed before headers': 'failure',
  'reset before headers': 'failure',
  'no HTTP': 'failure',
  // Where the adapter learns of the headers first; else it is a failure.
  'cut body': 'success',
  'caller leaves': 'ignored',
  'caller’s deadline': 'failure',
} as const satisfies Record<string, Verdict>;

export type SoakEnding = keyof typeof endings;

const LARGE = 'x'.repeat(300_000);

/** What arrived at a server that ends requests as their query asks for. */
export class SoakServer implements AsyncDisposable {
  /** By ending; what redirects lead to by itself. */
  readonly arrived: Map<SoakEnding, number> = new Map();
  readonly #onArrival: (call: number, ending: SoakEnding) => void;
  readonly #http = createServer((request, response) => this.#answer(request, response));

  /** @param onArrival  is told the number of the call; where its caller is to leave, it is now */
  constructor(onArrival: (call: number, ending: SoakEnding) => void) {
    this.#onArrival = onArrival;
    // A connection that the server closes as a request sets out would end a call that never arrived.
    this.#http.keepAliveTimeout = 0;
  }

  async start(): Promise<string> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
    await once(this.#http, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url!, 'http://server');
    const call = Number(searchParams.get('call'));
    const ending = searchParams.get('ending') as SoakEnding;
    this.arrived.set(ending, (this.arrived.get(ending) ?? 0) + 1);
    this.#onArrival(call, ending);
    const reply = (status: number, body = '', headers = {}): unknown =>
      response.writeHead(status, headers).end(body);
    switch (ending) {
      case 'ok':
        return void reply(200, 'ok');
      case 'slow':
        return void setImmediate(() => setImmediate(reply, 200, 'at last'));
      case 'large':
        return void reply(200, LARGE);
      case 'empty':
        return void reply(204);
      case 'missing':
        return void reply(404, 'no');
      case 'busy':
        return void reply(429, 'no');
      case 'broken':
        return void reply(500, 'no');
      case 'unavailable':
        return void reply(503, 'no', { 'retry-after': '1' });
      case 'moved':
        return void reply(302, '', { location: `/landed?call=${call}&ending=ok` });
      case 'moved to what is broken':
        return void reply(302, '', { location: `/landed?call=${call}&ending=broken` });
      case 'closed before headers':
        return void request.socket.end();
      case 'reset before headers':
        return void request.socket.resetAndDestroy();
      case 'no HTTP':
        return void request.socket.end('this is not HTTP\r\n\r\n');
      case 'cut body':
        response.writeHead(200, { 'content-length': '1000' }).write('half a bod');
        return void setImmediate(() => request.socket.end());
      case 'caller leaves':
      case 'caller’s deadline':
        return;
    }
  }
}
