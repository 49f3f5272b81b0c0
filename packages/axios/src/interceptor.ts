import type { Interceptors } from './options.ts';

/** An interceptor of ours, which others may take off, as by `interceptors.request.clear()`. */
export class Interceptor {
  readonly #interceptors: Interceptors & { readonly handlers?: readonly unknown[] | null };
  readonly #args: readonly unknown[];
  #id: number | undefined;
  #handler: unknown;

  /** @param args  what `use` takes */
  constructor(interceptors: Interceptors, ...args: readonly unknown[]) {
    this.#interceptors = interceptors;
    this.#args = args;
  }

  /** Behind all others; where it is on already it stays where it is. */
  install(): void {
    if (this.#isOn()) return;
    this.#id = this.#interceptors.use(...(this.#args as never[]));
    this.#handler = this.#interceptors.handlers?.at(-1);
  }

  eject(): void {
    if (this.#isOn()) this.#interceptors.eject(this.#id!);
    this.#id = undefined;
  }

  // Early versions give the id of one that was cleared away to the next that comes.
  #isOn(): boolean {
    const { handlers } = this.#interceptors;
    if (this.#id === undefined || handlers === null) return false;
    return handlers === undefined || handlers.includes(this.#handler);
  }
}
