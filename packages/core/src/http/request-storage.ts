import type { RequestKey } from './request-key.ts';

/** A request that an adapter is sending. It holds nothing of the response: sockets may keep it. */
export interface SentRequest {
  readonly key: RequestKey;
  /** The admission has ended: what the caller does with the answer is no part of the request. */
  isOver: boolean;
}

/** Where the request that is being sent is found. */
export interface RequestStorage {
  run<T>(request: SentRequest, call: () => T): T;
  getStore(): SentRequest | undefined;
  /** What runs calls in the context of now, whoever calls it, and when. */
  snapshot(): InContext;
}

/** Runs a call in a context that was kept for it. */
export type InContext = <T>(call: () => T) => T;

/** Where there is no context to restore. */
export const asItIs: InContext = (call) => call();

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

  snapshot(): InContext {
    return asItIs;
  }
}

/** What is used of `AsyncLocalStorage`. */
interface AsyncLocalStorageClass {
  new (): Pick<RequestStorage, 'run' | 'getStore'>;
  snapshot(): InContext;
}

/** By an `AsyncLocalStorage`, which Node, Bun and Deno have, and others may have. */
export function asyncStorage(): RequestStorage | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown };
  };
  const hooks = process?.getBuiltinModule?.('node:async_hooks');
  const { AsyncLocalStorage } = (hooks ?? {}) as {
    readonly AsyncLocalStorage?: AsyncLocalStorageClass;
  };
  if (AsyncLocalStorage === undefined) return undefined;
  const storage = new AsyncLocalStorage();
  return {
    run: (request, call) => storage.run(request, call),
    getStore: () => storage.getStore(),
    snapshot: () => AsyncLocalStorage.snapshot(),
  };
}
