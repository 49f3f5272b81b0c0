import { shown } from '@recloser/core/adapter';
import type { AdminIntent, AdminOptions } from './admin-options.ts';
import { ErrorAnswer } from './error-answer.ts';

/** Asks `authorize`, and takes nothing but `true` for a yes. */
export class Authorization {
  readonly #authorize: AdminOptions['authorize'];
  #hasComplained = false;

  constructor(authorize: AdminOptions['authorize']) {
    this.#authorize = authorize;
  }

  /** @throws ErrorAnswer, always the same, where the answer is no */
  async check(request: Request, intent: AdminIntent): Promise<void> {
    if (!(await this.#isAllowed(request, intent))) throw new ErrorAnswer(403, 'forbidden');
  }

  async #isAllowed(request: Request, intent: AdminIntent): Promise<boolean> {
    try {
      const authorize = this.#authorize;
      const answer: unknown = await authorize(request, intent);
      if (answer === true) return true;
      if (answer !== false && answer !== undefined) {
        this.#complain(`answered ${typeof answer === 'string' ? 'a string' : shown(answer)}`);
      }
    } catch (error) {
      this.#complain('threw', error);
    }
    return false;
  }

  /** Once, since anybody may bring it about. Who asked is told nothing. */
  #complain(what: string, ...details: readonly unknown[]): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    const message = `recloser: createAdminHandler: authorize ${what}; only true lets a request pass`;
    try {
      console.error(message, ...details);
    } catch {
      // An error may forbid to be shown.
    }
  }
}
