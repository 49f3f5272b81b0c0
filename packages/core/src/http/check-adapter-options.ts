import {
  checkBoolean,
  checkChoice,
  checkFunction,
  checkIsMeant,
  checkObject,
  unknownName,
} from '../breaker/checks.ts';
import { checkIsNoBreaker } from './http-breaker-brand.ts';

/** What an option of an adapter may be: true or false, a function, or one of some words. */
export type AdapterOptionCheck = 'boolean' | 'function' | readonly string[];

const FALLBACK_OPTIONS: Readonly<Record<string, AdapterOptionCheck>> = {
  fallback: 'function',
  fallbackOn: ['refusal', 'failure'],
};

/**
 * For adapters: checks the options that they take beside the breaker's.
 * @param caller  the function that an error names
 * @param breaker  the argument before, in which an adapter's option is a mistake
 * @param own  the adapter's own options, beside the fallback's
 * @throws TypeError that names the option and its value
 */
export function checkAdapterOptions(
  caller: string,
  breaker: unknown,
  options: unknown,
  own: Readonly<Record<string, AdapterOptionCheck>> = {},
): void {
  const checks = { ...own, ...FALLBACK_OPTIONS };
  const names = Object.keys(checks);
  for (const name of names) {
    if (typeof breaker !== 'object' || breaker === null || !Object.hasOwn(breaker, name)) continue;
    throw new TypeError(`${caller}: '${name}' belongs in the argument after the breaker's options`);
  }
  const given = checkObject(`${caller}: options`, options);
  checkIsNoBreaker(`${caller}: options`, given);
  checkIsMeant(`${caller}: options`, given, names);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    throw new TypeError(
      `${caller}: ${unknownName(name, names)}; the options of the breaker belong in the argument before`,
    );
  }
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) checkOption(`${caller}: ${name}`, value, checks[name]!);
  }
  if (given['fallbackOn'] !== undefined && given['fallback'] === undefined) {
    throw new TypeError(`${caller}: fallbackOn has no effect without a fallback`);
  }
}

function checkOption(what: string, value: unknown, check: AdapterOptionCheck): void {
  if (check === 'boolean') checkBoolean(what, value);
  else if (check === 'function') checkFunction(what, value);
  else checkChoice(what, value, check);
}
