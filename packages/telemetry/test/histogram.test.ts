import { expect, test } from 'vitest';
import { Histogram } from '../src/index.ts';

test('a value belongs to the first bucket whose bound it does not exceed', () => {
  const histogram = new Histogram([1, 5]);
  for (const ms of [0, 1, 1.5, 5, 5.1, 1000]) histogram.observe(ms);

  expect(histogram.counts).toEqual([2, 2, 2]);
  expect(histogram.count).toBe(6);
  expect(histogram.sum).toBeCloseTo(1012.6);
});

test('before anything is observed all is 0', () => {
  expect(new Histogram([1, 5])).toMatchObject({ counts: [0, 0, 0], count: 0, sum: 0 });
});
