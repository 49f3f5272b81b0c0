import type { Cell } from './cells.ts';
import { count, median, percent, span, sum } from './figures.ts';
import { markdownTable, type Column } from './markdown-table.ts';
import type { Run } from './observer.ts';

const NONE = '–';

const columns: readonly Column[] = [
  { title: 'server' },
  { title: 'calls' },
  { title: 'found after', isNumber: true },
  { title: 'calls until then', isNumber: true },
  { title: 'reached it', isNumber: true },
  { title: 'closed again after', isNumber: true },
  { title: 'answered after', isNumber: true },
  { title: 'good calls refused', isNumber: true },
  { title: 'false openings', isNumber: true },
  { title: 'count: found after', isNumber: true },
  { title: 'count: reached it', isNumber: true },
  { title: 'count: closed again after', isNumber: true },
  { title: 'count: good calls refused', isNumber: true },
  { title: 'count: false openings', isNumber: true },
];

/** Every cell as a row. */
export function resultsTable(cells: readonly Cell[]): string {
  return markdownTable(columns, cells.map(row));
}

function row({ scenario, traffic, steadyFor, http, counting }: Cell): string[] {
  const names = [scenario.name, traffic.name];
  if (steadyFor !== undefined) {
    const openings = (runs: readonly Run[]): string =>
      `${count(sum(runs.map((run) => run.openings)))} in ${length(steadyFor)}`;
    const steady = (runs: readonly Run[]): string[] => [refused(runs), openings(runs)];
    const [none5, none3] = [Array<string>(5).fill(NONE), Array<string>(3).fill(NONE)];
    return [...names, ...none5, ...steady(http), ...none3, ...steady(counting)];
  }
  return [
    ...names,
    foundAfter(http),
    callsToFind(http),
    reached(http),
    closedAfter(http),
    answeredAfter(http),
    refused(http),
    NONE,
    foundAfter(counting),
    reached(counting),
    closedAfter(counting),
    refused(counting),
    NONE,
  ];
}

function foundAfter(runs: readonly Run[]): string {
  const found = runs.flatMap((run) => run.foundAfter ?? []);
  if (found.length === 0) return 'never';
  const share = found.length === runs.length ? '' : ` (${found.length} of ${runs.length})`;
  return `${span(median(found))}${share}`;
}

function callsToFind(runs: readonly Run[]): string {
  const calls = runs.flatMap((run) => run.callsToFind ?? []);
  return calls.length === 0 ? NONE : count(median(calls));
}

function reached(runs: readonly Run[]): string {
  const middle = (figure: 'reached' | 'faulty'): string =>
    count(median(runs.map((run) => run[figure])));
  return `${middle('reached')} of ${middle('faulty')}`;
}

function closedAfter(runs: readonly Run[]): string {
  if (runs.every((run) => run.openings === 0)) return NONE;
  const spans = runs.map((run) => run.closedAfter ?? Infinity);
  const most = Math.max(...spans);
  return most === 0 ? '0' : `${span(median(spans))} (${span(most)})`;
}

function answeredAfter(runs: readonly Run[]): string {
  return span(median(runs.map((run) => run.answeredAfter ?? Infinity)));
}

function refused(runs: readonly Run[]): string {
  const good = sum(runs.map((run) => run.good));
  return good === 0 ? NONE : percent(sum(runs.map((run) => run.goodRefused)), good);
}

function length(ms: number): string {
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
