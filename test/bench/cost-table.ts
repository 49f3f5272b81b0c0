import { ratio, shown, table } from './table.ts';

/** A row of a part's table in results.md: what stands first in a cell, by the head of its column. */
type Row = Readonly<Record<string, string>>;

interface Cost {
  readonly what: string;
  /** The title of the part. */
  readonly part: string;
  /** The heads of the columns; the row of a contestant is called by what it is put into here. */
  readonly column: string;
  readonly name: (contestant: string) => string;
  readonly unit: string;
}

const contestants = {
  Recloser: 'Recloser, time window',
  cockatiel: 'cockatiel, SamplingBreaker',
  opossum: 'opossum, default',
} as const;

const own = (contestant: string): string => contestant.split(', time window')[0]!;

const costs: readonly Cost[] = [
  {
    what: 'a call through `execute`, closed: added',
    part: '`execute` around an async function, closed',
    column: 'ns added: median (least to most)',
    name: (contestant) => contestant,
    unit: 'ns',
  },
  {
    what: 'a call refused by `execute`',
    part: 'A refused call',
    column: 'ns: median (least to most)',
    name: (contestant) => contestant,
    unit: 'ns',
  },
  {
    what: 'memory of an idle breaker',
    part: 'The heap of a breaker',
    column: 'bytes: median (least to most)',
    name: (contestant) => `${own(contestant)}, idle`,
    unit: 'bytes',
  },
];

const requests = [
  'undici, 1 in flight',
  'undici, 50 in flight',
  'fetch, 1 in flight',
  'fetch, 50 in flight',
];

const BEGIN = '<!-- costs: written by pnpm bench -->';
const END = '<!-- /costs -->';

/** The page with the table anew. @throws Error where the page has no place for it */
export function withCosts(page: string, results: string): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = (rest ?? '').split(END);
  if (after === undefined) throw new Error(`the page has no '${BEGIN}' … '${END}'`);
  return `${before}${BEGIN}\n\n${costTable(results)}\n\n${END}${after}`;
}

/**
 * What the front page says of what it costs, made of results.md. The others' times are told by how
 * they stand to Recloser's: times alone are of one machine.
 * @throws Error where results.md lacks a row
 */
function costTable(results: string): string {
  const rows = costs.map(({ what, part, column, name, unit }) => {
    const figures = Object.values(contestants).map((contestant) =>
      Number.parseFloat(rowOf(results, part, name(contestant))[column]!.replaceAll(',', '')),
    );
    const [mine, ...theirs] = figures as [number, ...number[]];
    return [what, `${shown(mine)} ${unit}`, ...theirs.map((figure) => `× ${ratio(figure / mine)}`)];
  });
  const more = requests.map((setting) => [
    `CPU of a whole request, ${setting}: added`,
    ...Object.values(contestants).map((contestant) => {
      const row = rowOf(results, 'A whole request over loopback', `${setting}, ${own(contestant)}`);
      return row['more CPU, 95 % confidence']!;
    }),
  ]);
  const [, date, node] = /^(\d{4}-\d\d-\d\d), .*?; Node v([\d.]+)/m.exec(results) ?? [];
  const head = [`${date}, Node ${node}`, 'Recloser', 'cockatiel 4', 'opossum 10'];
  return table(head, [...rows, ...more]);
}

function rowOf(results: string, part: string, name: string): Row {
  const lines = (results.split(`## ${part}\n`)[1] ?? '').split('\n## ')[0]!.split('\n');
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head, row] = [
    lines.find((line) => line.startsWith('|')),
    lines.find((line) => cells(line)[0] === name),
  ];
  if (head === undefined || row === undefined) {
    throw new Error(`results.md has no row '${name}' under '${part}': run pnpm bench`);
  }
  return Object.fromEntries(cells(head).map((title, column) => [title, cells(row)[column]!]));
}
