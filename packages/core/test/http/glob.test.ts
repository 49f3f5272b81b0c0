import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/http/glob.ts';

describe('a pattern', () => {
  it.each([
    ['*', '', true],
    ['*', 'GET https://api.example.com/users/:id', true],
    ['', '', true],
    ['', 'a', false],
    ['https://api.example.com', 'https://api.example.com', true],
    ['https://api.example.com', 'https://api.example.com/', false],
    ['https://*.example.com', 'https://api.example.com', true],
    ['https://*.example.com', 'https://example.com', false],
    ['GET *', 'GET https://api.example.com/', true],
    ['GET *', 'POST https://api.example.com/', false],
    ['*/users/*', 'GET https://api.example.com/users/:id', true],
    ['*a*b', 'xaxbxb', true],
    ['*a*b', 'xaxbxc', false],
    ['a.c', 'abc', false],
  ])('%j of %j: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('agrees with the regular expression that says the same', () => {
    const letters = (unit: string) =>
      fc.string({ unit: fc.constantFrom(...Array.from(unit)), maxLength: 8 });
    fc.assert(
      fc.property(letters('ab*'), letters('ab'), (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(matchesGlob(pattern, text)).toBe(expression.test(text));
      }),
    );
  });

  it('of many stars ends on a long text that does not match', () => {
    expect(matchesGlob('*a'.repeat(200), 'a'.repeat(5000) + 'b')).toBe(false);
  });
});
