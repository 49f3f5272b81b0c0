import {
  checkAbove,
  checkAtLeast,
  checkChoice,
  checkFunction,
  checkNames,
  checkIsMeant,
  checkObject,
  checkText,
  shown,
} from '../breaker/checks.ts';
import { nearestName } from '../breaker/nearest-name.ts';
import { kindOfWord } from './error-codes.ts';
import { errorKinds } from './error-kind.ts';
import { checkMethod, isToken } from './http-token.ts';
import { hostPattern } from './host-pattern.ts';
import { domains, outcomes, type OutcomeRow } from './outcome-row.ts';
import { RouteTemplate } from './route-template.ts';
import { parseStatus } from './status-condition.ts';

/**
 * A frozen copy of one row, without the fields that are undefined.
 * @throws TypeError or RangeError that names the row, the field and the value.
 */
export function checkRow(value: unknown, index: number): OutcomeRow {
  const given = checkObject(`rules[${index}]`, value);
  const what =
    typeof given.name === 'string' ? `rules[${index}] (${shown(given.name)})` : `rules[${index}]`;
  checkNames(what, given, fields);
  const row: Record<string, unknown> = {};
  for (const field of fields) {
    if (given[field] !== undefined) row[field] = CHECKS[field](given[field], `${what}: ${field}`);
  }
  if (row.outcome === undefined) throw new TypeError(`${what}: outcome is missing`);
  if (row.outcome !== 'hold' && row.holdFor !== undefined) {
    throw new TypeError(
      `${what}: holdFor is for the outcome 'hold', not for ${shown(row.outcome)}`,
    );
  }
  if (row.outcome === 'hold' && row.holdFor === undefined && row.retryAfter === undefined) {
    throw new TypeError(`${what}: a hold needs retryAfter: true, or holdFor`);
  }
  if (row.when !== undefined) {
    // JSON would leave a function out, and the row would then match more than it should.
    const toJSON = (): object => ({ ...row, when: 'a function' });
    Object.defineProperty(row, 'toJSON', { value: toJSON });
  }
  return Object.freeze(row) as unknown as OutcomeRow;
}

type Check = (value: unknown, what: string) => unknown;

const CHECKS: Readonly<Record<keyof OutcomeRow, Check>> = {
  name: (value, what) => checkText(what, value),
  status: oneOrMore((value, what) => {
    parseStatus(value, what);
    return value;
  }),
  error: oneOrMore(checkError),
  method: oneOrMore((value, what) => checkMethod(what, value)),
  host: oneOrMore((value, what) => {
    hostPattern(value, what);
    return value;
  }),
  path: oneOrMore((value, what) => {
    new RouteTemplate(value, what);
    return value;
  }),
  responseHeader: checkHeaders,
  retryAfter: (value, what) => {
    if (value !== true) throw new TypeError(`${what} must be true, but is ${shown(value)}`);
    return true;
  },
  slowerThan: (value, what) => checkAtLeast(what, value, 0),
  when: (value, what) => checkFunction(what, value),
  outcome: (value, what) => checkChoice(what, value, outcomes),
  domain: (value, what) => checkChoice(what, value, domains),
  holdFor: (value, what) => checkAbove(what, value, 0),
};

const fields = Object.keys(CHECKS) as readonly (keyof OutcomeRow)[];

function oneOrMore(check: Check): Check {
  return (value, what) => {
    if (!Array.isArray(value)) return check(value, what);
    if (value.length === 0) throw new TypeError(`${what} is an empty list; leave it out`);
    return Object.freeze(value.map((item, index) => check(item, `${what}[${index}]`)));
  };
}

// Codes have a capital or a digit in them; kinds have neither.
function checkError(value: unknown, what: string): string {
  const error = checkText(what, value);
  const known = ['any', ...errorKinds];
  if (known.includes(error) || /[A-Z\d]/.test(error)) return error;
  const code = error.toUpperCase();
  const nearest = kindOfWord(code) === undefined ? nearestName(error, known) : code;
  const hint =
    nearest === undefined ? `known are ${known.join(', ')}` : `did you mean '${nearest}'?`;
  throw new RangeError(`${what} is no error kind: ${shown(error)}; ${hint}`);
}

function checkHeaders(value: unknown, what: string): object {
  const given = checkObject(what, value);
  checkIsMeant(what, given, Object.keys(given));
  const headers = Object.entries(given);
  if (headers.length === 0) throw new TypeError(`${what} names no header; leave it out`);
  const checkValue = oneOrMore((wanted, of) => {
    if (typeof wanted === 'string') return wanted;
    throw new TypeError(`${of} must be true or a string, but is ${shown(wanted)}`);
  });
  return Object.freeze(
    Object.fromEntries(
      headers.map(([name, wanted]) => {
        if (!isToken(name)) throw new RangeError(`${what} has no header name: ${shown(name)}`);
        return [name, wanted === true ? true : checkValue(wanted, `${what}['${name}']`)];
      }),
    ),
  );
}
