import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import {
  connect,
  createServer as createNetServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { Worker } from 'node:worker_threads';

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

export interface ServerOptions {
  /** Speaks TLS: a key and a certificate for 127.0.0.1, PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Speaks HTTP/2, and no other; needs `tls`. */
  readonly http2?: true;
}

/** A server on a free port, for `await using`: closed, with all its connections, at the end of the test. */
export async function startServer(
  answer: Answer = status(200),
  { tls, http2 }: ServerOptions = {},
): Promise<TestServer> {
  const requests: string[] = [];
  const listener: Answer = (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    server.answer(request, response);
  };
  const http = makeServer(tls, http2);
  http.on('request', listener);
  const sockets = socketsOf(http);
  const { port } = await listening(http);
  const server: TestServer = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    answer,
    arrival: () => once(http, 'request'),
    async [Symbol.asyncDispose]() {
      const isClosed = closed(http);
      for (const socket of sockets) socket.destroy();
      await isClosed;
    },
  };
  return server;
}

function makeServer(tls: ServerOptions['tls'], http2: ServerOptions['http2']): Server {
  // Else it closes what was idle for 5 s, and a call that comes as late, on a machine that stalls,
  // would be a reset.
  const options = { keepAliveTimeout: 0 };
  if (tls === undefined) return createServer(options);
  return http2 ? createSecureServer(tls) : createHttpsServer({ ...options, ...tls });
}

function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** The URL of a port on which nobody listens. */
export async function refusingUrl(): Promise<string> {
  const http = createServer();
  const { port } = await listening(http);
  await closed(http);
  return `http://127.0.0.1:${port}`;
}

/** What was sent to this process before has arrived once it settles. */
export async function aRoundTrip(): Promise<void> {
  const echo = createNetServer((socket) => socket.pipe(socket));
  const { port } = await listening(echo);
  const socket = connect(port, '127.0.0.1');
  socket.write('there and back');
  await once(socket, 'data');
  socket.destroy();
  await closed(echo);
}

/** A port that answers no attempt to connect: its backlog is full, and nobody accepts. */
export async function startFullBacklog(): Promise<{ readonly url: string } & AsyncDisposable> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(LISTENER_THAT_SLEEPS, { eval: true, workerData: gate });
  const [port] = (await once(worker, 'message')) as [number];
  // Linux lets one more in than the backlog of 1.
  const waiting = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(waiting.map((socket) => once(socket, 'connect')));
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy();
      const gone = once(worker, 'exit');
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      await gone;
    },
  };
}

const LISTENER_THAT_SLEEPS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
    process.exit();
  });
`;

async function listening(server: Server): Promise<AddressInfo> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
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

/** Headers and half a body, which never ends, unless the test ends it in one way or another. */
export class HalfBody {
  static readonly text = 'half of a bod';
  readonly answer: Answer;
  /** Settles when the half is on its way. */
  readonly sent: Promise<void>;
  #isSent: (() => void) | undefined;
  #response: ServerResponse | undefined;

  /** Its length is said to be 1000, unless the headers say that it comes in chunks. */
  constructor(headers: OutgoingHttpHeaders = {}) {
    this.sent = new Promise((resolve) => (this.#isSent = resolve));
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': '1000' };
    this.answer = (_, response) => {
      this.#response = response;
      response
        .writeHead(200, { ...length, ...headers })
        .write(HalfBody.text, () => this.#isSent!());
    };
  }

  /** Settles when the client has closed the connection. */
  async left(): Promise<void> {
    if (!this.#response!.closed) await once(this.#response!, 'close');
  }

  /** The rest, to a length of 1000 in all. */
  finish(): void {
    this.#response!.end('.'.repeat(1000 - HalfBody.text.length));
  }

  cut(): void {
    this.#response!.socket!.end();
  }

  reset(): void {
    this.#response!.socket!.resetAndDestroy();
  }
}

/** Keeps every request until the test lets them go. */
export class HeldAnswers {
  readonly #held: (() => void)[] = [];
  readonly #awaited: { readonly count: number; readonly resolve: () => void }[] = [];
  #isOpen = false;

  answer(then: Answer): Answer {
    return (request, response) => {
      const go = (): void => then(request, response);
      if (this.#isOpen) return go();
      this.#held.push(go);
      for (const { count, resolve } of this.#awaited) if (this.#held.length >= count) resolve();
    };
  }

  /** Settles when so many are held. */
  async arrived(count: number): Promise<void> {
    if (this.#held.length >= count) return;
    await new Promise<void>((resolve) => this.#awaited.push({ count, resolve }));
  }

  /** Those held, and all that come. */
  release(): void {
    this.#isOpen = true;
    for (const go of this.#held.splice(0)) go();
  }
}
