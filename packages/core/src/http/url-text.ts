const SPACE = 32;

/** Of a URL's `protocol`. */
export function isHttp(protocol: string): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Where the path of a URL begins that spells scheme and slashes as they should be; else 0. */
export function authorityEnd(url: string): number {
  const start = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : 0;
  if (start === 0) return 0;
  const slash = url.indexOf('/', start);
  return slash > start && pathEnd(url, start) > slash ? slash : 0;
}

/** Where query or fragment begin, at or after `start`. */
export function pathEnd(text: string, start: number): number {
  const query = text.indexOf('?', start);
  const end = query === -1 ? text.length : query;
  const fragment = text.indexOf('#', start);
  return fragment === -1 || fragment > end ? end : fragment;
}

/** Without the white space at the end that a URL parser strips too. */
export function withoutLastSpace(url: string): string {
  let end = url.length;
  while (end > 0 && url.charCodeAt(end - 1) <= SPACE) end--;
  return end === url.length ? url : url.slice(0, end);
}

/**
 * The same text, by itself: a slice keeps the whole text alive that it was cut from, and is compared
 * with others four times as slowly as one that is whole in memory (test/bench/parts/keys.ts).
 */
export function detached(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}
