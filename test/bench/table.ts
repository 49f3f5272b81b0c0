import type { Figures, Report, Target } from './part.ts';
import { median } from './statistics.ts';

export interface Comparison {
  readonly unit: string;
  /** Taken from the others' figure of the same round: what they add to it. */
  readonly baseline?: string;
  /** What the ratios are of. */
  readonly reference: string;
  readonly note?: string;
  readonly targets?: (medians: Readonly<Record<string, number>>) => readonly Target[];
}

/** A report of one number for each contestant: its median, least and most, and its ratio. */
export function compared(comparison: Comparison): (figures: Figures<number>) => Report {
  const { unit, baseline, reference, note, targets } = comparison;
  return (figures) => {
    const base = baseline === undefined ? undefined : figures[baseline]!;
    const own = Object.entries(figures).map(([name, values]) => {
      const isAdded = base !== undefined && name !== baseline;
      return [name, isAdded ? values.map((value, round) => value - base[round]!) : values] as const;
    });
    const medians = Object.fromEntries(own.map(([name, values]) => [name, median(values)]));
    return {
      head: ['', `${unit}: median (least to most)`, `of ${reference}`],
      rows: own.map(([name, values]) => [
        name,
        spread(values),
        name === baseline ? '' : ratio(medians[name]! / medians[reference]!),
      ]),
      targets: targets?.(medians) ?? [],
      ...(note !== undefined && { note }),
    };
  };
}

/** What stands below a figure: a figure of the same run, and what it is of. */
export interface Floor {
  readonly figure: number;
  readonly of: string;
}

/** That a figure is at most so much. */
export function atMost(
  what: string,
  limit: number,
  measured: number,
  unit: string,
  floor?: Floor,
): Target {
  return {
    what,
    reach: `≤ ${shown(limit)} ${unit}`,
    measured: `${shown(measured)} ${unit}`,
    isMet: measured <= limit,
    ...(floor !== undefined && { floor: `${shown(floor.figure)} ${unit}: ${floor.of}` }),
  };
}

/** That a figure is at most so many times another. */
export function atMostTimes(
  what: string,
  limit: number,
  measured: number,
  of: string,
  floor?: Floor,
): Target {
  return {
    what,
    reach: `≤ ${limit} × ${of}`,
    measured: `${ratio(measured)} ×`,
    isMet: measured <= limit,
    ...(floor !== undefined && { floor: `${ratio(floor.figure)} ×: ${floor.of}` }),
  };
}

export function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  // Nothing is shown as -0.
  return value.toLocaleString('en', { maximumFractionDigits: digits, signDisplay: 'negative' });
}

export function ratio(value: number): string {
  if (Math.abs(value) >= 100) return shown(value);
  return value.toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'negative',
  });
}

export function spread(values: readonly number[]): string {
  return `${shown(median(values))} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
}

export function markdown(report: Report): string {
  const { head, rows, note } = report;
  return [table(head, rows), ...(note === undefined ? [] : [note])].join('\n\n');
}

/** In columns, as prettier has them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}
