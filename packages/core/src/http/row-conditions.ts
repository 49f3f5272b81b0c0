import { atOnce } from '../breaker/checks.ts';
import { propertyOf } from './hostile-value.ts';
import { headerValue } from './header-value.ts';
import { hostPattern } from './host-pattern.ts';
import type { Ending, OutcomeRow, PredicateInput, Verdict } from './outcome-row.ts';
import { parseRetryAfter } from './retry-after.ts';
import { RouteTemplate } from './route-template.ts';
import { parseStatus } from './status-condition.ts';

/** Hears of a predicate that threw, with what it threw. */
export type OnPredicateError = (error: unknown, row: OutcomeRow) => void;

/** One condition of a row, under the name of its field. */
export interface Condition {
  readonly field: keyof OutcomeRow;
  holds(ending: Ending): boolean;
}

/** A row made ready. */
export interface CompiledRow {
  readonly row: OutcomeRow;
  /** All of them must hold; the cheap ones first, the predicate last. */
  readonly conditions: readonly Condition[];
  /** What the row says; a hold until Retry-After has no span yet. */
  readonly verdict: Verdict;
}

/** Did the call end in an error, be it after the headers of a response? */
export function endedInError({ kind, error, status }: Ending): boolean {
  return kind !== undefined || error !== undefined || status === undefined;
}

/** The span of a usable Retry-After header in ms, else 0. */
export function retryAfterOf({ headers, now }: Ending): number {
  return parseRetryAfter(headerValue(headers, 'retry-after'), now) ?? 0;
}

/** `row` has been checked. */
export function compileRow(row: OutcomeRow, onPredicateError: OnPredicateError): CompiledRow {
  const conditions: Condition[] = [];
  const add = (field: keyof OutcomeRow, holds: (ending: Ending) => boolean): void => {
    if (row[field] !== undefined) conditions.push({ field, holds });
  };
  add('status', statusCondition(row));
  add('error', errorCondition(row));
  add('method', methodCondition(row));
  add('slowerThan', ({ elapsed }) => elapsed > row.slowerThan!);
  const hosts = listOf(row.host).map((host) => hostPattern(host, 'host'));
  add('host', ({ host }) => hosts.some((matches) => matches(host)));
  const paths = listOf(row.path).map((path) => new RouteTemplate(path, 'path'));
  add('path', ({ path }) => paths.some((template) => template.matches(path)));
  add('responseHeader', headerCondition(row));
  add('retryAfter', (ending) => retryAfterOf(ending) > 0);
  add('when', predicateCondition(row, onPredicateError));
  return { row, conditions, verdict: verdictOf(row) };
}

export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

function verdictOf({
  outcome,
  domain = 'endpoint',
  name,
  holdFor,
  retryAfter,
}: OutcomeRow): Verdict {
  return Object.freeze({
    outcome,
    domain,
    ...(name !== undefined && { row: name }),
    ...(holdFor !== undefined && retryAfter === undefined && { holdFor }),
  });
}

function statusCondition(row: OutcomeRow): Condition['holds'] {
  const ranges = listOf(row.status).map((status) => parseStatus(status, 'status'));
  return (ending) => {
    const { status } = ending;
    if (status === undefined || (row.error === undefined && endedInError(ending))) return false;
    return ranges.some(({ from, to }) => status >= from && status <= to);
  };
}

function errorCondition(row: OutcomeRow): Condition['holds'] {
  const words = new Set<string | undefined>(listOf(row.error));
  return (ending) => {
    if (!endedInError(ending)) return false;
    if (words.has('any') || words.has(ending.kind)) return true;
    // A client's own code is as good as that of the cause, which decides the kind.
    if (ending.code !== undefined && words.has(ending.code)) return true;
    const code = propertyOf(ending.error, 'code');
    return typeof code === 'string' && words.has(code);
  };
}

function methodCondition(row: OutcomeRow): Condition['holds'] {
  const methods = new Set(listOf(row.method).map((method) => method.toUpperCase()));
  return ({ method }) => methods.has(method) || methods.has(method.toUpperCase());
}

function headerCondition(row: OutcomeRow): Condition['holds'] {
  const wanted = Object.entries(row.responseHeader ?? {});
  return ({ headers }) =>
    wanted.every(([name, values]) => {
      const value = headerValue(headers, name);
      if (value === undefined) return false;
      return values === true || listOf(values).includes(value.trim());
    });
}

function predicateCondition(
  row: OutcomeRow,
  onPredicateError: OnPredicateError,
): Condition['holds'] {
  return (ending) => {
    try {
      return Boolean(atOnce(row.when!(inputOf(ending))));
    } catch (error) {
      try {
        onPredicateError(error, row);
      } catch {
        // The call is not to suffer for it.
      }
      return false;
    }
  };
}

function inputOf(ending: Ending): PredicateInput {
  const { method, host, path, status, headers, error, kind, elapsed, response } = ending;
  return { method, host, path, status, headers, error, kind, elapsed, response };
}
