import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerValue } from '../../src/http/header-value.ts';
import { parseRetryAfter } from '../../src/http/retry-after.ts';

const now = Date.UTC(2026, 10, 30, 12, 0, 0);

describe('Retry-After', () => {
  it.each<[value: unknown, span: number | undefined]>([
    ['120', 120_000],
    [' 120 ', 120_000],
    [120, 120_000],
    ['007', 7_000],
    ['0', 0],
    ['-1', undefined],
    [-1, undefined],
    ['+1', undefined],
    ['1.5', undefined],
    [1.5, undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['soon', undefined],
    ['120 s', undefined],
    ['', undefined],
    [NaN, undefined],
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ])('in seconds: %j', (value, span) => {
    expect(parseRetryAfter(value, now)).toBe(span);
  });

  it.each<[value: string, span: number | undefined]>([
    ['Mon, 30 Nov 2026 12:01:00 GMT', 60_000],
    ['Monday, 30-Nov-26 12:01:00 GMT', 60_000],
    ['Mon Nov 30 12:01:00 2026', 60_000],
    ['Tue Dec  1 12:00:00 2026', 86_400_000],
    ['mon, 30 nov 2026 12:01:00 gmt', 60_000],
    ['Mon, 30 Nov 2026 12:00:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Sun Nov  6 08:49:37 1994', 0],
    ['Thu, 31 Dec 2026 23:59:60 GMT', Date.UTC(2027, 0, 1) - now],
    ['Mon, 30 Nov 2026 12:01:00 UTC', undefined],
    ['Mon, 30 Nov 2026 12:01:00', undefined],
    ['Mon, 31 Nov 2026 12:01:00 GMT', undefined],
    ['Mon, 29 Feb 2027 12:01:00 GMT', undefined],
    ['Mon, 00 Nov 2026 12:01:00 GMT', undefined],
    ['Mon, 30 Nov 2026 24:00:00 GMT', undefined],
    ['Xxx, 30 Nov 2026 12:01:00 GMT', undefined],
    ['2026-11-30T12:01:00Z', undefined],
  ])('as a date: %s', (value, span) => {
    expect(parseRetryAfter(value, now)).toBe(span);
  });

  it('reads a year of two digits as no more than 50 years ahead', () => {
    expect(parseRetryAfter('Monday, 30-Nov-76 12:00:00 GMT', now)).toBeGreaterThan(0);
    expect(parseRetryAfter('Monday, 30-Nov-77 12:00:00 GMT', now)).toBe(0);
  });

  it.each<[value: unknown, span: number | undefined]>([
    ['1, 2', 2_000],
    [['3', '2'], 3_000],
    [['3', '2, 4'], 4_000],
    ['60, Mon, 30 Nov 2026 12:02:00 GMT', 120_000],
    ['Mon, 30 Nov 2026 12:02:00 GMT, Monday, 30-Nov-26 12:03:00 GMT', 180_000],
    ['5, soon', undefined],
    ['5,', undefined],
    [[5], undefined],
    [[], undefined],
  ])('sent more than once: %j', (value, span) => {
    expect(parseRetryAfter(value, now)).toBe(span);
  });

  it('finds no span in a date without a clock', () => {
    expect(parseRetryAfter('Mon, 30 Nov 2026 12:01:00 GMT', NaN)).toBeUndefined();
  });

  it('is undefined or a finite number from 0 for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d, .-]+$/)), (text) => {
        const span = parseRetryAfter(text, now) ?? 0;
        expect(Number.isFinite(span) && span >= 0).toBe(true);
      }),
    );
  });

  it('reads back every date that a server writes', () => {
    const year = 365 * 86_400;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 * year }), (seconds) => {
        const written = new Date(now + seconds * 1000).toUTCString();
        expect(parseRetryAfter(written, now)).toBe(seconds * 1000);
      }),
    );
  });
});

describe('headerValue', () => {
  it.each<[what: string, headers: unknown, value: string | undefined]>([
    ['Headers', new Headers({ 'Retry-After': '5' }), '5'],
    ['a Map', new Map([['retry-after', '5']]), '5'],
    ['a plain object', { 'retry-after': '5' }, '5'],
    ['another case', { 'RETRY-after': '5' }, '5'],
    ['a number', { 'retry-after': 5 }, '5'],
    ['a list', { 'retry-after': ['5', '6'] }, '5, 6'],
    ['a null prototype', Object.assign(Object.create(null), { 'Retry-After': '5' }), '5'],
    ['a header named get', { get: 'x', 'retry-after': '5' }, '5'],
    ['none', {}, undefined],
    ['none in Headers', new Headers(), undefined],
    ['an empty list', { 'retry-after': [] }, undefined],
    ['another type', { 'retry-after': {} }, undefined],
    ['a get that throws', { get: () => expect.unreachable() }, undefined],
    ['no headers', undefined, undefined],
    ['a string', 'retry-after', undefined],
  ])('reads %s', (_, headers, value) => {
    expect(headerValue(headers, 'Retry-After')).toBe(value);
  });

  it('finds no header in the prototype', () => {
    expect(headerValue({}, 'constructor')).toBeUndefined();
  });
});
