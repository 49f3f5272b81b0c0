import type { ErrorKind } from './error-kind.ts';
import type { HeadersLike } from './header-value.ts';

/**
 * What the ending of a call means: `ignore` counts nowhere and gives the permit back, `trip` is a
 * failure that opens at once, `hold` opens until the instant that Retry-After names, or for
 * `holdFor`, and counts as no failure.
 */
export type Outcome = 'success' | 'failure' | 'ignore' | 'trip' | 'hold';

/** Whose health an outcome speaks about. */
export type Domain = 'endpoint' | 'host';

export const outcomes: readonly Outcome[] = ['success', 'failure', 'ignore', 'trip', 'hold'];
export const domains: readonly Domain[] = ['endpoint', 'host'];

type Class = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** One status, a class (`'5xx'`), a range (`'500-504'`), or `'any'`. */
export type StatusCondition = number | 'any' | `${Class}xx` | `${Class}XX` | `${number}-${number}`;

// prettier-ignore
type Capital =
  | 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M'
  | 'N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z';

/**
 * An error's own code: `'ECONNRESET'`, `'ConnectionRefused'`. Codes begin with a capital, so that a
 * misspelt kind is no code.
 */
export type ErrorCode = `${Capital}${string}`;

/** One or several, any of which will do. */
type OneOrMore<T> = T | readonly T[];

/**
 * One row of the outcome table: conditions, all of which must hold, and what the ending then means.
 * A row with neither `status` nor `error` matches responses and errors alike. Plain data, but for
 * `when`.
 */
export interface OutcomeRow {
  /** Shown in explanations and events. */
  readonly name?: string;
  /**
   * Holds for responses only; in a row that has `error` too, for a body that broke off after such a
   * status.
   */
  readonly status?: OneOrMore<StatusCondition>;
  /**
   * An error kind, a raw code (`'ECONNRESET'`) or `'any'`. Holds for errors only, those of a body
   * among them.
   */
  readonly error?: OneOrMore<ErrorKind | ErrorCode | 'any'>;
  /** In any case. */
  readonly method?: OneOrMore<string>;
  /** `'api.example.com'`, `'*.example.com'`, of one port only where one is given. */
  readonly host?: OneOrMore<string>;
  /** A route template: `'/users/:id'`, `'/v1/*'`. */
  readonly path?: OneOrMore<string>;
  /**
   * Headers that the response must have, each with this value, or one of these, or `true` for any.
   */
  readonly responseHeader?: Readonly<Record<string, true | OneOrMore<string>>>;
  /**
   * The response has a usable Retry-After header: more than 0 s, or an instant that is still to
   * come.
   */
  readonly retryAfter?: true;
  /** The call took strictly longer, in ms. */
  readonly slowerThan?: number;
  /**
   * Asked last, when all else holds. One that throws, or answers with a promise, is reported and
   * its row passed over. A table with a predicate can't be stored as JSON.
   */
  readonly when?: (ending: PredicateInput) => boolean;
  /** What the ending then means. */
  readonly outcome: Outcome;
  /** Whose health it speaks about. @default 'endpoint' */
  readonly domain?: Domain;
  /** How long a hold lasts, in ms; with `retryAfter` the header decides. */
  readonly holdFor?: number;
}

/** What a predicate is told about the ending of a call. */
export interface PredicateInput {
  readonly method: string;
  /** The host's key: `https://api.example.com`. */
  readonly host: string;
  /** Without query and fragment. */
  readonly path: string;
  /** Undefined where the call ended without a response. */
  readonly status?: number | undefined;
  readonly headers?: HeadersLike | undefined;
  readonly error?: unknown;
  readonly kind?: ErrorKind | undefined;
  /** In ms. */
  readonly elapsed: number;
  /** The client's own response, where it is at hand. */
  readonly response?: unknown;
}

/**
 * The ending of one call: a response (`status`), or an error (`kind` or `error`), which may come
 * after the headers of a response and then has its `status` too.
 */
export interface Ending extends PredicateInput {
  readonly code?: string | undefined;
  /** The wall clock, ms since the epoch, for a Retry-After that is a date. */
  readonly now: number;
}

/** What the table says of an ending. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly domain: Domain;
  /** The name of the row that decided, if it has one. */
  readonly row?: string;
  /** For a hold: ms, as the row or the server says it. */
  readonly holdFor?: number;
  /** It was the server that said how long to hold. */
  readonly untilRetryAfter?: true;
}
