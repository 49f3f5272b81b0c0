import { shown } from '../breaker/checks.ts';

/** Statuses from `from` to `to`, both among them. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The range of `503`, `'5xx'`, `'500-504'` or `'any'`. `what` is what an error calls it.
 * @throws TypeError for another type, RangeError for statuses that there are not.
 */
export function parseStatus(value: unknown, what: string): StatusRange {
  const range = typeof value === 'number' ? { from: value, to: value } : rangeOf(value);
  if (range !== undefined && isRange(range)) return range;
  const Wrong = typeof value === 'number' || typeof value === 'string' ? RangeError : TypeError;
  throw new Wrong(`${what} must be like 503, '5xx', '500-504' or 'any', but is ${shown(value)}`);
}

function rangeOf(value: unknown): StatusRange | undefined {
  if (typeof value !== 'string') return undefined;
  // Statuses that HTTP does not know are among any: a browser's opaque response has 0.
  if (value === 'any') return { from: 0, to: Infinity };
  const [, first] = /^([1-9])xx$/i.exec(value) ?? [];
  if (first !== undefined) return { from: Number(first) * 100, to: Number(first) * 100 + 99 };
  const [, from, to] = /^(\d{3})-(\d{3})$/.exec(value) ?? [];
  return to === undefined ? undefined : { from: Number(from), to: Number(to) };
}

function isRange({ from, to }: StatusRange): boolean {
  if (from === 0 && to === Infinity) return true;
  return Number.isInteger(from) && from >= 100 && to <= 999 && from <= to;
}
