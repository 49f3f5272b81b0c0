// No chain of causes is longer, unless they are made anew at each look.
const DEEPEST = 10_000;

/**
 * The error and every `cause` below it that is an object. Ends where they go round in a circle, and
 * never throws.
 */
export function* causesOf(error: unknown): Iterable<object> {
  let current = error;
  let marked: unknown;
  for (let depth = 0; depth < DEEPEST; depth++) {
    if (typeof current !== 'object' || current === null || current === marked) return;
    yield current;
    // Marking at depths of a power of two meets any circle, and keeps no list.
    if ((depth & (depth + 1)) === 0) marked = current;
    try {
      current = (current as { cause?: unknown }).cause;
    } catch {
      return;
    }
  }
}
