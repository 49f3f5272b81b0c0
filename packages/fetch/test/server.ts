import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestServer extends AsyncDisposable {
  /** `http://127.0.0.1:…`, without a slash at the end. */
  readonly url: string;
  /** Method and path of every request that arrived. */
  readonly requests: readonly string[];
  /** May be changed at any time; holds for the requests that arrive from then on. */
  answer: Answer;
  /** Settles when the next request has arrived. */
  arrival(): Promise<unknown>;
}

/** A server on a free port, for `await using`: closed, with all its connections, at the end of the test. */
export async function startServer(answer: Answer = status(200)): Promise<TestServer> {
  const requests: string[] = [];
  const http = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    server.answer(request, response);
  });
  const { port } = await listening(http);
  const server: TestServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer,
    arrival: () => once(http, 'request'),
    [Symbol.asyncDispose]: () => closed(http),
  };
  return server;
}

/** The URL of a port on which nobody listens. */
export async function refusingUrl(): Promise<string> {
  const http = createServer();
  const { port } = await listening(http);
  await closed(http);
  return `http://127.0.0.1:${port}`;
}

async function listening(http: Server): Promise<AddressInfo> {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return http.address() as AddressInfo;
}

async function closed(http: Server): Promise<void> {
  http.close();
  http.closeAllConnections();
  await once(http, 'close');
}

export function status(code: number, body = '', headers: OutgoingHttpHeaders = {}): Answer {
  return (_, response) => response.writeHead(code, headers).end(body);
}

export function redirect(location: string): Answer {
  return status(302, '', { location });
}

/** Each answers the requests for its path, and 404 the others. */
export function routes(answers: Readonly<Record<string, Answer>>): Answer {
  return (request, response) => {
    (answers[request.url!] ?? status(404))(request, response);
  };
}

export const hang: Answer = () => {};

export const closeBeforeHeaders: Answer = ({ socket }) => socket.end();

export const resetBeforeHeaders: Answer = ({ socket }) => socket.resetAndDestroy();

export const garbage: Answer = ({ socket }) => socket.end('this is not HTTP\r\n\r\n');

/** Headers and half a body, which never ends, unless the test cuts it. */
export class HalfBody {
  static readonly text = 'half of a bod';
  readonly answer: Answer;
  #response: ServerResponse | undefined;

  constructor(headers: OutgoingHttpHeaders = {}) {
    this.answer = (_, response) => {
      this.#response = response;
      response.writeHead(200, { 'content-length': '1000', ...headers }).write(HalfBody.text);
    };
  }

  /** Settles when the client has closed the connection. */
  async left(): Promise<void> {
    if (!this.#response!.closed) await once(this.#response!, 'close');
  }

  cut(): void {
    this.#response!.socket!.end();
  }

  reset(): void {
    this.#response!.socket!.resetAndDestroy();
  }
}
