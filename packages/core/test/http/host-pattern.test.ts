import { describe, expect, it } from 'vitest';
import { hostPattern } from '../../src/http/host-pattern.ts';

describe('a host pattern', () => {
  it.each<[pattern: string, matched: string[], others: string[]]>([
    [
      'api.example.com',
      ['https://api.example.com', 'http://api.example.com:8080', 'api.example.com'],
      ['https://x.api.example.com', 'https://example.com', 'https://api.example.com.evil.org'],
    ],
    ['API.Example.com', ['https://api.example.com'], []],
    ['api.example.com:8443', ['https://api.example.com:8443'], ['https://api.example.com']],
    ['api.example.com:443', ['https://api.example.com'], ['http://api.example.com']],
    ['api.example.com:80', ['http://api.example.com'], ['https://api.example.com']],
    [
      '*.example.com',
      ['https://api.example.com', 'https://a.b.example.com:1'],
      ['https://example.com', 'https://badexample.com'],
    ],
    ['*.example.com:81', ['http://a.example.com:81'], ['http://a.example.com']],
    ['*', ['https://api.example.com', 'http://[::1]:8080'], []],
    ['*:8080', ['http://[::1]:8080'], ['http://[::1]']],
    ['münchen.de', ['https://xn--mnchen-3ya.de'], []],
    ['[0:0::1]', ['http://[::1]', 'http://[::1]:8080'], ['http://[::2]']],
    ['[::1]:8080', ['http://[::1]:8080'], ['http://[::1]']],
    ['127.0.0.1', ['http://127.0.0.1:3000'], []],
  ])('%s', (pattern, matched, others) => {
    const matches = hostPattern(pattern, 'host');
    for (const host of matched) expect([host, matches(host)]).toEqual([host, true]);
    for (const host of others) expect([host, matches(host)]).toEqual([host, false]);
  });

  it.each([
    ['', RangeError],
    ['https://api.example.com', RangeError],
    ['api.example.com/', RangeError],
    ['user@api.example.com', RangeError],
    ['api.*.com', RangeError],
    ['**', RangeError],
    ['*.', RangeError],
    ['api.example.com:99999', RangeError],
    ['api.example.com:', RangeError],
    ['api.example.com:80:90', RangeError],
    ['[::1]:80:90', RangeError],
    ['a b', RangeError],
    [7, TypeError],
  ])('%j is none', (pattern, error) => {
    const make = () => hostPattern(pattern, 'rules[0]: host');
    expect(make).toThrow(error);
    expect(make).toThrow(/^rules\[0\]: host must be/);
  });
});
