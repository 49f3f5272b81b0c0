import type { RequestLike } from '@recloser/core';
import { RequestKeys } from '../../packages/core/src/http/request-key.ts';
import { MinimalBreaker } from './minimal-breaker.ts';

/** The floor of what a request costs: the least that has to be done before it and after it. */
export interface MinimalGuard {
  /** @throws Error where it is refused */
  admit(request: RequestLike): MinimalCall;
}

/** One breaker for all requests. */
export class UnkeyedGuard implements MinimalGuard {
  readonly #breaker = new MinimalBreaker();

  admit(): MinimalCall {
    return new MinimalCall(this.#breaker, undefined);
  }
}

/** A breaker for each host and one for each endpoint, by keys that are made as Recloser makes them. */
export class KeyedGuard implements MinimalGuard {
  readonly #keys = new RequestKeys();
  readonly #breakers = new Map<string, MinimalBreaker>();

  admit(request: RequestLike): MinimalCall {
    const { endpoint, host } = this.#keys.resolve(request)!;
    return new MinimalCall(this.#of(endpoint), this.#of(host));
  }

  #of(key: string): MinimalBreaker {
    const known = this.#breakers.get(key);
    if (known !== undefined) return known;
    const made = new MinimalBreaker();
    this.#breakers.set(key, made);
    return made;
  }
}

export class MinimalCall {
  readonly #first: MinimalBreaker;
  readonly #second: MinimalBreaker | undefined;
  readonly #begun: number;

  constructor(first: MinimalBreaker, second: MinimalBreaker | undefined) {
    if (first.isOpen || second?.isOpen === true) throw new Error('refused');
    this.#first = first;
    this.#second = second;
    this.#begun = performance.now();
  }

  end(isFailure: boolean): void {
    const now = performance.now();
    this.#first.record(this.#begun, now, isFailure);
    this.#second?.record(this.#begun, now, isFailure);
  }
}
