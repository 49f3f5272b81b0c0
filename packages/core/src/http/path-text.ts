// Characters that a URL's path keeps as they are. An escape, a dot (it may begin a dot segment), a
// backslash, and what the standard strips or escapes are not among them.
const PLAIN = new Uint8Array(128);
for (const character of "/-_~!$&'()*+,;=:@") PLAIN[character.charCodeAt(0)] = 1;
for (let code = 48; code <= 57; code++) PLAIN[code] = 1;
for (let code = 65; code <= 90; code++) PLAIN[code] = PLAIN[code + 32] = 1;

const SLASH = 47;
const DOT = 46;

/**
 * One text for all paths that are the same: dot segments resolved, escapes in upper case, no slash
 * at the end (but for the root). `path` is what stands between the host and `?` or `#`.
 */
export function canonicalPath(path: string): string {
  if (isPlain(path)) return withoutLastSlash(path);
  const absolute = path.charCodeAt(0) === SLASH ? path : `/${path}`;
  // The question mark keeps white space at the end, which the parser would strip.
  return canonicalPathname(new URL(`http://host${absolute}?`).pathname);
}

/** The same for the `pathname` of a parsed URL. */
export function canonicalPathname(pathname: string): string {
  const path = pathname.includes('%')
    ? pathname.replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase())
    : pathname;
  return withoutLastSlash(path);
}

function isPlain(path: string): boolean {
  if (path.charCodeAt(0) !== SLASH) return false;
  let previous = 0;
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    if (code === DOT ? previous === SLASH : PLAIN[code] !== 1) return false;
    previous = code;
  }
  return true;
}

function withoutLastSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
  return end === path.length ? path : path.slice(0, end);
}
