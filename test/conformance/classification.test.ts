import { CircuitBreaker } from '@recloser/core';
import { describe, expect, it } from 'vitest';
import { toOptions } from './configuration.ts';
import { errorOfKind } from './error-kinds.ts';
import { type Configuration, type ErrorKind, readRecord } from './records.ts';

type Outcome = 'failure' | 'success' | 'ignored';

const { kinds, cases } = readRecord<{ kinds: ErrorKind[]; cases: [Configuration, Outcome[]][] }>(
  'classification.json',
);

/** The 720 cases by what their configurations set. */
const groups = new Map<string, typeof cases>();
for (const each of cases) {
  const name = Object.keys(each[0]).join(' and ') || 'nothing';
  groups.set(name, [...(groups.get(name) ?? []), each]);
}

function outcomeOf(breaker: CircuitBreaker, end: () => void): Outcome {
  breaker.reset();
  end();
  const metrics = breaker.metrics();
  if (metrics.numberOfBufferedCalls === 0) return 'ignored';
  return metrics.numberOfFailedCalls === 1 ? 'failure' : 'success';
}

describe('an error counts as recorded, with', () => {
  it.each([...groups])('%s', (_name, group) => {
    for (const [config, outcomes] of group) {
      const breaker = new CircuitBreaker('classification', toOptions(config));
      const actual = kinds.map((kind) =>
        outcomeOf(breaker, () => breaker.acquire().error(errorOfKind(kind))),
      );
      expect(actual, JSON.stringify(config)).toEqual(outcomes);
    }
  });

  it('all cases of the record', () => {
    expect(cases).toHaveLength(720);
    expect(kinds).toEqual(['net', 'timeout', 'readTimeout', 'app']);
    expect(cases.every(([, outcomes]) => outcomes.length === kinds.length)).toBe(true);
  });
});
