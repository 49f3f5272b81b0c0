import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { committed, fileNames, source } from './records.ts';

describe('the committed copy of the record', () => {
  it('has the files of the source, and no other', () => {
    expect(fileNames(committed)).toEqual(fileNames(source));
    expect(fileNames(committed)).toHaveLength(21);
  });

  it.each(fileNames(source))('%s is the same byte for byte', (name) => {
    const copy = readFileSync(new URL(name, committed));
    expect(copy.equals(readFileSync(new URL(name, source)))).toBe(true);
  });
});
