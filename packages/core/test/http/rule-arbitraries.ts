import fc from 'fast-check';
import { errorKinds } from '../../src/http/error-kind.ts';
import type { Ending, OutcomeRow } from '../../src/http/outcome-row.ts';
import type { OutcomeExample } from '../../src/index.ts';

// Few words, so that rows often meet each other and the endings.

const oneOrMore = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 3 }));

const status = fc.constantFrom(200, 404, 429, 500, 503, 700, '2xx', '4xx', '5xx', '400-503', 'any');
const errorWord = fc.constantFrom(
  'dns',
  'refused',
  'body',
  'cancel',
  'not-permitted',
  'any',
  'ECONNREFUSED',
  'EPIPE',
);
const methods = fc.constantFrom('GET', 'post', 'PUT');
const hostPatterns = fc.constantFrom(
  'api.example.com',
  '*.example.com',
  '*',
  '*:8443',
  'api.example.com:443',
  '[::1]',
);
const paths = fc.constantFrom(
  '/',
  '/*',
  '/users/:id',
  '/users/*',
  '/users/42',
  '/:a/:b',
  '/users/*/x',
  '/*/42',
);
const headerValues = fc.constantFrom('a', 'b', ' a', '5', '0');
const headers = fc.dictionary(
  fc.constantFrom('X-Mode', 'x-mode', 'Retry-After'),
  fc.oneof(fc.constant(true as const), oneOrMore(headerValues)),
  { minKeys: 1, maxKeys: 2 },
);

const names = fc.constantFrom('one', 'two');

function rowWith(when: fc.Arbitrary<() => boolean>, requiredKeys: [] | ['retryAfter']) {
  return fc.record(
    {
      name: names,
      status: oneOrMore(status),
      error: oneOrMore(errorWord),
      method: oneOrMore(methods),
      host: oneOrMore(hostPatterns),
      path: oneOrMore(paths),
      responseHeader: headers,
      retryAfter: fc.constant(true as const),
      slowerThan: fc.constantFrom(0, 50, 500),
      when,
    },
    { requiredKeys },
  );
}

const always = () => true;
const never = () => false;
const throws = () => {
  throw new Error('no answer');
};

/** Any row that `defineRules` takes, thinned out so that it often matches. */
export const anyRow: fc.Arbitrary<OutcomeRow> = fc
  .record({
    conditions: rowWith(fc.constantFrom(always, never, throws), []),
    keep: fc.array(
      fc.constantFrom(
        'name',
        'status',
        'error',
        'method',
        'host',
        'path',
        'responseHeader',
        'retryAfter',
        'slowerThan',
        'when',
      ),
      { maxLength: 4 },
    ),
    outcome: fc.constantFrom('success', 'failure', 'ignore', 'trip', 'hold'),
    domain: fc.constantFrom(undefined, 'host', 'endpoint'),
    holdFor: fc.constantFrom(undefined, 100),
  })
  .map(({ conditions, keep, outcome, domain, holdFor }) => {
    const row: Record<string, unknown> = { outcome, domain };
    for (const field of keep) row[field] = conditions[field as keyof typeof conditions];
    if (outcome === 'hold') row['holdFor'] = row['retryAfter'] === true ? holdFor : 100;
    return row as unknown as OutcomeRow;
  });

export const anyRows: fc.Arbitrary<OutcomeRow[]> = fc.array(anyRow, { maxLength: 6 });

const coded = (code: string): object => ({ code });

/** An example of an ending, as a person may write it. */
export const anyExample: fc.Arbitrary<OutcomeExample> = fc
  .record(
    {
      method: methods,
      place: fc.constantFrom<Partial<OutcomeExample>>(
        { url: 'https://api.example.com/users/42?q=1' },
        { url: 'http://api.example.com:8443/' },
        { host: 'x.y.example.com', path: '/users/42/x' },
        { host: 'http://[::1]', path: '/a' },
        { path: '/users' },
      ),
      status: fc.constantFrom(0, 200, 404, 408, 429, 500, 501, 503, 599, 700, 999),
      headers: fc.constantFrom(
        { 'x-mode': 'a' },
        { 'X-Mode': ' b ' },
        { 'retry-after': '5' },
        { 'Retry-After': '0', 'x-mode': 'c' },
        { 'retry-after': 'Mon, 30 Nov 2026 12:00:01 GMT' },
      ),
      error: fc.constantFrom<unknown>(
        ...errorKinds,
        'ECONNREFUSED',
        'AbortError',
        coded('EPIPE'),
        new TypeError('fetch failed', { cause: coded('ENOTFOUND') }),
        7,
      ),
      signal: fc.constantFrom(
        { aborted: false },
        { aborted: true },
        { aborted: true, reason: { name: 'TimeoutError' } },
      ),
      elapsed: fc.constantFrom(0, 50, 51, 501),
    },
    { requiredKeys: [] },
  )
  .filter(
    ({ status: code, error, signal }) =>
      code !== undefined || error !== undefined || signal?.aborted === true,
  )
  .map(({ place, ...rest }) => ({ ...rest, ...place, now: Date.UTC(2026, 10, 30, 12) }));

/** What an adapter may report. */
export const anyEnding: fc.Arbitrary<Ending> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    host: fc.constantFrom(
      'https://api.example.com',
      'https://api.example.com:8443',
      'http://api.example.com',
      'https://example.com',
      'https://x.y.example.com',
      'http://[::1]',
      'https://other.org',
    ),
    path: fc.constantFrom(
      '/',
      '/users',
      '/users/42',
      '/users/7',
      '/users/42/x',
      '/users/42/x/y',
      '/a/42',
      '/a',
    ),
    status: fc.constantFrom(
      undefined,
      0,
      100,
      200,
      204,
      404,
      408,
      429,
      450,
      500,
      503,
      504,
      599,
      700,
      999,
      1000,
    ),
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      fc.constantFrom(...errorKinds),
    ),
    code: fc.constantFrom(undefined, 'ECONNREFUSED', 'EPIPE', 'OTHER'),
    headers: fc.constantFrom(
      undefined,
      { 'x-mode': 'a' },
      { 'x-mode': 'b', 'retry-after': '5' },
      { 'x-mode': ' a ', 'retry-after': '0' },
      { 'retry-after': 'a' },
    ),
    elapsed: fc.constantFrom(0, 1, 50, 51, 501),
  })
  .map(({ kind, code, ...rest }) => ({
    ...rest,
    now: 0,
    ...(kind !== undefined && { kind, code }),
    // With neither it is an error without a kind.
    ...(kind === undefined && rest.status === undefined && { error: coded('EPIPE') }),
  }));
