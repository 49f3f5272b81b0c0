import { checkAtLeast, checkNames, checkNumber, checkObject, shown } from '../breaker/checks.ts';
import { nearestName } from '../breaker/nearest-name.ts';
import { kindOfWord } from './error-codes.ts';
import { errorKind, errorKinds, type ErrorKind, type SignalLike } from './error-kind.ts';
import type { HeadersLike } from './header-value.ts';
import type { Ending } from './outcome-row.ts';
import { RequestKeys } from './request-key.ts';

/**
 * The ending of a call as a person writes it down. What is left out is not known: no condition on it
 * holds.
 */
export interface OutcomeExample {
  readonly method?: string;
  readonly url?: string;
  /** `'api.example.com'`, with a scheme where that is not https; instead of `url`. */
  readonly host?: string;
  /** Instead of `url`, with `host` or alone. */
  readonly path?: string;
  /** With `error` too it is a body that broke off after such a response. */
  readonly status?: number;
  /** Of the response. */
  readonly headers?: HeadersLike;
  /**
   * An error; or in a word its kind (`'refused'`), its code (`'ECONNRESET'`) or its name
   * (`'AbortError'`).
   */
  readonly error?: unknown;
  /** The caller's own: `{ aborted: true }` makes any error a cancel. */
  readonly signal?: SignalLike;
  /** In ms. */
  readonly elapsed?: number;
  /** The client's own response, for a predicate. */
  readonly response?: unknown;
  /** For a Retry-After that is a date: ms since the epoch. @default Date.now() */
  readonly now?: number;
}

const FIELDS: readonly (keyof OutcomeExample)[] = [
  'method',
  'url',
  'host',
  'path',
  'status',
  'headers',
  'error',
  'signal',
  'elapsed',
  'response',
  'now',
];

/**
 * The ending that an example stands for, as an adapter would report it. Method, host and path that
 * are not given are empty texts.
 * @throws TypeError or RangeError that names what is wrong
 */
export function endingOf(example: OutcomeExample): Ending {
  checkNames('example', checkObject('example', example), FIELDS);
  const { method = '', status, headers, error, signal, response } = example;
  const { elapsed = 0, now = Date.now() } = example;
  if (status === undefined && error === undefined && signal?.aborted !== true) {
    throw new TypeError('example needs a status, an error or a signal that is aborted');
  }
  if (status !== undefined) checkAtLeast('example.status', status, 0);
  if (typeof method !== 'string') {
    throw new TypeError(`example.method must be a string, but is ${shown(method)}`);
  }
  const told = {
    ...placeOf(example),
    method: method.toUpperCase(),
    status,
    headers,
    response,
    elapsed: checkAtLeast('example.elapsed', elapsed, 0),
    now: checkNumber('example.now', now),
  };
  if (error === undefined && signal?.aborted !== true) return told;
  return { ...told, ...errorOf(error, signal) };
}

function placeOf({ url, host, path }: OutcomeExample): Pick<Ending, 'host' | 'path'> {
  if (url !== undefined && (host ?? path) !== undefined) {
    throw new TypeError('example must have url, or host and path, but has both');
  }
  if (url === undefined && host === undefined && path === undefined) return { host: '', path: '' };
  const origin = host?.includes('://') === false ? `https://${host}` : (host ?? 'https://unknown');
  const request = url === undefined ? { origin, path: path ?? '/' } : { url };
  const key = new RequestKeys().resolve({ method: 'GET', ...request });
  if (key === undefined) {
    const [name, value] = url !== undefined ? ['url', url] : ['host', host];
    throw new RangeError(`example.${name} is none that a request can be sent to: ${shown(value)}`);
  }
  return {
    host: url === undefined && host === undefined ? '' : key.host,
    path: url === undefined && path === undefined ? '' : key.path,
  };
}

function errorOf(
  error: unknown,
  signal: SignalLike | undefined,
): Pick<Ending, 'error' | 'kind' | 'code'> {
  if (typeof error === 'string' && isKind(error)) {
    return { kind: signal?.aborted === true ? errorKind(undefined, signal).kind : error };
  }
  const meant = typeof error === 'string' ? meantBy(error, signal) : error;
  return { error: meant, code: undefined, ...errorKind(meant, signal) };
}

function meantBy(word: string, signal: SignalLike | undefined): unknown {
  if (word.endsWith('Error')) return { name: word };
  if (/^[A-Z][A-Z\d_]*$/.test(word) || kindOfWord(word) !== undefined) return { code: word };
  // `abort('gone')` rejects with the very string.
  if (signal !== undefined) return word;
  const nearest = nearestName(word, errorKinds);
  const hint =
    nearest === undefined ? `known are ${errorKinds.join(', ')}` : `did you mean '${nearest}'?`;
  throw new RangeError(`example.error is no error kind, code or name: ${shown(word)}; ${hint}`);
}

function isKind(word: string): word is ErrorKind {
  return (errorKinds as readonly string[]).includes(word);
}
