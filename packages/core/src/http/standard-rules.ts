import { checkAtLeast } from '../breaker/checks.ts';
import type { OutcomeRow } from './outcome-row.ts';

/**
 * What endings mean where no row of one's own says otherwise. Every response and every error is
 * covered.
 */
export const standardRules: readonly OutcomeRow[] = freeze([
  { name: 'the caller left', error: 'cancel', outcome: 'ignore' },
  { name: 'nothing was sent', error: 'local', outcome: 'ignore' },
  {
    name: 'host out of reach',
    error: ['dns', 'refused', 'unreachable', 'tls', 'connect-timeout'],
    outcome: 'failure',
    domain: 'host',
  },
  {
    name: 'no whole response',
    error: ['response-timeout', 'body-timeout', 'deadline', 'reset', 'protocol', 'body', 'network'],
    outcome: 'failure',
  },
  { name: 'redirect loop', error: 'redirect-loop', outcome: 'ignore' },
  { name: 'no sign of the network', error: 'unknown', outcome: 'ignore' },
  { name: 'overload', status: [408, 429], outcome: 'failure' },
  // A definite answer that predicts nothing for the next call.
  { name: 'not supported', status: [501, 505], outcome: 'success' },
  { name: 'server error', status: '5xx', outcome: 'failure' },
  { name: 'the dependency answered', status: 'any', outcome: 'success' },
]);

/**
 * Row set: 4xx count nowhere, instead of as successes that dilute the rate and close a half-open
 * breaker. 408 and 429 stay failures: they tell of overload.
 */
export const clientErrorsIgnored: readonly OutcomeRow[] = freeze([
  { name: 'client errors', status: ['400-407', '409-428', '430-499'], outcome: 'ignore' },
]);

/**
 * Row set: one key or login for all calls to a host, so that a response that rejects it speaks
 * about the whole host.
 */
export const sharedCredentials: readonly OutcomeRow[] = freeze([
  { name: 'credentials rejected', status: [401, 403, 407], outcome: 'failure', domain: 'host' },
]);

/**
 * Row set: a 429 or 503 that says when to come back is believed. One such response stops all calls
 * of its key for so long: use it where the key is what the quota belongs to.
 */
export const honestRetryAfter: readonly OutcomeRow[] = freeze([
  { name: 'asked to wait', status: [429, 503], retryAfter: true, outcome: 'hold' },
]);

/**
 * Row set: a call that the caller gave up after more than `ms` is a failure. For timeouts made by
 * hand, with a timer and `abort()`: they look like a caller that left.
 * @throws TypeError or RangeError unless `ms` is a number of 0 or more.
 */
export function abandonedAfter(ms: number): readonly OutcomeRow[] {
  checkAtLeast('abandonedAfter', ms, 0);
  return freeze([
    { name: `abandoned after ${ms} ms`, error: 'cancel', slowerThan: ms, outcome: 'failure' },
  ]);
}

function freeze(rows: OutcomeRow[]): readonly OutcomeRow[] {
  for (const row of rows) {
    for (const value of Object.values(row)) Object.freeze(value);
    Object.freeze(row);
  }
  return Object.freeze(rows);
}
