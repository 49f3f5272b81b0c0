import { absoluteUrl } from '@recloser/core/adapter';

/** What a breaker is told of a request, and the signal that may end it. */
export interface FetchRequest {
  readonly method: string;
  readonly url: string;
  readonly signal: AbortSignal | null | undefined;
  /** The request as its client knows it. */
  readonly original: object;
}

/**
 * Reads the arguments of a fetch without touching them: a `Request` made of them would use up their
 * body. Undefined where nothing is going to be sent, for fetch itself to say why.
 */
export function requestOf(
  input: unknown,
  init: RequestInit | undefined,
  original: object,
): FetchRequest | undefined {
  try {
    const given = input as Partial<Request & URL>;
    // `signal: null` takes the Request's signal away, `undefined` does not.
    const signal = init?.signal === undefined ? given.signal : init.signal;
    if (signal?.aborted === true) return undefined;
    const url = typeof input === 'string' ? input : (given.url ?? given.href ?? String(input));
    // fetch takes whatever becomes a string.
    const method = String(init?.method ?? given.method ?? 'GET');
    return { method, url: absoluteUrl(url), signal, original };
  } catch {
    return undefined;
  }
}
