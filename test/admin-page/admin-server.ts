import { createAdminHandler, toNodeHandler, type AdminIntent } from '@recloser/admin';
import { ManualClock, type HttpCircuitBreaker } from '@recloser/core';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Access {
  read: boolean;
  act: boolean;
}

/** The real handler below `/breakers`. It may be stopped, and started anew on the same port. */
export class AdminServer {
  readonly access: Access = { read: true, act: true };
  readonly #clock: ManualClock;
  #server: Server | undefined;
  #listener: RequestListener;
  #port = 0;

  private constructor(breaker: HttpCircuitBreaker, clock: ManualClock) {
    this.#clock = clock;
    this.#listener = this.#listenerOf(breaker);
  }

  static async start(breaker: HttpCircuitBreaker, clock: ManualClock): Promise<AdminServer> {
    const server = new AdminServer(breaker, clock);
    await server.resume();
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get url(): string {
    return `${this.origin}/breakers`;
  }

  /** Cuts all connections. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  /** On the port that it had, with another breaker if one is given: as a new process would be. */
  async resume(breaker?: HttpCircuitBreaker): Promise<void> {
    if (breaker !== undefined) this.#listener = this.#listenerOf(breaker);
    await this.#listen(this.#listener);
  }

  /** On the port that it had; answers all with this status, as a proxy does. */
  async resumeAsProxy(status: number): Promise<void> {
    await this.#listen((_, response) => response.writeHead(status).end());
  }

  async #listen(listener: RequestListener): Promise<void> {
    this.#server = createServer(listener).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #listenerOf(breaker: HttpCircuitBreaker): RequestListener {
    const authorize = (_: Request, { kind }: AdminIntent): boolean => this.access[kind];
    const options = { authorize, basePath: '/breakers', clock: this.#clock };
    return toNodeHandler(createAdminHandler(breaker, options));
  }
}
