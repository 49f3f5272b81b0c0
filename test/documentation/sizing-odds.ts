/** That so many events come up, or more, where as many as `expected` come up on the average. */
export function poissonAtLeast(events: number, expected: number): number {
  let term = Math.exp(-expected);
  let fewer = 0;
  for (let number = 0; number < events; number++) {
    fewer += term;
    term *= expected / (number + 1);
  }
  return 1 - fewer;
}

/** That of so many calls, each of which fails with probability `share`, so many fail, or more. */
export function binomialAtLeast(failures: number, calls: number, share: number): number {
  let sum = 0;
  for (let number = failures; number <= calls; number++) {
    sum += choose(calls, number) * share ** number * (1 - share) ** (calls - number);
  }
  return sum;
}

/** How many calls it takes on the average until so many in a row fail, by chance alone. */
export function callsUntilRow(failures: number, share: number): number {
  return (1 - share ** failures) / (share ** failures * (1 - share));
}

function choose(from: number, taken: number): number {
  let ways = 1;
  for (let number = 1; number <= taken; number++) ways *= (from - taken + number) / number;
  return ways;
}
