import { nearestName } from './nearest-name.ts';

/** A value as an error message shows it: short, and safe for anything. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** The value as an object of options. `what` is what an error calls it, such as `options`. */
export function checkObject(what: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what} must be an object, but is ${shown(value)}`);
  }
  return value as Record<string, unknown>;
}

export function checkNames(what: string, value: object, known: readonly string[]): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw new TypeError(`${what}: ${unknownName(name, known)}`);
  }
}

export function unknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return `'${name}' is not known; none is defined`;
  const nearest = nearestName(name, known);
  return `'${name}' is not known; ${nearest === undefined ? `known are ${known.join(', ')}` : `did you mean '${nearest}'?`}`;
}

export function checkNumber(what: string, value: unknown): number {
  if (typeof value !== 'number')
    throw new TypeError(`${what} must be a number, but is ${shown(value)}`);
  if (!Number.isFinite(value))
    throw new RangeError(`${what} must be a finite number, but is ${value}`);
  return value;
}

export function checkAtLeast(what: string, value: unknown, least: number): number {
  const number = checkNumber(what, value);
  if (number < least) throw new RangeError(`${what} must be at least ${least}, but is ${number}`);
  return number;
}

export function checkAbove(what: string, value: unknown, bound: number): number {
  const number = checkNumber(what, value);
  if (number <= bound)
    throw new RangeError(`${what} must be greater than ${bound}, but is ${number}`);
  return number;
}

export function checkCount(
  what: string,
  value: unknown,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  const number = checkAtLeast(what, value, 1);
  if (!Number.isInteger(number))
    throw new RangeError(`${what} must be a whole number, but is ${number}`);
  if (number > most) throw new RangeError(`${what} must be at most ${most}, but is ${number}`);
  return number;
}

export function checkChoice<T extends string>(
  what: string,
  value: unknown,
  choices: readonly T[],
): T {
  if (choices.includes(value as T)) return value as T;
  const nearest = typeof value === 'string' ? nearestName(value, choices) : undefined;
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  throw new TypeError(
    `${what} must be one of ${choices.map((choice) => `'${choice}'`).join(', ')}, but is ${shown(value)}${hint}`,
  );
}

export function checkBoolean(what: string, value: unknown): boolean {
  if (typeof value !== 'boolean')
    throw new TypeError(`${what} must be true or false, but is ${shown(value)}`);
  return value;
}

export function checkText(what: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`${what} must be a string that is not empty, but is ${shown(value)}`);
}

export function checkFunction<T>(what: string, value: T): T {
  if (typeof value !== 'function')
    throw new TypeError(`${what} must be a function, but is ${shown(value)}`);
  return value;
}

/**
 * What a function of the user's answered. A promise is no answer; its rejection harms nobody.
 * @throws TypeError for a promise
 */
export function atOnce<T>(answer: T): T {
  if (!isThenable(answer)) return answer;
  Promise.resolve(answer).catch(() => {});
  throw new TypeError('it must answer at once, not with a promise');
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
