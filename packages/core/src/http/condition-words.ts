import { shown } from '../breaker/checks.ts';
import { textOf } from './hostile-value.ts';
import { headerValue } from './header-value.ts';
import type { OutcomeExample } from './outcome-example.ts';
import type { Ending, OutcomeRow } from './outcome-row.ts';
import { endedInError, listOf } from './row-conditions.ts';

/** `rules[2] ('wait when told to')`, as errors name it. */
export function rowLabel(index: number, name: string | undefined, list: string = 'rules'): string {
  return name === undefined ? `${list}[${index}]` : `${list}[${index}] (${shown(name)})`;
}

/** `a, b or c`. */
export function listed(words: readonly unknown[], last: string = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${String(words.at(-1))}`;
}

/** What a condition of a row asks for, in words that follow "asks for". */
export function wantedBy(row: OutcomeRow, field: keyof OutcomeRow): string {
  switch (field) {
    case 'status':
      return `status ${listed(listOf(row.status))}`;
    case 'error':
      return row.error === 'any' ? 'an error' : `error ${listed(listOf(row.error))}`;
    case 'method':
      return `method ${listed(listOf(row.method).map((method) => method.toUpperCase()))}`;
    case 'host':
      return `host ${listed(listOf(row.host))}`;
    case 'path':
      return `path ${listed(listOf(row.path))}`;
    case 'responseHeader':
      return `response header ${listed(Object.entries(row.responseHeader ?? {}).map(headerWords), 'and')}`;
    case 'retryAfter':
      return 'a usable Retry-After';
    case 'slowerThan':
      return `a call of more than ${row.slowerThan} ms`;
    default:
      return 'a yes of its predicate';
  }
}

function headerWords([name, values]: [string, unknown]): string {
  if (values === true) return `${name} with any value`;
  return `${name}: ${listed(listOf(values).map(shown))}`;
}

/** What the example has instead, in words that follow "but". */
export function hadBy(
  row: OutcomeRow,
  field: keyof OutcomeRow,
  ending: Ending,
  example: OutcomeExample,
): string {
  switch (field) {
    case 'status':
      if (endedInError(ending) && row.error === undefined) return `the call ${endedIn(ending)}`;
      return ending.status === undefined
        ? 'no response came before the error'
        : `the status is ${ending.status}`;
    case 'error':
      return endedInError(ending)
        ? `the error is ${errorText(ending)}`
        : `the call ${endedIn(ending)}`;
    case 'method':
      return ending.method === '' ? missing('method') : `the method is ${ending.method}`;
    case 'host':
      return ending.host === '' ? missing('host') : `the host is ${ending.host}`;
    case 'path':
      return ending.path === '' ? missing('path') : `the path is ${ending.path}`;
    case 'responseHeader':
      return missedHeader(row, ending);
    case 'retryAfter':
      return headerText(ending, 'retry-after');
    case 'slowerThan':
      return example.elapsed === undefined ? missing('elapsed') : `it took ${ending.elapsed} ms`;
    default:
      return 'that said no';
  }
}

/** `ended in the error refused (ECONNREFUSED)`, `was answered with 503`. */
export function endedIn(ending: Ending): string {
  const { status } = ending;
  if (!endedInError(ending)) return `was answered with ${status}`;
  const broken = status === undefined ? '' : `was answered with ${status} and then `;
  return `${broken}ended in the error ${errorText(ending)}`;
}

/** What a predicate threw, in words that follow "but". */
export function thrownText(error: unknown): string {
  const message = textOf(error, 'message', 200);
  const name = textOf(error, 'name') ?? 'an error';
  return message === undefined ? `that threw ${name}` : `that threw ${name}: ${message}`;
}

function errorText({ kind, code }: Ending): string {
  return code === undefined ? kind! : `${kind!} (${code})`;
}

function missing(field: keyof OutcomeExample): string {
  return `the example has no ${field}`;
}

function missedHeader(row: OutcomeRow, ending: Ending): string {
  const missed = Object.entries(row.responseHeader ?? {}).find(([name, values]) => {
    const value = headerValue(ending.headers, name);
    return value === undefined || (values !== true && !listOf(values).includes(value.trim()));
  });
  return headerText(ending, missed?.[0] ?? '');
}

function headerText({ headers }: Ending, name: string): string {
  const value = headerValue(headers, name);
  return value === undefined ? `there is no ${name} header` : `${name} is ${shown(value)}`;
}
