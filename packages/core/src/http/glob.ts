/**
 * Does a text match a pattern, in which `*` stands for any text? In time that grows with both
 * lengths, whatever they hold.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let afterStar = 0;
  let position = 0;
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      afterStar = position;
    } else if (at < pattern.length && pattern[at] === text[position]) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++afterStar;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
