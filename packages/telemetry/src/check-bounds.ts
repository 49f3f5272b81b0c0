import { shown } from '@recloser/core/adapter';

/**
 * Upper bounds of a histogram: finite numbers above 0 that ascend, one at the least.
 * @throws TypeError or RangeError that begins with `what`
 */
export function checkBounds(what: string, bounds: unknown): readonly number[] {
  if (!Array.isArray(bounds) || bounds.length === 0) {
    throw new TypeError(
      `${what} must be a list of numbers that is not empty, but is ${shown(bounds)}`,
    );
  }
  let before = 0;
  for (const bound of bounds as readonly unknown[]) {
    if (typeof bound !== 'number') {
      throw new TypeError(`${what} must hold numbers, but holds ${shown(bound)}`);
    }
    if (!Number.isFinite(bound) || bound <= before) {
      throw new RangeError(
        `${what} must hold finite numbers above 0 that ascend, but has ${bound} after ${before}`,
      );
    }
    before = bound;
  }
  return bounds as readonly number[];
}
