/** A folded route has at most so many segments and characters; what is beyond becomes `*`. */
const MAX_SEGMENTS = 16;
const MAX_LENGTH = 256;
/** A longer segment is taken for an id. */
const MAX_SEGMENT = 64;
const MAX_EXTENSION = 5;

const OTHER = 0;
const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;
const HEX = 4;
const CLASSES = new Uint8Array(128);
for (let code = 48; code <= 57; code++) CLASSES[code] = DIGIT | HEX;
for (let code = 97; code <= 122; code++) CLASSES[code] = LOWER | (code <= 102 ? HEX : 0);
for (let code = 65; code <= 90; code++) CLASSES[code] = UPPER | (code <= 70 ? HEX : 0);

const DASH = 45;
const DOT = 46;
const PERCENT = 37;
const AT = 64;
const ZERO = 48;
const SEVEN = 55;
const LETTER_T = 84;
const LETTER_Z = 90;

/**
 * The route of a canonical path that no template matches: segments that look like ids become `:id`.
 * Such are digits, UUIDs, ULIDs, hexadecimal of 8 characters and more, tokens in which letters and
 * digits or cases alternate, numbers of six digits and more with a prefix, e-mail addresses, dates,
 * all these with a file extension, and anything longer than 64 characters. Bounded in length
 * whatever the path.
 */
export function foldPath(path: string): string {
  let route = '';
  let kept = 0;
  let segments = 0;
  for (let start = 1; start <= path.length;) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    const isId = isIdLike(path, start, end);
    const length = route.length + (start - kept) + (isId ? 3 : end - start);
    if (++segments > MAX_SEGMENTS || length > MAX_LENGTH) {
      return `${route}${path.slice(kept, start)}*`;
    }
    if (isId) {
      route += `${path.slice(kept, start)}:id`;
      kept = end;
    }
    start = end + 1;
  }
  return kept === 0 ? path : route + path.slice(kept);
}

function isIdLike(path: string, start: number, end: number): boolean {
  if (end - start > MAX_SEGMENT) return true;
  if (isWord(path, start, end)) return false;
  const stop = withoutExtension(path, start, end);
  const length = stop - start;
  let digits = 0;
  let letters = 0;
  let hex = 0;
  let dashes = 0;
  let dateLetters = 0;
  let digitsInRow = 0;
  let turns = 0;
  let rises = 0;
  let previous = OTHER;
  for (let index = start; index < stop; index++) {
    const code = path.charCodeAt(index);
    if (code === PERCENT) {
      if (isEscapedAt(path, index) && index > start && index + 3 < stop) return true;
      index += 2;
      previous = OTHER;
      continue;
    }
    const classes = CLASSES[code] ?? OTHER;
    const current = classes & 3;
    if (classes & HEX) hex++;
    if (current === DIGIT) {
      digits++;
      digitsInRow = previous === DIGIT ? digitsInRow + 1 : 1;
      if (digitsInRow === 6) return true;
    } else if (current !== OTHER) {
      letters++;
      if (code === LETTER_T || code === LETTER_Z) dateLetters++;
    } else if (code === DASH) {
      dashes++;
    } else if (code === AT && index > start && index + 1 < stop) {
      return true;
    }
    if (current !== OTHER && previous !== OTHER && current !== previous) {
      if (current === DIGIT || previous === DIGIT) turns++;
      else if (current === UPPER) rises++;
    }
    previous = current;
  }
  if (digits === length) return length > 0;
  if (hex === length && length >= 8 && digits > 0) return true;
  if (hex + dashes === length && length >= 32 && digits > 0) return true;
  const first = path.charCodeAt(start);
  const startsWithDigit = CLASSES[first] === (DIGIT | HEX);
  if (startsWithDigit && digits >= 6 && letters === dateLetters) return true;
  const isUlid = first >= ZERO && first <= SEVEN && length === 26 && digits + letters === 26;
  return isUlid || isMixed(length, turns, rises);
}

// Most segments are: no id is without a digit, a capital, or a sign other than these.
function isWord(path: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = path.charCodeAt(index);
    if ((code < 97 || code > 122) && code !== DASH && code !== 95) return false;
  }
  return true;
}

// Words of a name turn from small letters to a capital once in about five characters, random tokens
// once in two.
function isMixed(length: number, turns: number, rises: number): boolean {
  if (length < 10) return false;
  if (turns >= 4) return true;
  return length >= 16 && (turns >= 3 || (turns + rises) * 10 >= length * 3);
}

function isEscapedAt(path: string, index: number): boolean {
  return path.charCodeAt(index + 1) === ZERO + 4 && path.charCodeAt(index + 2) === ZERO;
}

/** Where the segment ends, `.json` or the like left out. */
function withoutExtension(path: string, start: number, end: number): number {
  for (let index = end - 1; index > start && index >= end - MAX_EXTENSION - 1; index--) {
    const code = path.charCodeAt(index);
    if (code === DOT) return index === end - 1 ? end : index;
    if ((CLASSES[code]! & 3) === DIGIT || CLASSES[code] === OTHER) return end;
  }
  return end;
}
