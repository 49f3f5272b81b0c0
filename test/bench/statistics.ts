export function median(values: readonly number[]): number {
  const inOrder = values.toSorted((left, right) => left - right);
  const middle = inOrder.length / 2;
  return (inOrder[Math.floor(middle)]! + inOrder[Math.ceil(middle) - 1]!) / 2;
}

function anyOf<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)]!;
}

/**
 * The median over all rounds, and the interval that holds it with 95 % confidence. Values of one
 * round come of one process and resemble each other, so rounds are drawn first and values of each
 * round then.
 */
export function medianWithInterval(rounds: readonly (readonly number[])[]): {
  readonly median: number;
  readonly least: number;
  readonly most: number;
} {
  const draws = Array.from({ length: 2000 }, () =>
    median(rounds.map(() => anyOf(rounds)).flatMap((values) => values.map(() => anyOf(values)))),
  ).toSorted((left, right) => left - right);
  return {
    median: median(rounds.flat()),
    least: draws[Math.floor(draws.length * 0.025)]!,
    most: draws[Math.floor(draws.length * 0.975)]!,
  };
}
