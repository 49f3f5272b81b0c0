import { errorKinds } from './error-kind.ts';
import { requestsOf, takesRequest } from './request-samples.ts';
import type { OutcomeRow } from './outcome-row.ts';
import { parseRetryAfter } from './retry-after.ts';
import { listOf } from './row-conditions.ts';
import { parseStatus, type StatusRange } from './status-condition.ts';

const EVERY_STATUS: StatusRange = parseStatus('any', 'status');

/**
 * Do the rows `by`, together, take every ending that `row` matches? True only where that is sure:
 * what a predicate says is never foreseen. With no rows at all: can the row match nothing? Both must
 * have been checked.
 */
export function isCovered(row: OutcomeRow, by: readonly OutcomeRow[]): boolean {
  if (asksForTheImpossible(row)) return true;
  const weaker = by.filter((other) => asksForNoMore(other, row));
  return requestsOf(row).every((request) => {
    const rows = weaker.filter((other) => takesRequest(other, request));
    return areResponsesCovered(row, rows) && areErrorsCovered(row, rows);
  });
}

/** The statuses of `ranges` that none of the rows `by` speaks of. */
export function statusesLeft(
  ranges: readonly StatusRange[],
  by: readonly OutcomeRow[],
): readonly StatusRange[] {
  let left = ranges;
  for (const taken of by.flatMap(rangesOf)) {
    left = left.flatMap(({ from, to }) =>
      [
        { from, to: Math.min(to, taken.from - 1) },
        { from: Math.max(from, taken.to + 1), to },
      ].filter(({ from: first, to: last }) => first <= last && first < Infinity),
    );
  }
  return left;
}

/** A header's value that can't be had: values are trimmed, and Retry-After must be usable. */
export function isImpossibleValue(row: OutcomeRow, name: string, value: string): boolean {
  if (value !== value.trim()) return true;
  if (row.retryAfter === undefined || name.toLowerCase() !== 'retry-after') return false;
  // Of a date nobody knows how long it is to come.
  return (parseRetryAfter(value, 0) ?? 0) === 0;
}

function asksForTheImpossible(row: OutcomeRow): boolean {
  return Object.entries(row.responseHeader ?? {}).some(
    ([name, values]) =>
      values !== true && listOf(values).every((value) => isImpossibleValue(row, name, value)),
  );
}

/** But for statuses, errors and requests. */
function asksForNoMore(other: OutcomeRow, row: OutcomeRow): boolean {
  if (other.when !== undefined) return false;
  if (other.retryAfter !== undefined && row.retryAfter === undefined) return false;
  if (other.slowerThan !== undefined && !(row.slowerThan! >= other.slowerThan)) return false;
  return Object.entries(other.responseHeader ?? {}).every(([name, values]) =>
    hasHeader(row, name, values),
  );
}

function hasHeader(row: OutcomeRow, wanted: string, values: true | string | readonly string[]) {
  const lower = wanted.toLowerCase();
  if (values === true && lower === 'retry-after' && row.retryAfter !== undefined) return true;
  return Object.entries(row.responseHeader ?? {}).some(([name, own]) => {
    if (name.toLowerCase() !== lower) return false;
    if (values === true) return true;
    return own !== true && listOf(own).every((value) => listOf(values).includes(value));
  });
}

function rangesOf({ status }: OutcomeRow): readonly StatusRange[] {
  if (status === undefined) return [EVERY_STATUS];
  return listOf(status).map((value) => parseStatus(value, 'status'));
}

function areResponsesCovered(row: OutcomeRow, rows: readonly OutcomeRow[]): boolean {
  if (row.error !== undefined) return true;
  const forResponses = rows.filter(({ error }) => error === undefined);
  return statusesLeft(rangesOf(row), forResponses).length === 0;
}

function areErrorsCovered(row: OutcomeRow, rows: readonly OutcomeRow[]): boolean {
  if (row.error === undefined && row.status !== undefined) return true;
  const words = row.error === undefined ? ['any'] : listOf(row.error);
  return words.every((word) =>
    kindsWith(word).every((kind) => {
      const takers = rows.filter((other) => takesError(other, word, kind));
      // An error that no response came before has no status.
      if (row.status === undefined) return takers.some(({ status }) => status === undefined);
      return statusesLeft(rangesOf(row), takers).length === 0;
    }),
  );
}

/** The kinds that an error may be of which a word speaks of; no row is asked about a refusal. */
function kindsWith(word: string): readonly string[] {
  const kinds = errorKinds.filter((kind) => kind !== 'not-permitted');
  return (errorKinds as readonly string[]).includes(word)
    ? kinds.filter((kind) => kind === word)
    : kinds;
}

function takesError({ error, status }: OutcomeRow, word: string, kind: string): boolean {
  if (error === undefined) return status === undefined;
  const words: readonly string[] = listOf(error);
  return words.includes('any') || words.includes(kind) || (word !== 'any' && words.includes(word));
}
