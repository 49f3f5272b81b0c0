const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const LONG_DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

// RFC 9110, section 5.6.7: the form that is sent today, and the two that are still to be
// understood.
const DATES = [
  new RegExp(`^${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} gmt$`, 'i'),
  new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} gmt$`, 'i'),
  new RegExp(`^${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`, 'i'),
];

/**
 * The span in ms that a Retry-After header (RFC 9110, section 10.2.3) asks for: whole seconds, or a
 * date in one of the three HTTP forms, which `nowEpochMs` turns into a span.
 *
 * - 0 and a date that is past are 0; a caller waits for nothing.
 * - Malformed is undefined: a negative number, a fraction, words, a date that no calendar has.
 * - Any number of digits gives a finite number, to be clamped by the caller.
 * - A header sent more than once, as a list or joined by commas, asks for the longest of its spans;
 *   with one malformed member it is malformed.
 */
export function parseRetryAfter(value: unknown, nowEpochMs: number): number | undefined {
  if (typeof value === 'number') return parseSeconds(String(value));
  if (typeof value === 'string') return longest(members(value), nowEpochMs);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
  return longest(value.flatMap(members), nowEpochMs);
}

// The comma after the name of a day belongs to the date.
function members(text: string): string[] {
  return text.split(/(?<!\b(?:mon|tue|wed|thu|fri|sat|sun|[a-z]{3,6}day)),/i);
}

function longest(texts: readonly string[], nowEpochMs: number): number | undefined {
  let most: number | undefined;
  for (const text of texts) {
    const span = parseSeconds(text.trim()) ?? parseDate(text.trim(), nowEpochMs);
    if (span === undefined) return undefined;
    most = Math.max(most ?? 0, span);
  }
  return most;
}

function parseSeconds(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER) : undefined;
}

function parseDate(text: string, nowEpochMs: number): number | undefined {
  for (const form of DATES) {
    const parts = form.exec(text)?.groups;
    if (parts === undefined) continue;
    const instant = instantOf(parts, nowEpochMs);
    const span = instant === undefined ? NaN : instant - nowEpochMs;
    return Number.isNaN(span) ? undefined : Math.max(0, span);
  }
  return undefined;
}

function instantOf(parts: Record<string, string>, nowEpochMs: number): number | undefined {
  const [day, hour, minute, second] = [
    Number(parts.day),
    Number(parts.hour),
    Number(parts.minute),
    Number(parts.second),
  ];
  const month = MONTHS.indexOf(parts.month!.toLowerCase());
  const year =
    parts.year!.length === 2 ? fullYear(Number(parts.year), nowEpochMs) : Number(parts.year);
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if (day < 1 || day > lastDay || hour > 23 || minute > 59 || second > 60) return undefined;
  return Date.UTC(year, month, day, hour, minute, second);
}

// Two digits that seem to lie more than 50 years ahead are the latest such year in the past (RFC
// 9110, section 5.6.7).
function fullYear(twoDigits: number, nowEpochMs: number): number {
  const thisYear = new Date(nowEpochMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
