import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestKeys } from '../../src/http/request-key.ts';

const keys = new RequestKeys({
  endpoints: ['/users/me', '/users/:id', '/files/*', '/users/:id/orders/:order'],
});
const ofUrl = (url: string, of = keys) => of.resolve({ method: 'GET', url });
const route = (path: string) => ofUrl(`https://api.example.com${path}`, new RequestKeys())?.route;

describe('a host key', () => {
  it.each([
    ['https://api.example.com/x', 'https://api.example.com'],
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com?x=1', 'https://api.example.com'],
    ['https://api.example.com#x/y', 'https://api.example.com'],
    ['HTTPS://API.Example.COM:443/x', 'https://api.example.com'],
    ['http://api.example.com:80/x', 'http://api.example.com'],
    ['http://api.example.com:443/x', 'http://api.example.com:443'],
    ['https://user:secret@api.example.com/x', 'https://api.example.com'],
    ['https://münchen.de/', 'https://xn--mnchen-3ya.de'],
    ['http://[0:0:0:0:0:0:0:1]:8080/', 'http://[::1]:8080'],
    ['http://0x7f.1/', 'http://127.0.0.1'],
    ['  http://h/x', 'http://h'],
    ['http:\\\\h\\x', 'http://h'],
    ['http:///h/x', 'http://h'],
  ])('of %s is %s', (url, host) => {
    expect(ofUrl(url)?.host).toBe(host);
  });

  it.each([
    '',
    'nonsense',
    '/relative',
    'http://',
    'http://h:99999/',
    'http://h /x',
    'data:text/plain,x',
    'blob:http://h/1234',
    'about:blank',
    'file:///etc/hosts',
    'ws://h/',
    `http://${'a'.repeat(300)}/`,
  ])('is there for nothing that goes over HTTP: %s', (url) => {
    expect(ofUrl(url)).toBeUndefined();
    expect(keys.resolve({ method: 'GET', origin: url, path: '/' })).toBeUndefined();
  });

  it.each([undefined, null, 7, {}, { url: null }, { url: 7 }, { origin: {}, path: '/' }])(
    'is there for no request that is none, and nothing is thrown (%j)',
    (request) => {
      const hostile = typeof request === 'object' ? { method: 'GET', ...request } : request;
      expect(keys.resolve(hostile as never)).toBeUndefined();
    },
  );

  it('throws nothing where a request does', () => {
    const hostile = { method: 'GET', get url(): string { throw new Error('no'); } }; // prettier-ignore
    expect(keys.resolve(hostile)).toBeUndefined();
  });
});

describe('the method', () => {
  it.each([
    ['get', 'GET'],
    ['PATCH', 'PATCH'],
    ['m-search', 'M-SEARCH'],
    ['x'.repeat(100), 'X'.repeat(32)],
  ])('%s is %s', (method, name) => {
    expect(keys.resolve({ method, url: 'http://h/' })?.method).toBe(name);
  });

  it.each(['', 'GET /', 'GE\nT', 'é'])('%j is none', (method) => {
    expect(keys.resolve({ method, url: 'http://h/' })).toBeUndefined();
  });
});

describe('an endpoint key', () => {
  it('is method, host and route', () => {
    expect(ofUrl('https://api.example.com/users/42?expand=all#top')).toEqual({
      method: 'GET',
      host: 'https://api.example.com',
      path: '/users/42',
      route: '/users/:id',
      endpoint: 'GET https://api.example.com/users/:id',
    });
  });

  it('is the same from an origin with a path, a URL and a URL object', () => {
    const url = 'https://api.example.com:8443/a/42?b#c';
    const expected = ofUrl(url);
    const path = '/a/42?b';
    for (const origin of [
      'https://api.example.com:8443/',
      new URL('https://API.example.com:8443'),
    ]) {
      expect(keys.resolve({ method: 'GET', origin, path })).toEqual(expected);
    }
    expect(keys.resolve({ method: 'GET', url: new URL(url) })).toEqual(expected);
  });

  it.each([
    ['a whole URL, as to a proxy', 'http://h/a', 'GET http://h/a'],
    ['no slash', 'a', 'GET http://proxy/a'],
    ['nothing', '', 'GET http://proxy/'],
    ['a query only', '?x', 'GET http://proxy/'],
    ['an asterisk', '*', 'GET http://proxy/*'],
  ])('of a path that is %s', (_, path, endpoint) => {
    expect(keys.resolve({ method: 'GET', origin: 'http://proxy', path })?.endpoint).toBe(endpoint);
  });

  it('takes the first template that matches', () => {
    expect(ofUrl('http://h/users/me')?.route).toBe('/users/me');
    expect(ofUrl('http://h/users/you')?.route).toBe('/users/:id');
    expect(ofUrl('http://h/users/7/orders/8')?.route).toBe('/users/:id/orders/:order');
    expect(ofUrl('http://h/files/a/b/c')?.route).toBe('/files/*');
    expect(ofUrl('http://h/other/9')?.route).toBe('/other/:id');
  });

  it.each([
    ['/a/', '/a'],
    ['/a//', '/a'],
    ['/a//b', '/a//b'],
    ['//', '/'],
    ['/a/./b/../c', '/a/c'],
    ['/a/%2e%2e/c', '/c'],
    ['/%c3%a9', '/%C3%A9'],
    ['/é', '/%C3%A9'],
    ['/a%2fb', '/a%2Fb'],
    ['/a\\b', '/a/b'],
    ['/a b', '/a%20b'],
    ['/a ?x', '/a%20'],
    ['/a ', '/a'],
    ['/a\tb', '/ab'],
    ['/.well-known/x', '/.well-known/x'],
    ['/A', '/A'],
  ])('has one route for %j and %s', (path, canonical) => {
    expect(route(path)).toBe(canonical);
  });

  it('is the same object for a URL seen lately', () => {
    expect(ofUrl('http://h/users/1?a')).toBe(ofUrl('http://h/users/1?b'));
  });

  it('is the same however often a URL was seen, by each method, and with spaces and fragments', () => {
    const requestKeys = new RequestKeys();
    const of = (method: string, url: string) => requestKeys.resolve({ method, url });
    const first = of('GET', 'http://h/users/1');
    for (let seen = 0; seen < 4; seen++) {
      expect(of('GET', 'http://h/users/1')).toBe(first);
      expect(of('POST', 'http://h/users/1')?.endpoint).toBe('POST http://h/users/:id');
      expect(of('GET', 'http://h/users/1 ')).toBe(first);
      expect(of('GET', 'http://h/users/1#top')).toBe(first);
      expect(of('GET', 'http://h/users/1?a')).toBe(first);
      expect(of('no token', 'http://h/users/1')).toBeUndefined();
    }
  });
});

