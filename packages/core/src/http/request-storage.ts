import type { RequestKey } from './request-key.ts';

/** A request that an adapter is sending. It holds nothing of the response: sockets may keep it. */
export interface SentRequest {
  readonly key: RequestKey;
  /** The admission has ended: what the caller does with the answer is no part of the request. */
  isOver: boolean;
}

/** What is used of Node's `AsyncLocalStorage`. */
export interface RequestStorage {
  run<T>(request: SentRequest, call: () => T): T;
  getStore(): SentRequest | undefined;
}

/** Knows the request until the call that sends it returns, and no longer. */
export class SynchronousStorage implements RequestStorage {
  #request: SentRequest | undefined;

  run<T>(request: SentRequest, call: () => T): T {
    const outer = this.#request;
    this.#request = request;
    try {
      return call();
    } finally {
      this.#request = outer;
    }
  }

  getStore(): SentRequest | undefined {
    return this.#request;
  }
}
