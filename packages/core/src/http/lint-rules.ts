import { checkNames, checkObject } from '../breaker/checks.ts';
import { listed, rowLabel } from './condition-words.ts';
import { errorKinds } from './error-kind.ts';
import type { OutcomeRow } from './outcome-row.ts';
import { defineRules, type OutcomeRules } from './outcome-rules.ts';
import { listOf } from './row-conditions.ts';
import { isCovered, statusesLeft } from './row-coverage.ts';
import { lintRow, type RowFindingKind } from './row-lint.ts';
import { checkRow } from './row-validation.ts';
import { standardRules } from './standard-rules.ts';

/**
 * What is wrong with a table: `invalid` is a row that `defineRules` refuses; `unreachable` one that
 * never decides, since rows above it take all that it would match, or since it can match nothing;
 * `duplicate` and `contradiction` are unreachable rows with the very conditions of one above, and
 * its outcome or another; `uncovered` are endings that no row speaks of, without the standard rows.
 */
export type RuleFindingKind =
  | 'invalid'
  | 'unreachable'
  | 'duplicate'
  | 'contradiction'
  | 'same-name'
  | 'uncovered'
  | RowFindingKind;

/** Something that is wrong with a table, or will not do what it seems to. */
export interface RuleFinding {
  /** Its place among one's own rows; undefined for what concerns the whole table. */
  readonly row?: number;
  /** Of the row. */
  readonly name?: string;
  readonly kind: RuleFindingKind;
  /** Names the row, says what will happen and, where that is known, what was meant. */
  readonly message: string;
}

interface PlacedRow {
  readonly index: number;
  readonly row: OutcomeRow;
}

/**
 * Finds what is wrong with a table of outcomes, or will not do what it seems to: for a review, or a
 * test of one's own. An empty list is a good answer. What can't be told for sure is not reported: a
 * row called unreachable never decides. One's own rows may well take the place of standard ones.
 * @throws TypeError for what is no table; a wrong row is a finding
 */
export function lintRules(rules: OutcomeRules | readonly OutcomeRow[]): RuleFinding[] {
  const { given, standard } = tableOf(rules);
  const findings: RuleFinding[] = [];
  const rows: PlacedRow[] = [];
  given.forEach((value, index) => {
    try {
      rows.push({ index, row: checkRow(value, index) });
    } catch (error) {
      findings.push({ row: index, kind: 'invalid', message: (error as Error).message });
    }
  });
  const isWhole = findings.length === 0;
  rows.forEach((placed, place) =>
    findings.push(...lintPlaced(placed, rows.slice(0, place), standard)),
  );
  findings.sort((one, other) => one.row! - other.row!);
  if (isWhole && !standard) findings.push(...uncovered(rows.map(({ row }) => row)));
  return findings;
}

function tableOf(rules: OutcomeRules | readonly OutcomeRow[]): {
  readonly given: readonly unknown[];
  readonly standard: boolean;
} {
  if (Array.isArray(rules)) return { given: rules as readonly unknown[], standard: true };
  checkNames('rules', checkObject('rules', rules), ['rows', 'standard']);
  const { rows, standard } = rules as OutcomeRules;
  // Checks all but the rows.
  const checked = defineRules(Array.isArray(rows) ? [] : rows, { standard });
  return { given: rows, standard: checked.standard };
}

function lintPlaced(
  { index, row }: PlacedRow,
  above: readonly PlacedRow[],
  standard: boolean,
): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const { name } = row;
  const report = (kind: RuleFindingKind, message: string): void => {
    const text = `${rowLabel(index, name)}: ${message}`;
    findings.push({ row: index, ...(name !== undefined && { name }), kind, message: text });
  };
  lintReach(row, above, report);
  const isReached = findings.length === 0;
  lintRow(row, report);
  const namesake = above.find((other) => name !== undefined && other.row.name === name);
  if (namesake !== undefined && isReached) {
    report(
      'same-name',
      `rules[${namesake.index}] has the same name: events will not tell them apart`,
    );
  } else if (standard && standardRules.some((other) => other.name === name)) {
    report('same-name', 'a standard row has the same name: events will not tell them apart');
  }
  return findings;
}

function lintReach(
  row: OutcomeRow,
  above: readonly PlacedRow[],
  report: (kind: RuleFindingKind, message: string) => void,
): void {
  const takers = takersOf(row, above);
  if (takers === undefined) return;
  const [first] = takers;
  if (first === undefined) {
    const why = listOf(row.error).includes('not-permitted')
      ? "it asks for 'not-permitted', and no row is asked about a refusal"
      : 'no header ever has the value that it asks for';
    return report('unreachable', `it matches nothing: ${why}`);
  }
  const labels = listed(
    takers.map((taker) => rowLabel(taker.index, taker.row.name)),
    'and',
  );
  if (takers.length > 1) {
    return report(
      'unreachable',
      `it is never reached: ${labels} together take all that it matches`,
    );
  }
  if (!isCovered(first.row, [row])) {
    return report('unreachable', `it is never reached: ${labels} takes all that it matches`);
  }
  if (verdictOf(first.row) === verdictOf(row)) {
    return report('duplicate', `it says again what ${labels} says`);
  }
  report(
    'contradiction',
    `it is never reached: ${labels} has the same conditions, and decides otherwise`,
  );
}

/** The rows that take all that this one matches, as few as will do; undefined where it is reached. */
function takersOf(row: OutcomeRow, above: readonly PlacedRow[]): readonly PlacedRow[] | undefined {
  const covers = (by: readonly PlacedRow[]) =>
    isCovered(
      row,
      by.map((placed) => placed.row),
    );
  if (!covers(above)) return undefined;
  const alone = above.find((placed) => covers([placed]));
  if (covers([])) return [];
  if (alone !== undefined) return [alone];
  let takers = above;
  for (const placed of above) {
    const fewer = takers.filter((taker) => taker !== placed);
    if (covers(fewer)) takers = fewer;
  }
  return takers;
}

function verdictOf({ outcome, domain = 'endpoint', holdFor }: OutcomeRow): string {
  return `${outcome} ${domain} ${holdFor}`;
}

function uncovered(rows: readonly OutcomeRow[]): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const report = (message: string) => findings.push({ kind: 'uncovered', message });
  const forResponses = rows.filter(({ error }) => error === undefined);
  const left = statusesLeft([{ from: 100, to: 599 }], forResponses);
  if (left.length > 0) {
    const ranges = left.map(({ from, to }) => (from === to ? from : `${from}-${to}`));
    report(`no row speaks of the statuses ${listed(ranges, 'and')}: they count as successes`);
  }
  const named = rows.flatMap(({ error, status }): readonly string[] =>
    error === undefined && status === undefined ? ['any'] : listOf(error),
  );
  const kinds = errorKinds.filter((kind) => kind !== 'not-permitted' && !named.includes(kind));
  if (kinds.length > 0 && !named.includes('any')) {
    report(`no row speaks of the errors ${listed(kinds, 'and')}: they count as failures`);
  }
  return findings;
}
