import { atOnce, shown } from './checks.ts';
import { causesOf } from './causes.ts';

/**
 * A class, which matches its instances and those of its subclasses, or a predicate on the thrown
 * value.
 */
export type ErrorMatcher =
  (abstract new (...args: never[]) => Error) | ((error: unknown) => boolean);

/**
 * Does any entry of a list match? What a predicate throws goes to `onThrow` and counts as no match.
 */
export type ErrorTest = (error: unknown, onThrow: (thrown: unknown) => void) => boolean;

export function compileErrorList(option: string, list: unknown): ErrorTest {
  if (!Array.isArray(list))
    throw new TypeError(
      `${option} must be a list of classes and predicates, but is ${shown(list)}`,
    );
  if (list.length === 0) throw new TypeError(`${option} is an empty list; leave it out instead`);
  const tests = list.map((entry: unknown, index) => {
    if (typeof entry !== 'function') {
      throw new TypeError(
        `${option}[${index}] must be a class or a predicate, but is ${shown(entry)}`,
      );
    }
    return isErrorClass(entry)
      ? (error: unknown) => error instanceof entry
      : (entry as (error: unknown) => boolean);
  });
  return (error, onThrow) =>
    tests.some((test) => {
      try {
        return Boolean(atOnce(test(error)));
      } catch (thrown) {
        onThrow(thrown);
        return false;
      }
    });
}

function isErrorClass(entry: Function): boolean {
  return entry === Error || entry.prototype instanceof Error;
}

/**
 * A predicate for `recordErrors` and `ignoreErrors` that looks for an instance of the class in the
 * error itself and in every `cause` below it, since clients wrap what went wrong.
 */
export function causedBy(
  errorClass: abstract new (...args: never[]) => Error,
): (error: unknown) => boolean {
  if (typeof errorClass !== 'function')
    throw new TypeError(`causedBy needs a class, but got ${shown(errorClass)}`);
  return (error) => {
    for (const cause of causesOf(error)) if (cause instanceof errorClass) return true;
    return false;
  };
}
