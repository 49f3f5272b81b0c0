import { checkBoolean, checkNames, checkObject, shown } from '../breaker/checks.ts';
import { errorKind } from './error-kind.ts';
import type { Ending, OutcomeRow, Verdict } from './outcome-row.ts';
import {
  compileRow,
  endedInError,
  retryAfterOf,
  type CompiledRow,
  type OnPredicateError,
} from './row-conditions.ts';
import { checkRow } from './row-validation.ts';
import { standardRules } from './standard-rules.ts';

/**
 * An outcome table: plain data that is the same again after a round trip through JSON, unless a row
 * has a predicate. Read back from JSON it is as good as what `defineRules` returned.
 */
export interface OutcomeRules {
  /** One's own rows, in the order in which they are asked. */
  readonly rows: readonly OutcomeRow[];
  /** Whether the standard rows come after them. */
  readonly standard: boolean;
}

/** What `defineRules` takes beside the rows. */
export interface DefineRulesOptions {
  /**
   * Whether the standard rows follow. Without them what no row matches is a success for a response
   * and a failure for an error.
   * @default true
   */
  readonly standard?: boolean;
}

/**
 * Checks an outcome table: the first row that matches an ending decides what it means. The rows are
 * copied and frozen.
 *
 *     const rules = defineRules([{ path: '/search/*', status: 404, outcome: 'success' }]);
 *
 * @throws TypeError or RangeError that names the row, its field and the value, with the nearest
 *   right name.
 */
export function defineRules(
  rows: readonly OutcomeRow[],
  options: DefineRulesOptions = {},
): OutcomeRules {
  if (!Array.isArray(rows))
    throw new TypeError(`rules must be a list of rows, but is ${shown(rows)}`);
  checkNames('rules', checkObject('the options of rules', options), ['standard']);
  const { standard = true } = options;
  checkBoolean('rules: standard', standard);
  return Object.freeze({ rows: Object.freeze(Array.from(rows, checkRow)), standard });
}

/** Rows alone stand for a table with the standard rows after them. It is checked where it is compiled. */
export function rulesOf(rules: OutcomeRules | readonly OutcomeRow[] = []): OutcomeRules {
  return Array.isArray(rules) ? defineRules(rules) : (rules as OutcomeRules);
}

const SUCCESS: Verdict = Object.freeze({ outcome: 'success', domain: 'endpoint' });
const FAILURE: Verdict = Object.freeze({ outcome: 'failure', domain: 'endpoint' });
const IGNORE: Verdict = Object.freeze({ outcome: 'ignore', domain: 'endpoint' });

const FIRST_STATUS = 100;
const LAST_STATUS = 599;

/** An outcome table made ready for the hot path. */
export class CompiledRules {
  /** All rows in order, the standard ones among them. */
  readonly rows: readonly CompiledRow[];
  readonly #verdicts: (Verdict | undefined)[] = [];
  readonly #candidates: (readonly CompiledRow[])[] = [];
  readonly #errorRows: readonly CompiledRow[];

  constructor(rows: readonly CompiledRow[]) {
    this.rows = rows;
    this.#errorRows = rows.filter(({ row }) => row.error !== undefined || row.status === undefined);
    const responseRows = rows.filter(({ row }) => row.error === undefined);
    for (let status = FIRST_STATUS; status <= LAST_STATUS; status++) {
      const candidates = candidatesFor(status, responseRows);
      const first = candidates[0];
      const isPlain = first === undefined || isDecidedByStatus(first);
      this.#verdicts.push(isPlain ? (first?.verdict ?? SUCCESS) : undefined);
      this.#candidates.push(isPlain ? [] : candidates);
    }
  }

  /**
   * What the table says of a response with this status whatever else is true of the call: one
   * look-up, nothing allocated. Undefined where it depends on more, or for a status outside
   * 100–599: then `decide` answers.
   */
  plain(status: number): Verdict | undefined {
    return this.#verdicts[status - FIRST_STATUS];
  }

  /**
   * What the table says of an ending. The kind of an error is found where it is not given. A
   * refusal of a breaker's own is ignored, whatever the rows say. Never throws.
   */
  decide(ending: Ending): Verdict {
    if (endedInError(ending)) {
      const told = ending.kind === undefined ? { ...ending, ...errorKind(ending.error) } : ending;
      if (told.kind === 'not-permitted') return IGNORE;
      return firstMatch(this.#errorRows, told) ?? FAILURE;
    }
    const plain = this.plain(ending.status!);
    if (plain !== undefined) return plain;
    const candidates = this.#candidates[ending.status! - FIRST_STATUS] ?? this.rows;
    return firstMatch(candidates, ending) ?? SUCCESS;
  }
}

/**
 * Makes a table ready; `rules` may come from JSON. `onPredicateError` hears of a `when` that
 * throws.
 * @throws as `defineRules` does.
 */
export function compileRules(
  rules: OutcomeRules,
  onPredicateError: OnPredicateError = () => {},
): CompiledRules {
  checkNames('rules', checkObject('rules', rules), ['rows', 'standard']);
  if (rules.rows === undefined) {
    throw new TypeError('rules must be a list of rows, or { rows, standard }, but have no rows');
  }
  const { rows, standard } = defineRules(rules.rows, { standard: rules.standard });
  const all = standard ? [...rows, ...standardRules] : rows;
  return new CompiledRules(all.map((row) => compileRow(row, onPredicateError)));
}

function firstMatch(rows: readonly CompiledRow[], ending: Ending): Verdict | undefined {
  for (const compiled of rows) {
    if (compiled.conditions.every((condition) => condition.holds(ending))) {
      return verdictOf(compiled, ending);
    }
  }
  return undefined;
}

/** What a row says of an ending that it matches. */
export function verdictOf({ row, verdict }: CompiledRow, ending: Ending): Verdict {
  const untilRetryAfter = row.outcome === 'hold' && row.retryAfter === true;
  if (!untilRetryAfter) return verdict;
  return { ...verdict, holdFor: retryAfterOf(ending), untilRetryAfter };
}

/** What an ending means that no row matches, or no row is asked about. */
export function fallbackVerdict(ending: Ending): Verdict {
  if (ending.kind === 'not-permitted') return IGNORE;
  return endedInError(ending) ? FAILURE : SUCCESS;
}

/** The rows that may decide a response of this status, up to the first that surely does. */
function candidatesFor(status: number, rows: readonly CompiledRow[]): readonly CompiledRow[] {
  const response: Ending = { method: '', host: '', path: '', status, elapsed: 0, now: 0 };
  const candidates: CompiledRow[] = [];
  for (const compiled of rows) {
    const [first] = compiled.conditions;
    if (first?.field === 'status' && !first.holds(response)) continue;
    candidates.push(compiled);
    if (isDecidedByStatus(compiled)) break;
  }
  return candidates;
}

function isDecidedByStatus({ conditions }: CompiledRow): boolean {
  return conditions.every(({ field }) => field === 'status');
}
