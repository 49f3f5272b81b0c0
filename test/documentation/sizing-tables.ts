import { readFileSync } from 'node:fs';
import { binomialAtLeast, callsUntilRow, poissonAtLeast } from './sizing-odds.ts';

const WINDOW = 30;

/** λ* of a count in a window of 30 s, and how often a healthy window reaches it. */
export function crossingTable(): string {
  const shares = [0.001, 0.01, 0.05];
  return table(
    [
      'count, C',
      ...shares.map((p) => `λ* at ${percent(p)} errors`),
      ...crossings.map(([at]) => at),
    ],
    [3, 5, 10].map((count) => [
      String(count),
      ...shares.map((p) => `${significant(count / (p * WINDOW))} a second`),
      ...crossings.map(([, of]) => odds(poissonAtLeast(count, count * of))),
    ]),
  );
}

const crossings = [
  ['at λ*/4', 0.25],
  ['at λ*/2', 0.5],
  ['at λ*', 1],
  ['at 2 λ*', 2],
] as const;

const noises = [0.01, 0.05, 0.1, 0.2, 0.3];

/** How often so many calls fail to half or more by chance. */
export function halfTable(): string {
  return table(
    ['calls looked at', ...noises.map((p) => `${percent(p)} errors`)],
    [5, 10, 20, 50, 100].map((calls) => [
      String(calls),
      ...noises.map((p) => odds(binomialAtLeast(Math.ceil(calls / 2), calls, p))),
    ]),
  );
}

/** How many calls go by until a row comes up by chance. */
export function rowTable(): string {
  const shares = [0.01, 0.05, 0.1, 0.3, 0.5];
  return table(
    ['failures in a row', ...shares.map((p) => `${percent(p)} errors`)],
    [3, 5, 10, 20].map((row) => [String(row), ...shares.map((p) => times(callsUntilRow(row, p)))]),
  );
}

const traffics = ['1 a minute', '1 a second', '10 a second', '50 a second', '500 a second'];

const servers = [
  ['outage: 503', 'every answer is a 503'],
  ['outage: connections refused', 'connections refused'],
  ['1 bad endpoint of 20, 97 % of calls: 503', '1 endpoint of 20 answers 503'],
  ['hang, client timeout of 10 s', 'it hangs, client timeout 10 s'],
  ['hang, no client timeout', 'it hangs, no client timeout'],
  ['slowness: 35–45 s', 'answers take 35–45 s'],
  ['brown-out: 30 % errors', '30 % of answers are a 503'],
] as const;

/** One column of the simulation's results, by server and traffic. */
export function simulatedTable(column: string): string {
  const [titles = [], , ...rows] = simulation();
  const place = titles.indexOf(column);
  const figure = (server: string, traffic: string): string =>
    rows.find((row) => row[0] === server && row[1] === traffic)![place]!;
  return table(
    ['what happens', ...traffics],
    servers.map(([server, words]) => [words, ...traffics.map((name) => figure(server, name))]),
  );
}

/** P(≥ C in 10 s) as the simulation's own table says it: C, λ / λ*, P. */
export function simulatedCrossings(): (readonly [count: number, of: number, odds: string])[] {
  return simulation()
    .filter((row) => row.length === 10 && /^\d+$/.test(row[0]!))
    .map((row) => [Number(row[0]), Number(row[3]), row[4]!]);
}

function simulation(): string[][] {
  const text = readFileSync(new URL('../simulation/results.md', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** With cells of no width: prettier gives them theirs. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = titles.map((_, index) => (index === 0 ? '---' : '--:'));
  return [titles, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** A dash for what comes up less than once in a thousand million times. */
function odds(probability: number): string {
  if (probability >= 0.095) return `${(probability * 100).toFixed(0)} %`;
  if (probability >= 0.0095) return `${(probability * 100).toFixed(1)} %`;
  const once = times(1 / probability);
  return once === NEVER ? NEVER : `1 in ${once}`;
}

const NEVER = '–';

/** To two digits, as far as anyone believes them. */
function times(number: number): string {
  if (number >= 1e9) return NEVER;
  if (number >= 1e6) return `${significant(number / 1e6)} million`;
  return significant(number, 2);
}

function significant(number: number, digits = number >= 100 ? 3 : 2): string {
  return Number(number.toPrecision(digits)).toLocaleString('en');
}
