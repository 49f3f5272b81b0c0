import { describe, expect, it } from 'vitest';
import { states } from './configuration.ts';
import { complaint } from './probes.ts';
import { type RecordedState, readRecord } from './records.ts';

interface Row {
  setting: string;
  value: number | string;
  outcome: string;
}

const record = readRecord<{ settings: Row[]; combinations: { what: string }[] }>('validation.json');

/** The record's settings in milliseconds carry the unit in their names. */
const optionName = (setting: string): string => setting.replace(/Ms$/, '');

function toOptions({ setting, value }: Row): object {
  if (setting === 'transitionToStateAfterWaitDuration') {
    // Without a limit it would be an error of its own, see differences.ts.
    return { [setting]: states[value as RecordedState], maxWaitDurationInHalfOpenState: 10 };
  }
  return { [optionName(setting)]: value };
}

/** Accepted as "no limit" by the record and rejected here: a difference, see differences.ts. */
const between = (row: Row): boolean =>
  row.setting === 'maxWaitDurationInHalfOpenStateMs' && (row.value === 0.5 || row.value === -0.5);

describe('a setting that the record accepts', () => {
  it.each(record.settings.filter((row) => row.outcome === 'accepted' && !between(row)))(
    '$setting $value is accepted',
    (row) => {
      expect(complaint(toOptions(row))).toBeUndefined();
    },
  );
});

describe('a setting that the record rejects', () => {
  it.each(record.settings.filter((row) => row.outcome !== 'accepted'))(
    '$setting $value is an error that names option and value',
    (row) => {
      const value = String(
        typeof row.value === 'string' ? states[row.value as RecordedState] : row.value,
      );
      const thrown = complaint(toOptions(row));
      expect(thrown instanceof TypeError || thrown instanceof RangeError).toBe(true);
      expect(String(thrown)).toContain(optionName(row.setting));
      expect(String(thrown)).toContain(value);
    },
  );
});

describe('the table of settings', () => {
  it('has 54 rows and one combination, which differences.ts answers', () => {
    expect(record.settings).toHaveLength(54);
    expect(record.settings.filter(between)).toHaveLength(2);
    expect(record.combinations).toHaveLength(1);
  });
});
