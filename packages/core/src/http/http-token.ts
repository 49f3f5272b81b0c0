import { checkText, shown } from '../breaker/checks.ts';

/** A token as HTTP has it: the name of a method or of a header. */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/** @throws TypeError or RangeError that names `what` and the value */
export function checkMethod(what: string, value: unknown): string {
  const method = checkText(what, value);
  if (!isToken(method)) throw new RangeError(`${what} is no HTTP method: ${shown(method)}`);
  return method;
}
