import fc from 'fast-check';
import { vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

/** How often each property is tried, by the file that states it. */
export const runs = {
  model: 4000,
  admission: 900,
  recovery: 900,
  counts: 900,
  permits: 900,
  moves: 600,
  reading: 900,
  time: 900,
} as const;

/** Set FC_SEED to the printed number to try the same cases again. */
const seed: number = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Tries a property as often as its file's entry in `runs` says, from the common seed. */
export function check<Values>(
  file: keyof typeof runs,
  values: fc.Arbitrary<Values>,
  property: (values: Values) => void,
): void {
  fc.assert(fc.property(values, property), { numRuns: runs[file], seed });
}

/** Each test file prints where it began. */
export function printSeed(file: keyof typeof runs): void {
  console.log(`breaker properties, ${file}: FC_SEED=${seed}`);
}
