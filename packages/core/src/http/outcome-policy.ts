import type { MonotonicClock } from '../breaker/monotonic-clock.ts';
import type { Permit } from '../breaker/permit.ts';
import type { KindOfError } from './error-kind.ts';
import { headerValue, type HeadersLike } from './header-value.ts';
import type { Verdict } from './outcome-row.ts';
import type { CompiledRules } from './outcome-rules.ts';
import type { RequestKey } from './request-key.ts';
import type { ResolvedHttpOptions } from './resolve-http-options.ts';
import { parseRetryAfter } from './retry-after.ts';

/** The response of a call, or what was known of it when its body broke off. */
export interface ResponseLike {
  readonly status: number;
  readonly headers: HeadersLike | undefined;
  /** The client's own response, where it is at hand. */
  readonly response: unknown;
}

/**
 * What endings mean: the outcome table, and how far a dependency's wish to be left alone is
 * followed.
 */
export class OutcomePolicy {
  readonly #rules: CompiledRules;
  readonly #clock: MonotonicClock;
  readonly #honorRetryAfter: boolean;
  readonly #maxRetryAfter: number;

  constructor(
    rules: CompiledRules,
    {
      clock,
      honorRetryAfter,
      maxRetryAfter,
    }: Pick<ResolvedHttpOptions, 'clock' | 'honorRetryAfter' | 'maxRetryAfter'>,
  ) {
    this.#rules = rules;
    this.#clock = clock;
    this.#honorRetryAfter = honorRetryAfter;
    this.#maxRetryAfter = maxRetryAfter;
  }

  /** What a response of this status means, where nothing else about it matters. */
  onPlainStatus(status: number): Verdict | undefined {
    return this.#rules.plain(status);
  }

  onResponse(key: RequestKey, permit: Permit, response: ResponseLike): Verdict {
    return this.#rules.decide({ ...requestOf(key), ...response, ...this.#times(permit) });
  }

  /** @param response  what had come before, where the body broke off */
  onError(
    key: RequestKey,
    permit: Permit,
    error: unknown,
    { kind, code }: KindOfError,
    response: ResponseLike | undefined,
  ): Verdict {
    const ending = { ...requestOf(key), ...response, error, kind, code };
    return this.#rules.decide({ ...ending, ...this.#times(permit) });
  }

  /**
   * Ms after which the dependency asked to be called again, where it did so and that is honoured.
   */
  retryAfter(headers: HeadersLike | undefined): number | undefined {
    if (!this.#honorRetryAfter || headers === undefined) return undefined;
    const span = parseRetryAfter(headerValue(headers, 'retry-after'), this.#clock.date);
    return span === undefined ? undefined : Math.min(span, this.#maxRetryAfter);
  }

  /** How long a hold lasts, in ms: what a header says is believed only so far. */
  holdFor({ holdFor = 0, untilRetryAfter }: Verdict): number {
    return untilRetryAfter === true ? Math.min(holdFor, this.#maxRetryAfter) : holdFor;
  }

  #times(permit: Permit): { readonly elapsed: number; readonly now: number } {
    return { elapsed: permit.elapsed(), now: this.#clock.date };
  }
}

function requestOf({
  method,
  host,
  path,
}: RequestKey): Pick<RequestKey, 'method' | 'host' | 'path'> {
  return { method, host, path };
}
