export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A table as prettier leaves it. */
export function markdownTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(3, title.length, ...rows.map((row) => row[index]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => pad(cell, widths[index]!, columns[index]!)).join(' | ')} |`;
  const rule = columns.map(({ isNumber }, index) =>
    isNumber === true ? `${'-'.repeat(widths[index]! - 1)}:` : '-'.repeat(widths[index]!),
  );
  const titles = columns.map(({ title }) => title);
  return [titles, rule, ...rows].map(line).join('\n');
}

function pad(cell: string, width: number, { isNumber }: Column): string {
  return isNumber === true ? cell.padStart(width) : cell.padEnd(width);
}
