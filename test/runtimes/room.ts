/** Where the checks find what they need. */
export interface World {
  /** The server of `start-dependency.ts`. */
  readonly url: string;
  /** Nobody listens there. */
  readonly refusingUrl: string;
}

// Some checks guard the global one.
const bareFetch = globalThis.fetch;

/** A part of the server that one check has for itself, and the means to steer it. */
export class Room {
  readonly world: World;
  readonly #name: string;

  constructor(world: World, name: string) {
    this.world = world;
    this.#name = name;
  }

  /** A URL whose requests are answered so. The breaker sees no difference: a query is in no key. */
  url(answer: string, path = 'resource'): string {
    return `${this.world.url}/${this.#name}/${path}?answer=${answer}`;
  }

  /** How many requests have arrived. */
  async sent(): Promise<number> {
    return Number(await this.#steer('sent'));
  }

  /** Settles when a request has arrived. */
  async arrival(): Promise<void> {
    await this.#steer('arrival');
  }

  /** Ends the connection whose body was `half` sent. */
  async cut(): Promise<void> {
    await this.#steer('cut');
  }

  async #steer(order: string): Promise<string> {
    const response = await bareFetch(`${this.world.url}/-/${order}?room=${this.#name}`);
    return response.text();
  }
}
