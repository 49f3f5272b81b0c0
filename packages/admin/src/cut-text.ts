const MOST_CHARACTERS = 500;

/** The text, or its beginning, without half of a character at the end. */
export function cutText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(MOST_CHARACTERS - 1));
  return text.slice(0, isHalf ? MOST_CHARACTERS - 1 : MOST_CHARACTERS);
}
