import { nearestName } from './nearest-name.ts';

/** A value as an error message shows it: short, and safe for anything. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`;
  if (typeof value === 'function') return isClass(value) ? `the class ${value.name}` : 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value !== 'object' || value === null) return String(value);
  const name = classOf(value) || 'object';
  return `${/^(?:[aeio]|Http)/i.test(name) ? 'an' : 'a'} ${name}`;
}

function isClass(value: Function): boolean {
  return Function.prototype.toString.call(value).startsWith('class ');
}

/**
 * The name of the class that it is an instance of; empty where that has none, and undefined for a
 * plain object, also of another realm.
 */
function classOf(value: object): string | undefined {
  try {
    const parent = Object.getPrototypeOf(value) as object | null;
    if (parent === null) return undefined;
    let root = parent;
    for (let next: object | null = root; next !== null; next = Object.getPrototypeOf(next))
      root = next;
    const { constructor } = parent;
    const name: unknown = constructor.name;
    if (constructor === root.constructor) return undefined;
    return typeof name === 'string' ? name : '';
  } catch {
    // A proxy, or a class without a constructor.
    return undefined;
  }
}

/** The value as an object of options. `what` is what an error calls it, such as `options`. */
export function checkObject(what: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what} must be an object, but is ${shown(value)}`);
  }
  return value as Record<string, unknown>;
}

export function checkNames(what: string, value: object, known: readonly string[]): void {
  checkIsMeant(what, value, known);
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw new TypeError(`${what}: ${unknownName(name, known)}`);
  }
}

/** An instance of a class that has none of the names is something else: a Map, a client, a breaker. */
export function checkIsMeant(what: string, value: object, known: readonly string[]): void {
  const isNear = (name: string): boolean => nearestName(name, known) !== undefined;
  if (known.some((name) => name in value) || Object.keys(value).some(isNear)) return;
  if (classOf(value) === undefined) return;
  throw new TypeError(`${what} must be a plain object, but is ${shown(value)}`);
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
