import { inject } from 'vitest';

/** What a test calls, for itself alone. */
export class Dependency {
  readonly #url = `${inject('dependencyUrl')}/${crypto.randomUUID()}`;

  /** Answers as `startDependency` says. */
  url(...answers: readonly (number | string)[]): string {
    return `${this.#url}/${answers.join()}`;
  }

  /** How many requests have arrived, as soon as they are `least`. */
  async arrivals(least = 0): Promise<number> {
    return Number(await this.#ask(`arrivals?least=${least}`));
  }

  /** Breaks the bodies off of which half is sent. */
  async cut(): Promise<void> {
    await this.#ask('cut');
  }

  /** A URL at which nobody listens. */
  refusingUrl(): Promise<string> {
    return this.#ask('refusing');
  }

  async #ask(what: string): Promise<string> {
    return (await fetch(`${this.#url}/${what}`)).text();
  }
}
