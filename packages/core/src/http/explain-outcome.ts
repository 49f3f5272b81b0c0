import { endedIn, hadBy, rowLabel, thrownText, wantedBy } from './condition-words.ts';
import { endingOf, type OutcomeExample } from './outcome-example.ts';
import type { Domain, Ending, Outcome, OutcomeRow, Verdict } from './outcome-row.ts';
import {
  compileRules,
  fallbackVerdict,
  rulesOf,
  verdictOf,
  type OutcomeRules,
} from './outcome-rules.ts';
import { endedInError, type CompiledRow } from './row-conditions.ts';

/** A row of an explanation. */
export interface ExplainedRow {
  /** One's own, or a standard one. */
  readonly from: 'own' | 'standard';
  /** Its place among one's own rows, or in `standardRules`. */
  readonly index: number;
  readonly name?: string;
}

/** A row that was asked and did not match. */
export interface PassedOverRow extends ExplainedRow {
  /** The first condition that did not hold; the cheap ones are asked first. */
  readonly condition: keyof OutcomeRow;
  /** What the row asks for: `status 429 or 503`. */
  readonly wanted: string;
  /** What the example has: `the status is 500`. */
  readonly had: string;
}

/** What an ending means, and why. */
export interface OutcomeExplanation {
  readonly outcome: Outcome;
  readonly domain: Domain;
  /** Of a hold, in ms, before `maxRetryAfter` limits what a server says. */
  readonly holdFor?: number;
  /** The row that decides; undefined where none matches, or none is asked. */
  readonly row: ExplainedRow | undefined;
  /** The rows above it, in order. */
  readonly passedOver: readonly PassedOverRow[];
  /** All of this in lines, to be pasted into a review. */
  readonly text: string;
}

/**
 * Why an ending means what it means: the row that decides and, for each row above it, the first
 * condition that did not hold.
 *
 *     console.log(explainOutcome(rules, { url: 'https://api.example.com/search/x', status: 404 }).text);
 *
 * A predicate is asked once.
 * @throws TypeError or RangeError for a wrong row, as `defineRules` does, and for an example that is
 *   none
 */
export function explainOutcome(
  rules: OutcomeRules | readonly OutcomeRow[],
  example: OutcomeExample,
): OutcomeExplanation {
  let thrown: { readonly error: unknown } | undefined;
  const table = rulesOf(rules);
  const { rows } = compileRules(table, (error) => (thrown = { error }));
  const ending = endingOf(example);
  const own = table.rows.length;
  const passedOver: PassedOverRow[] = [];
  const explained = (decided: ExplainedRow | undefined, compiled?: CompiledRow) =>
    explanation(ending, passedOver, decided, compiled);

  // The breaker's own refusal is no ending of a call: no row is asked about it.
  if (ending.kind === 'not-permitted') return explained(undefined);
  for (const [place, compiled] of rows.entries()) {
    const { name } = compiled.row;
    const row: ExplainedRow = {
      ...(place < own ? { from: 'own', index: place } : { from: 'standard', index: place - own }),
      ...(name !== undefined && { name }),
    };
    thrown = undefined;
    const failed = compiled.conditions.find((condition) => !condition.holds(ending));
    if (failed === undefined) return explained(row, compiled);
    const condition = failed.field;
    const wanted = wantedBy(compiled.row, condition);
    const had = thrown
      ? thrownText((thrown as { readonly error: unknown }).error)
      : hadBy(compiled.row, condition, ending, example);
    passedOver.push({ ...row, condition, wanted, had });
  }
  return explained(undefined);
}

function explanation(
  ending: Ending,
  passedOver: readonly PassedOverRow[],
  row: ExplainedRow | undefined,
  compiled: CompiledRow | undefined,
): OutcomeExplanation {
  const verdict = compiled === undefined ? fallbackVerdict(ending) : verdictOf(compiled, ending);
  const { outcome, domain, holdFor } = verdict;
  const lines = [
    `${requestText(ending)} ${endedIn(ending)}:`,
    ...passedOver.map(
      ({ wanted, had, ...passed }) =>
        `${labelOf(passed)} is passed over: asks for ${wanted}, but ${had}`,
    ),
    row === undefined
      ? `${noRowText(ending)}: ${verdictText(verdict)}`
      : `${labelOf(row)} decides${conditionsText(compiled!)}: ${verdictText(verdict)}`,
  ];
  return {
    outcome,
    domain,
    ...(holdFor !== undefined && { holdFor }),
    row,
    passedOver,
    text: lines.join('\n  '),
  };
}

function requestText({ method, host, path }: Ending): string {
  const request = [method, host + path].filter((text) => text !== '').join(' ');
  return request === '' ? 'A call' : request;
}

function labelOf({ from, index, name }: ExplainedRow): string {
  return rowLabel(index, name, from === 'own' ? 'rules' : 'standardRules');
}

function conditionsText({ row, conditions }: CompiledRow): string {
  if (conditions.length === 0) return ', it matches everything';
  return ` by ${conditions.map(({ field }) => wantedBy(row, field)).join(', ')}`;
}

function noRowText(ending: Ending): string {
  if (ending.kind === 'not-permitted') return 'no row is asked about a refusal';
  return endedInError(ending)
    ? 'no row matches, and an error that none matches is a failure'
    : 'no row matches, and a response that none matches is a success';
}

function verdictText({ outcome, domain, holdFor, untilRetryAfter }: Verdict): string {
  if (outcome === 'ignore') return 'ignore, it counts nowhere';
  if (outcome === 'success') return 'success';
  if (holdFor === undefined) return `${outcome} of the ${domain}`;
  return `hold of the ${domain} for ${holdFor} ms${untilRetryAfter === true ? ', as Retry-After says' : ''}`;
}
