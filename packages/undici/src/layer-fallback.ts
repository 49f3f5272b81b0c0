import { stringify, type ParsedUrlQueryInput } from 'node:querystring';
import type { FallbackOn, Outcome } from '@recloser/core';
import { answerInstead } from '@recloser/core/adapter';
import type { DispatchRequest } from './dispatch.ts';
import type { FallbackAnswer, GuardedRequest, UndiciOptions } from './options.ts';

/** The fallback of one layer. */
export class LayerFallback {
  readonly #options: UndiciOptions<FallbackOn>;

  constructor(options: UndiciOptions<FallbackOn>) {
    this.#options = { ...options };
  }

  /** What it answers with; undefined where the ending is none of its business. */
  answer(
    request: DispatchRequest,
    ending: 'refused' | Outcome | undefined,
    cause: unknown,
  ): Promise<FallbackAnswer> | undefined {
    if (ending === undefined || ending === 'success') return undefined;
    if (this.#options.fallback === undefined || isUpgrade(request)) return undefined;
    return answerInstead(this.#options, ending, cause, shown(request));
  }
}

/** Asks for a socket, and no fallback has one. */
function isUpgrade({ upgrade, method }: DispatchRequest): boolean {
  return Boolean(upgrade) || method === 'CONNECT';
}

function shown(request: DispatchRequest): GuardedRequest {
  const { method } = request;
  const options = request as GuardedRequest['options'];
  return { method: method.toUpperCase(), url: urlOf(request), options };
}

/** Not resolved: a path that begins with `//` would name another host. */
function urlOf({ origin, path, query }: DispatchRequest): string {
  const target = query == null ? path : `${path}?${stringify(query as ParsedUrlQueryInput)}`;
  return path.startsWith('/') ? new URL(origin!).origin + target : target;
}
