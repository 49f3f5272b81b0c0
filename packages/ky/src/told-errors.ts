import type { SignalLike } from '@recloser/core';

/** ky needs about a dozen turns of the microtask queue until it tells. */
const MAX_TURNS = 100;

/** The signal of a caller who has not left. */
export const NOT_ABORTED: SignalLike = { aborted: false };

/** What ky tells, during one call, of the errors in which its attempts end. */
export class ToldErrors {
  #last: Error | undefined;
  #end: ((error: Error) => void) | undefined;

  get areOfTimeout(): boolean {
    return this.#last?.name === 'TimeoutError';
  }

  tell(error: Error): void {
    this.#last = error;
    if (this.areOfTimeout) this.#end?.(error);
  }

  /** An attempt begins. */
  forget(): void {
    this.#last = undefined;
  }

  /** What fetch gives. ky's timeout ends it, too: a fetch may not follow ky's signal. */
  untilTimeout(fetch: () => Response | PromiseLike<Response>): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#end = reject;
      Promise.resolve(fetch()).then(resolve, reject);
    });
  }

  /** Of a signal that was aborted with an AbortError, by ky's timeout or by the caller. */
  async whoAborted(signal: SignalLike): Promise<SignalLike> {
    for (let turn = 0; turn < MAX_TURNS && this.#last === undefined; turn++)
      await Promise.resolve();
    // Of a caller who leaves ky does not always tell.
    return this.areOfTimeout ? NOT_ABORTED : signal;
  }
}
