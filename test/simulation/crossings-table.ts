import { MINUTES, type Crossing } from './crossings.ts';
import { count, percent } from './figures.ts';
import { markdownTable, type Column } from './markdown-table.ts';
import type { Run } from './observer.ts';

const columns: readonly Column[] = [
  { title: 'failures that open, C', isNumber: true },
  { title: 'errors, b', isNumber: true },
  { title: 'calls a second, λ', isNumber: true },
  { title: 'λ / λ*', isNumber: true },
  { title: 'P(≥ C in 10 s)', isNumber: true },
  { title: 'windows that opened', isNumber: true },
  { title: 'count: openings an hour', isNumber: true },
  { title: 'count: good calls refused', isNumber: true },
  { title: 'HTTP: openings an hour', isNumber: true },
  { title: 'HTTP: good calls refused', isNumber: true },
];

export function crossingsTable(crossings: readonly Crossing[]): string {
  return markdownTable(columns, crossings.map(row));
}

function row(crossing: Crossing): string[] {
  const { failures, errors, callsPerSecond, ofCritical } = crossing;
  return [
    String(failures),
    percent(errors, 1),
    String(callsPerSecond),
    String(ofCritical),
    percent(crossing.probability, 1),
    percent(crossing.openedWindows, 1),
    ...openingsAndRefused(crossing.counting),
    ...openingsAndRefused(crossing.http),
  ];
}

function openingsAndRefused({ openings, goodRefused, good }: Run): string[] {
  return [count((openings * 60) / MINUTES), percent(goodRefused, good)];
}
