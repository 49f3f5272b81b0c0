import type { CircuitBreakerOptions } from '@recloser/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complaint, waitsInOpen } from './probes.ts';
import { readRecord } from './records.ts';

type Wait = NonNullable<CircuitBreakerOptions['waitDurationInOpenState']>;

interface RecordedFunction {
  kind: string;
  intervalMs?: number;
  initialMs?: number;
  multiplier?: number;
  maxMs?: number;
  ms: number[];
}

interface Intervals {
  attempts: number[];
  functions: RecordedFunction[];
  randomizedRange: { intervalMs: number; factor: number; leastSeen: number; mostSeen: number }[];
  rejected: { what: string; outcome: string; when: string }[];
}

const record = readRecord<Intervals>('intervals.json');

function toWait(recorded: RecordedFunction): Wait {
  const { initialMs: initial = 0, intervalMs = 0, multiplier = 0, maxMs: max } = recorded;
  switch (recorded.kind) {
    case 'defaults':
      return 500;
    case 'fixed':
      return intervalMs;
    case 'exponential':
      return max === undefined ? { initial, multiplier } : { initial, multiplier, max };
    case 'custom step':
      return (openings) => initial + 50 * (openings - 1);
    case 'randomized with factor 0':
      return { initial: intervalMs, multiplier: 1, randomizationFactor: 0 };
    default:
      throw new Error(`a kind of interval without a translation: ${recorded.kind}`);
  }
}

describe('the wait in open by the number of openings in a row', () => {
  it.each(
    record.functions.map(
      (recorded) => [JSON.stringify({ ...recorded, ms: undefined }), recorded] as const,
    ),
  )('%s', (_name, recorded) => {
    const attempts = record.attempts.slice(0, recorded.ms.length);
    const waits = waitsInOpen(toWait(recorded), Math.max(...attempts));
    expect(attempts.map((attempt) => waits[attempt - 1])).toEqual(recorded.ms);
  });

  it('asks a function for 1, 2, 3 and so on, never for less', () => {
    const asked: number[] = [];
    waitsInOpen((openings) => asked.push(openings), 4);
    expect(new Set(asked)).toEqual(new Set([1, 2, 3, 4]));
  });
});

describe('a randomized wait', () => {
  it.each(record.randomizedRange)(
    'of $intervalMs ms and factor $factor stays in the recorded range, and fills it',
    (range) => {
      const wait: Wait = {
        initial: range.intervalMs,
        multiplier: 1,
        randomizationFactor: range.factor,
      };
      const waits = waitsInOpen(wait, 4000);
      const edge = (range.mostSeen - range.leastSeen) / 20;
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(range.leastSeen);
      expect(Math.max(...waits)).toBeLessThanOrEqual(range.mostSeen);
      expect(Math.min(...waits)).toBeLessThanOrEqual(range.leastSeen + edge);
      expect(Math.max(...waits)).toBeGreaterThanOrEqual(range.mostSeen - edge);
      expect(waits.every(Number.isInteger)).toBe(true);
    },
  );

  it('is a whole number of ms, at least 1, within its factor of the capped wait', () => {
    const settings = fc.record({
      initial: fc.integer({ min: 1, max: 100_000 }),
      multiplier: fc.double({ min: 1, max: 4, noNaN: true }),
      max: fc.integer({ min: 1, max: 200_000 }),
      factor: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(settings, ({ initial, multiplier, max, factor }) => {
        const plain = waitsInOpen({ initial, multiplier, max }, 6);
        const spread = waitsInOpen({ initial, multiplier, max, randomizationFactor: factor }, 6);
        for (const [index, wait] of spread.entries()) {
          const middle = plain[index] as number;
          expect(Number.isInteger(wait)).toBe(true);
          expect(wait).toBeGreaterThanOrEqual(Math.max(1, Math.floor(middle * (1 - factor))));
          expect(wait).toBeLessThan(middle * (1 + factor) + 1);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a wait that the record rejects', () => {
  /** The rest of the rejected rows asks a function for attempt 0 or -1: see "asks a function for 1, 2, 3". */
  const settings: Record<string, Wait> = {
    'fixed interval 0': 0,
    'fixed interval -1': -1,
    'fixed interval 0.5 ms': 0.5,
    'exponential initial 0, no cap': { initial: 0 },
    'exponential initial 0, with a cap': { initial: 0, max: 10 },
    'exponential with cap 0': { initial: 10, max: 0 },
    'exponential with multiplier 0.5': { initial: 100, multiplier: 0.5 },
    'randomized with factor -0.1': { initial: 100, randomizationFactor: -0.1 },
    'randomized with factor 1.1': { initial: 100, randomizationFactor: 1.1 },
  };
  const rows = record.rejected.filter((row) => !row.what.includes('asked for attempt'));
  // A difference, see differences.ts: the record takes it when made, and throws when used.
  const earlier = 'exponential initial 0, with a cap';

  it.each(rows.filter((row) => row.what !== earlier))('$what: $outcome', ({ what, outcome }) => {
    const thrown = complaint({ waitDurationInOpenState: settings[what] });
    if (outcome === 'accepted') expect(thrown).toBeUndefined();
    else expect(String(thrown)).toMatch(/^(Type|Range)Error: .*waitDurationInOpenState/);
  });

  it('is each one of the table', () => {
    expect(rows.map((row) => row.what).sort()).toEqual(Object.keys(settings).sort());
  });
});
