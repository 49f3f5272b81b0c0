/** Is one word the other with letters in another order, as when two were swapped? */
export function hasSameLetters(one: string, other: string): boolean {
  return one.length === other.length && sorted(one) === sorted(other);
}

function sorted(word: string): string {
  return word.split('').toSorted().join('');
}