describe('folding', () => {
  it.each([
    '42',
    '0',
    '123e4567-e89b-12d3-a456-426614174000',
    '123E4567-E89B-12D3-A456-426614174000',
    '00000000-0000-0000-0000-000000000000',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '507f1f77bcf86cd799439011',
    'a1b2c3d4',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'cus_9s6XKzkNRiz8i3',
    'V1StGXR8_Z5jdHi6B-myT',
    'cjld2cjxh0000qzrmn831i7rn',
    'dQw4w9WgXcQ',
    'order-1234567',
    'joe@example.com',
    'joe%40example.com',
    '2024-01-31',
    '20240131',
    '2024-01-31T10:00:00Z',
    '42.json',
    '507f1f77bcf86cd799439011.pdf',
    'x'.repeat(65),
  ])('folds %s', (segment) => {
    expect(route(`/things/${segment}`)).toBe('/things/:id');
    expect(route(`/things/${segment}/parts`)).toBe('/things/:id/parts');
  });

  it.each([
    'users',
    'v1',
    'v1.2',
    'v1beta1',
    'oauth2',
    'sha256',
    'ipv4-addresses',
    'getUserProfileById',
    'top-10-articles-of-2023',
    'search_all',
    'feedback',
    'decade',
    '@scope',
    'jquery-3.6.0.min.js',
    'annual%20report%202023',
    'favicon.ico',
  ])('keeps %s', (segment) => {
    expect(route(`/${segment}/parts`)).toBe(`/${segment}/parts`);
  });

  it('cuts what is long or deep', () => {
    expect(route('/a'.repeat(40))).toBe(`${'/a'.repeat(16)}/*`);
    expect(route(`/${'segment-of-words-that-goes-on-and-on/'.repeat(10)}`)).toMatch(/\/\*$/);
  });

  it('folds every UUID and ULID', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.ulid()), (id) => {
        expect(route(`/things/${id}`)).toBe('/things/:id');
      }),
    );
  });
});

describe('keys of any URL', () => {
  const url = fc.webUrl({
    validSchemes: ['http', 'https'],
    withQueryParameters: true,
    withFragments: true,
    authoritySettings: { withUserInfo: true, withPort: true, withIPv4: true, withIPv6: true },
    size: 'large',
  });

  it('are equal for URLs that are equal by the standard', () => {
    fc.assert(
      fc.property(url, (text) => {
        const parsed = URL.parse(text);
        if (parsed === null) return;
        const { href, origin, pathname } = parsed;
        const key = ofUrl(text, new RequestKeys());
        expect(ofUrl(href, new RequestKeys())).toEqual(key);
        expect(ofUrl(`\n${text}`, new RequestKeys())).toEqual(key);
        expect(new RequestKeys().resolve({ method: 'GET', origin, path: pathname })).toEqual(key);
        expect(key?.host).toBe(origin.length > 270 ? undefined : origin);
      }),
    );
  });

  it('are bounded, printable, and show neither query nor fragment nor credentials', () => {
    const text = fc.string({ unit: 'binary', size: 'large' });
    fc.assert(
      fc.property(
        fc.oneof(
          url,
          text.map((path) => `http://h/${path}`),
        ),
        (base) => {
          const secret = base.replace('://', '://us3r:s3cret@').replace(/[?#].*$/s, '');
          const endpoint = ofUrl(`${secret}?qu3ry=1#fr4gment`)?.endpoint ?? '';
          expect(endpoint.length).toBeLessThan(600);
          expect(endpoint).toMatch(/^[!-~]* ?[!-~]*$/);
          expect(endpoint).not.toMatch(/us3r|s3cret|qu3ry|fr4gment|[?#]/);
        },
      ),
    );
  });

  it('are the same whatever was asked before', () => {
    const worn = new RequestKeys({ endpoints: ['/users/:id'] });
    for (let index = 0; index < 10_000; index++) {
      ofUrl(`http://h${index % 1000}/users/${index}`, worn);
      ofUrl(`http://h/flood${index}/x`, worn);
    }
    fc.assert(
      fc.property(url, (text) => {
        const fresh = new RequestKeys({ endpoints: ['/users/:id'] });
        expect(ofUrl(text, worn)).toEqual(ofUrl(text, fresh));
      }),
    );
  });
});

describe('endpoints', () => {
  it('must be a list of templates', () => {
    expect(() => new RequestKeys({ endpoints: '/a' as never })).toThrow(
      new TypeError("endpoints must be a list of templates, but is '/a'"),
    );
    expect(() => new RequestKeys({ endpoints: ['/a', 'b'] })).toThrow(
      new RangeError("endpoints[1] must begin with '/', but is 'b'"),
    );
  });
});
