import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differences } from './differences.ts';

const page = new URL('../../../shared/design/breaker.md', import.meta.url);

describe('a documented difference from Resilience4j', () => {
  it.each(differences)('$name', ({ holds }) => holds());

  it('is asked for by the design, word for word, where the design stands beside the repository', () => {
    const text = existsSync(page) ? readFileSync(page, 'utf8') : undefined;
    const unfounded = differences.filter(
      ({ specified }) => text !== undefined && !text.includes(specified),
    );
    expect(unfounded.map(({ name }) => name)).toEqual([]);
  });
});
