import { afterEach, describe, expect, it, vi } from 'vitest';
import { absoluteUrl } from '../../src/adapter.ts';

afterEach(() => vi.unstubAllGlobals());

describe('a URL', () => {
  it('stays as it is where there is no page', () => {
    for (const url of ['https://api.example.com/a', '/a', 'http:/a', '', 'data:,hello']) {
      expect(absoluteUrl(url)).toBe(url);
    }
  });

  it('is relative to what is given where there is no page, unless it has a scheme', () => {
    expect(absoluteUrl('/a', 'http://localhost')).toBe('http://localhost/a');
    expect(absoluteUrl('a?b', 'http://localhost')).toBe('http://localhost/a?b');
    for (const url of ['https://api.example.com/a', 'http:/a', 'data:,hello']) {
      expect(absoluteUrl(url, 'http://localhost')).toBe(url);
    }
  });

  it.each([
    ['document', { baseURI: 'http://shop.example.com/cart/' }],
    ['location', { href: 'http://shop.example.com/cart/?item=7' }],
  ])('is relative to the %s', (name, value) => {
    vi.stubGlobal(name, value);

    expect(absoluteUrl('price', 'http://localhost')).toBe('http://shop.example.com/cart/price');
    expect(absoluteUrl('/price')).toBe('http://shop.example.com/price');
    expect(absoluteUrl('http:/price')).toBe('http://shop.example.com/price');
    expect(absoluteUrl('//api.example.com/')).toBe('http://api.example.com/');
    expect(absoluteUrl('https://api.example.com/%7e')).toBe('https://api.example.com/%7e');
  });

  it('that is none is a TypeError', () => {
    vi.stubGlobal('location', { href: 'http://shop.example.com/' });

    expect(() => absoluteUrl('http://')).not.toThrow();
    expect(() => absoluteUrl('//')).toThrow(TypeError);
  });
});
