import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withCosts } from '../bench/cost-table.ts';

test('the front page says what it costs as the benchmarks measured it', () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const results = readFileSync(new URL('../bench/results.md', import.meta.url), 'utf8');

  expect(page).toBe(withCosts(page, results));
});
