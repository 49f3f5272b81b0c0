import { shown } from '../breaker/checks.ts';
import { nearestName } from '../breaker/nearest-name.ts';
import { listed } from './condition-words.ts';
import { kindOfWord } from './error-codes.ts';
import { rightErrorCode } from './error-code-hint.ts';
import type { OutcomeRow } from './outcome-row.ts';
import { isImpossibleValue } from './row-coverage.ts';
import { listOf } from './row-conditions.ts';
import { hasSameLetters } from './same-letters.ts';

/** What may be wrong with a row by itself. */
export type RowFindingKind =
  | 'unknown-code'
  | 'unknown-method'
  | 'no-headers'
  | 'status-and-error'
  | 'no-effect'
  | 'every-response';

/** Kinds of errors that come before any response. */
const BEFORE_RESPONSE = [
  'dns',
  'refused',
  'unreachable',
  'tls',
  'connect-timeout',
  'local',
  'redirect-loop',
];

const METHODS =
  'GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH QUERY PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK ' +
  'SEARCH REPORT PURGE BAN LINK UNLINK BIND UNBIND REBIND ACL LABEL MERGE NOTIFY SUBSCRIBE UNSUBSCRIBE PUSH PRI';

type Report = (kind: RowFindingKind, message: string) => void;

/** Reports what is legal in a row that has been checked, but will not do what it seems to. */
export function lintRow(row: OutcomeRow, report: Report): void {
  lintWords(row, report);
  lintErrorRow(row, report);
  lintEffect(row, report);
}

function lintWords(row: OutcomeRow, report: Report): void {
  for (const word of listOf(row.error)) {
    const right = /[A-Z\d]/.test(word) ? rightErrorCode(word) : undefined;
    if (right === undefined) continue;
    report('unknown-code', `no error has the code ${shown(word)}; did you mean '${right}'?`);
  }
  const known = METHODS.split(' ');
  for (const method of listOf(row.method).map((one) => one.toUpperCase())) {
    if (known.includes(method)) continue;
    const right = known.find((one) => hasSameLetters(one, method)) ?? nearestName(method, known, 1);
    if (right === undefined) continue;
    report('unknown-method', `${shown(method)} is no usual method; did you mean '${right}'?`);
  }
}

function lintErrorRow(row: OutcomeRow, report: Report): void {
  if (row.error === undefined) return;
  const words = listOf(row.error);
  const early = words.filter((word) => BEFORE_RESPONSE.includes(kindOfWord(word) ?? word));
  if (row.status !== undefined && (early.length > 0 || words.includes('any'))) {
    const what =
      early.length > 0
        ? `an error ${listed(early)} comes before any response and has no status`
        : 'status and error together speak only of a body that broke off after such a status';
    return report('status-and-error', `${what}; for either of them write two rows`);
  }
  if (row.retryAfter === undefined && row.responseHeader === undefined) return;
  if (early.length === words.length) {
    const what = `an error ${listed(early)} comes before any response`;
    return report('no-headers', `${what}: there is no header to read, and the row never matches`);
  }
  if (row.outcome === 'hold') {
    const why = 'only a body that broke off has headers, and its response was counted already';
    report('no-headers', `a hold that needs headers does nothing after an error: ${why}`);
  }
}

function lintEffect(row: OutcomeRow, report: Report): void {
  const { outcome, domain, holdFor, retryAfter, error } = row;
  if (holdFor !== undefined && retryAfter !== undefined) {
    report('no-effect', 'holdFor has no effect beside retryAfter: the header says how long');
  }
  if (domain === 'host' && (outcome === 'success' || outcome === 'ignore')) {
    report('no-effect', `domain has no effect on the outcome '${outcome}'`);
  }
  if (Array.isArray(error) && error.includes('not-permitted')) {
    report('no-effect', "'not-permitted' has no effect: no row is asked about a refusal");
  }
  for (const [name, values] of Object.entries(row.responseHeader ?? {})) {
    if (values === true || !Array.isArray(values)) continue;
    const never = values.filter((value) => isImpossibleValue(row, name, value));
    if (never.length === 0 || never.length === values.length) continue;
    report('no-effect', `no usable ${name} header is ever ${listed(never.map(shown))}`);
  }
  if (countsAgainstEverything(row)) {
    const what = 'it takes every response, a 200 too, for ';
    const verdict = outcome === 'hold' ? 'a hold' : outcome === 'trip' ? 'a trip' : 'a failure';
    report('every-response', `${what}${verdict}; give it a status or an error`);
  }
}

function countsAgainstEverything(row: OutcomeRow): boolean {
  const { outcome, status, error, responseHeader, retryAfter, slowerThan, when } = row;
  if (outcome === 'success' || outcome === 'ignore' || error !== undefined) return false;
  if (status !== undefined && !listOf(status).includes('any')) return false;
  return [responseHeader, retryAfter, slowerThan, when].every((it) => it === undefined);
}
