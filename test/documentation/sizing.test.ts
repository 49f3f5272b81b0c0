import { readFileSync } from 'node:fs';
import { httpDefaults, type GrowingWait } from '@recloser/core';
import { format } from 'prettier';
import { describe, expect, test } from 'vitest';
import { binomialAtLeast, callsUntilRow, poissonAtLeast } from './sizing-odds.ts';
import {
  crossingTable,
  halfTable,
  rowTable,
  simulatedCrossings,
  simulatedTable,
} from './sizing-tables.ts';

const page = readFileSync(new URL('../../packages/core/docs/sizing.md', import.meta.url), 'utf8');
const tables = page.match(/(^\|.*\n)+/gm);

/** To so many digits, as a text has it. */
function about(number: number, digits: number): string {
  return Number(number.toPrecision(digits)).toLocaleString('en');
}

describe('a table of the page on sizing', () => {
  test.each([
    ['when an outage is found', () => simulatedTable('found after')],
    ['what it takes to find it', () => simulatedTable('calls until then')],
    ['when it is over', () => simulatedTable('closed again after')],
    ['where count and rate cross', crossingTable],
    ['how often half of the calls fail', halfTable],
    ['how often a row comes up', rowTable],
  ])('says %s, as the simulation and the arithmetic do', async (_, table) => {
    expect(tables).toContain(await format(table(), { parser: 'markdown' }));
  });

  test('has the odds of a count that the simulation has', () => {
    expect(simulatedCrossings()).toHaveLength(16);
    for (const [count, ofCritical, odds] of simulatedCrossings()) {
      const percent = 100 * poissonAtLeast(count, count * ofCritical);
      expect(odds).toBe(`${percent.toFixed(percent < 9.95 ? 1 : 0)} %`);
    }
  });
});

describe('the odds', () => {
  test('of many calls that rarely fail are those of Poisson', () => {
    expect(binomialAtLeast(5, 1000, 0.002)).toBeCloseTo(poissonAtLeast(5, 2), 3);
  });

  test('of a row are those of tossing a coin', () => {
    // Heads twice in a row: six tosses, on the average.
    expect(callsUntilRow(2, 0.5)).toBe(6);
  });
});

describe('the page on sizing', () => {
  const row = callsUntilRow(10, 0.3);

  test.each([
    [`/ (0.0000059 × 0.7) = ${about(row, 3)} calls`],
    [`one false opening in ${about(row / 10 / 3600, 2)} hours`],
    [`A run of 5 would come up every ${about(callsUntilRow(5, 0.3), 2)} calls`],
    [
      `30 % of 200 calls fail by chance once in ${about(1 / binomialAtLeast(60, 200, 0.2), 1)} looks`,
    ],
    [`half of 5 calls fail by chance in one look of ${about(1 / binomialAtLeast(3, 5, 0.1), 2)}`],
    [`The default waits are ${defaultWaits(5).join(', ')}, … seconds`],
    [`\`slowCallRateThreshold\` is ${httpDefaults.slowCallRateThreshold} for endpoints`],
    [`${httpDefaults.minimumNumberOfCalls} is the default because`],
    [
      `costs its \`consecutiveFailureThreshold\`, ${httpDefaults.consecutiveFailureThreshold} calls`,
    ],
  ])('says “%s”, as it is', (words) => {
    expect(page).toContain(words);
  });
});

function defaultWaits(number: number): number[] {
  const { initial, multiplier, max } =
    httpDefaults.waitDurationInOpenState as Required<GrowingWait>;
  return Array.from(
    { length: number },
    (_, at) => Math.min(initial * multiplier ** at, max) / 1000,
  );
}
