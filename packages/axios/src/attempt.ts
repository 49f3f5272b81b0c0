import { errorKind, type Admission, type Outcome } from '@recloser/core';
import type { AxiosError, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { callersSignal, isCancelled } from './callers-signal.ts';
import { watchStream } from './watch-stream.ts';

/** How far the error of an upload is looked for below what a client made of it. */
const MAX_DEPTH = 4;

/** One admitted request, and what it is recorded as. */
export class Attempt {
  readonly #admission: Admission;
  readonly #config: InternalAxiosRequestConfig;

  constructor(admission: Admission, config: InternalAxiosRequestConfig) {
    this.#admission = admission;
    this.#config = config;
  }

  responded(response: AxiosResponse | undefined): Outcome | undefined {
    // A stand-in of an adapter may give anything.
    if (typeof response?.status !== 'number') return undefined;
    const outcome = this.#admission.responded(response.status, response.headers, response);
    this.#watch(response);
    return outcome;
  }

  failed(error: unknown): Outcome | undefined {
    const signal = callersSignal(this.#config);
    if (this.#isOfUpload(error)) {
      const upload = new Error('what was to be sent broke off', { cause: error });
      return this.#admission.failed(Object.assign(upload, { code: 'ERR_UPLOAD' }), signal);
    }
    const response = (error as Partial<AxiosError> | null | undefined)?.response;
    if (typeof response?.status === 'number' && isOfStatus(error)) return this.responded(response);
    return this.#admission.failed(error, signal);
  }

  // Its error may be any, as that of a client who left in the middle of it.
  #isOfUpload(error: unknown): boolean {
    const { errored } = (this.#config.data ?? {}) as { errored?: unknown };
    for (let value = error, depth = 0; value != null && depth < MAX_DEPTH; depth++) {
      if (value === errored) return true;
      value = (value as Error).cause;
    }
    return false;
  }

  #watch(response: AxiosResponse): void {
    const config = this.#config;
    const isLeft = (): boolean => isCancelled(config);
    try {
      watchStream(response, isLeft, (error) => {
        const signal = callersSignal(config);
        this.#admission.bodyFailed(error ?? signal?.reason, signal);
      });
    } catch {
      // Nor has a stream of a stand-in to be one.
    }
  }
}

/**
 * It has a kind of its own where it is of the body, in spite of its response. A code that is nobody's
 * but the user's says nothing of the network.
 */
function isOfStatus(error: unknown): boolean {
  const { kind, code } = errorKind(error);
  return kind === 'unknown' || (kind === 'network' && code !== undefined && code !== 'ERR_NETWORK');
}
