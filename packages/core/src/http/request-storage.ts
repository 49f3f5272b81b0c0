import type { RequestKey } from './request-key.ts';

/** A request that an adapter is sending. It holds nothing of the response: sockets may keep it. */
export interface SentRequest {
  readonly key: RequestKey;
  /** The admission has ended: what the caller does with the answer is no part of the request. */
  isOver: boolean;
}

/** What is used of an `AsyncLocalStorage`. */
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

/** An `AsyncLocalStorage`, which Node, Bun and Deno have, and others may have. */
export function asyncStorage(): RequestStorage | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown };
  };
  const hooks = process?.getBuiltinModule?.('node:async_hooks') as
    { readonly AsyncLocalStorage?: new () => RequestStorage } | undefined;
  return hooks?.AsyncLocalStorage && new hooks.AsyncLocalStorage();
}
