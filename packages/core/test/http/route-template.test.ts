import { describe, expect, it } from 'vitest';
import { RouteTemplate } from '../../src/http/route-template.ts';

describe('a route template', () => {
  it.each<[template: string, matched: string[], others: string[]]>([
    ['/', ['/'], ['/a']],
    ['/users', ['/users'], ['/', '/users/1', '/users2', '/Users', '/user']],
    ['/users/:id', ['/users/1', '/users/me'], ['/users', '/users/1/x', '/other/1']],
    ['/users/:id/orders', ['/users/1/orders'], ['/users/1', '/users/1/orders/2', '/users//orders']],
    ['/:a/:b', ['/x/y'], ['/', '/x', '/x/y/z']],
    ['/files/*', ['/files/a', '/files/a/b'], ['/files', '/filesystem/a']],
    ['/a/*/b', ['/a/x/b'], ['/a/b', '/a/x/y/b']],
    ['/users/:id/*', ['/users/1/a/b'], ['/users/1', '/users']],
    ['/*', ['/', '/a', '/a/b'], []],
    ['/docs:batch', ['/docs:batch'], ['/docs1']],
    ['/users/', ['/users'], []],
    ['/caf%c3%a9/./x', ['/caf%C3%A9/x'], ['/café/x']],
  ])('%s', (text, matched, others) => {
    const template = new RouteTemplate(text, 'path');
    for (const path of matched) expect([path, template.matches(path)]).toEqual([path, true]);
    for (const path of others) expect([path, template.matches(path)]).toEqual([path, false]);
  });

  it.each<[template: unknown, error: ErrorConstructor, message: RegExp]>([
    [7, TypeError, /endpoints\[0\] must be a string like '\/users\/:id', but is 7/],
    ['users/:id', RangeError, /endpoints\[0\] must begin with '\/', but is 'users\/:id'/],
    ['', RangeError, /must begin with '\/'/],
    ['/a?b', RangeError, /no query and no fragment/],
    ['/a#b', RangeError, /no query and no fragment/],
    ['/a/*.png', RangeError, /only as a whole segment/],
    ['/a/**', RangeError, /only as a whole segment/],
    ['/:', RangeError, /only a name after ':'/],
    ['/:id.json', RangeError, /only a name after ':'/],
    ['/:id(\\d+)', RangeError, /only a name after ':'/],
    ['/users/{id}', RangeError, /':id' where others write '{id}'/],
  ])('%j is none', (text, error, message) => {
    const make = () => new RouteTemplate(text, 'endpoints[0]');
    expect(make).toThrow(error);
    expect(make).toThrow(message);
  });
});
