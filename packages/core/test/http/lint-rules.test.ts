import { constants } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../src/http/error-kind.ts';
import type { Ending, OutcomeRow } from '../../src/http/outcome-row.ts';
import { compileRules } from '../../src/http/outcome-rules.ts';
import {
  abandonedAfter,
  clientErrorsIgnored,
  defineRules,
  honestRetryAfter,
  lintRules,
  sharedCredentials,
  standardRules,
} from '../../src/index.ts';
import { anyEnding, anyRow } from './rule-arbitraries.ts';

type Conditions = Partial<OutcomeRow>;

const failing = (conditions: Conditions): OutcomeRow => ({ outcome: 'failure', ...conditions });

/** `kind message` of each finding. */
function findings(rows: readonly unknown[], standard = true): string[] {
  const found = lintRules({ rows: rows as OutcomeRow[], standard });
  return found.map(({ kind, message }) => `${kind} ${message}`);
}

/** Is the last of these rows reported as one that never decides? */
function isUnreachable(...conditions: Conditions[]): boolean {
  const rows = conditions.map((row, index) => ({
    outcome: index < conditions.length - 1 ? 'ignore' : 'trip',
    ...row,
  }));
  return lintRules(rows as OutcomeRow[]).some(
    ({ row, kind }) => row === rows.length - 1 && /unreachable|contradiction/.test(kind),
  );
}

describe('a table without fault', () => {
  it.each<[string, readonly OutcomeRow[]]>([
    ['no rows of its own', []],
    [
      'the named row sets',
      [...sharedCredentials, ...honestRetryAfter, ...abandonedAfter(5000), ...clientErrorsIgnored],
    ],
    [
      'the example of the documentation',
      [
        {
          name: 'search is allowed to be missing',
          method: 'GET',
          path: '/search/*',
          status: 404,
          outcome: 'success',
        },
        { name: 'wait when told to', status: [429, 503], retryAfter: true, outcome: 'hold' },
        { name: 'our one API key is bad', status: 401, outcome: 'trip', domain: 'host' },
        {
          name: 'their payload bug',
          method: 'POST',
          path: '/import',
          status: 500,
          outcome: 'ignore',
        },
      ],
    ],
    [
      'one that takes the place of every standard row',
      [
        { error: 'any', outcome: 'failure' },
        { status: 'any', outcome: 'success' },
      ],
    ],
  ])('has no findings: %s', (_, rows) => {
    expect(lintRules(rows)).toEqual([]);
    expect(lintRules(defineRules(rows))).toEqual([]);
    expect(lintRules(JSON.parse(JSON.stringify(defineRules(rows))))).toEqual([]);
  });

  it('may be the standard rows themselves', () => {
    expect(lintRules({ rows: standardRules, standard: false })).toEqual([]);
  });
});

describe('a row that never decides', () => {
  it.each<Conditions[]>([
    [{}, { status: 500 }],
    [{}, { error: 'dns' }],
    [{}, {}],
    [{ status: '5xx' }, { status: 503 }],
    [{ status: '5xx' }, { status: [500, '502-504', '5xx'] }],
    [{ status: 'any' }, { status: 700 }],
    [{ status: '500-502' }, { status: '503-599' }, { status: '5xx' }],
    [{ status: 'any' }, { error: 'any' }, { path: '/a' }],
    [{ error: 'any' }, { error: ['dns', 'ECONNRESET'] }],
    [{ error: ['dns', 'tls'] }, { error: 'dns' }],
    [{ error: 'dns' }, { error: 'tls' }, { error: ['tls', 'dns'] }],
    [{ error: ['EPIPE', 'dns'] }, { error: 'EPIPE' }],
    [{ error: errorKinds.slice(0, 15) }, { error: 'unknown' }, { error: 'any' }],
    [{ error: errorKinds }, { error: 'EPIPE' }],
    [{ error: 'body' }, { error: 'body', status: 200 }],
    [
      { error: 'any', status: '2xx' },
      { error: 'body', status: 200 },
    ],
    [{ method: ['GET', 'PUT'] }, { method: 'get' }],
    [
      { method: 'GET', status: 500 },
      { method: 'PUT', status: '5xx' },
      { method: ['PUT', 'GET'], status: 500 },
    ],
    [{ host: '*.example.com' }, { host: 'api.example.com' }],
    [{ host: '*.example.com' }, { host: '*.api.example.com' }],
    [{ host: '*.example.com' }, { host: '*.example.com:8443' }],
    [{ host: '*' }, { host: ['a.org', '*.b.org', '[::1]'] }],
    [{ host: '*' }, {}],
    [{ host: '*:80' }, { host: 'a.org:80' }],
    [{ host: 'EXAMPLE.com' }, { host: 'example.com:0443' }],
    [{ host: 'bücher.example' }, { host: 'xn--bcher-kva.example' }],
    [{ host: 'a.org' }, { host: 'b.org' }, { host: ['b.org', 'a.org'] }],
    [{ path: '/users/:id' }, { path: '/users/42' }],
    [{ path: '/users/:id' }, { path: '/users/:name' }],
    [{ path: '/users/*' }, { path: '/users/:id/orders/:order' }],
    [{ path: '/users/*' }, { path: '/users/:id/*' }],
    [{ path: '/*' }, { path: '/' }],
    [{ path: '/*' }, { status: 500 }],
    [{ path: '/a' }, { path: '/b/:c' }, { path: ['/b/c', '/a/'] }],
    [{ responseHeader: { 'X-A': true } }, { responseHeader: { 'x-a': '1' } }],
    [{ responseHeader: { a: ['1', '2'] } }, { responseHeader: { a: '2', b: '1' } }],
    [{ responseHeader: { 'retry-after': true } }, { retryAfter: true }],
    [{ retryAfter: true }, { retryAfter: true, status: 503 }],
    [{ slowerThan: 100 }, { slowerThan: 100 }],
    [
      { slowerThan: 100, status: '5xx' },
      { slowerThan: 200, status: 500, method: 'GET' },
    ],
    [{ status: 500 }, { status: 500, when: () => true }],
    [{ error: 'not-permitted' }],
    [{ responseHeader: { a: ' padded ' } }],
    [{ responseHeader: { 'Retry-After': ['0', 'soon'] }, retryAfter: true }],
  ])('is reported: %o, %o, %o', (...rows) => {
    expect(isUnreachable(...rows)).toBe(true);
  });

  it.each<Conditions[]>([
    [{ status: 500 }, {}],
    [{ status: '5xx' }, { status: '4xx' }],
    [{ status: '500-502' }, { status: '504-599' }, { status: '5xx' }],
    [{ status: 'any' }, { error: 'any' }],
    [{ status: 'any' }, { path: '/a' }],
    [{ error: 'any' }, { path: '/a' }],
    [{ status: 200 }, { status: 200, error: 'body' }],
    [{ error: 'any', status: 200 }, { error: 'body' }],
    [{ error: 'refused' }, { error: 'ECONNREFUSED' }],
    [{ error: 'ECONNREFUSED' }, { error: 'refused' }],
    [{ error: errorKinds.slice(0, 14) }, { error: 'any' }],
    [{ method: 'GET' }, { method: ['GET', 'PUT'] }],
    [{ method: 'GET' }, {}],
    [{ host: '*.example.com' }, { host: 'example.com' }],
    [{ host: '*.example.com' }, { host: '*.com' }],
    [{ host: 'a.org:80' }, { host: 'a.org' }],
    [{ host: 'a.org:80' }, { host: 'a.org:443' }],
    [{ host: '*:80' }, {}],
    [{ path: '/users/42' }, { path: '/users/:id' }],
    [{ path: '/users/:id' }, { path: '/users/*' }],
    [{ path: '/users/*' }, { path: '/users' }],
    [{ path: '/users/:id/*' }, { path: '/users/*' }],
    [{ path: '/Users/*' }, { path: '/users/42' }],
    [{ path: '/:a' }, { path: '/*' }],
    [{ responseHeader: { a: '1' } }, { responseHeader: { a: true } }],
    [{ responseHeader: { a: '1' } }, { responseHeader: { a: ['1', '2'] } }],
    [{ responseHeader: { 'retry-after': '5' } }, { retryAfter: true }],
    [{ retryAfter: true }, { responseHeader: { 'retry-after': true } }],
    [{ slowerThan: 200 }, { slowerThan: 100 }],
    [{ slowerThan: 0 }, {}],
    [{ status: 500, when: () => true }, { status: 500 }],
    [
      { method: 'GET', status: 500 },
      { method: 'PUT', status: 503 },
      { method: ['PUT', 'GET'], status: 500 },
    ],
    [{ error: ['not-permitted', 'dns'] }],
    [{ responseHeader: { 'retry-after': ['0', '5'] }, retryAfter: true }],
    [{ responseHeader: { 'retry-after': 'Mon, 30 Nov 2026 12:00:00 GMT' }, retryAfter: true }],
  ])('is one that nothing can reach, and no other: %o, %o, %o', (...rows) => {
    expect(isUnreachable(...rows)).toBe(false);
  });

  const isNever = /unreachable|duplicate|contradiction/;
  // The standard rows would answer in place of the row.
  const unreachedOf = (rows: readonly OutcomeRow[]) =>
    lintRules({ rows, standard: false }).flatMap(({ row, kind }) =>
      isNever.test(kind) ? [row!] : [],
    );
  const indexed = (rows: readonly OutcomeRow[]) =>
    rows.map((row, index) => ({ ...row, name: String(index) }));

  it('is never chosen, whatever the ending', () => {
    let reports = 0;
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 2, maxLength: 8 }),
        fc.array(anyEnding, { minLength: 40, maxLength: 40 }),
        (rows, endings) => {
          const never = unreachedOf(rows).map(String);
          reports += never.length;
          const compiled = compileRules(defineRules(indexed(rows), { standard: false }));
          for (const ending of endings) expect(never).not.toContain(compiled.decide(ending).row);
        },
      ),
      { numRuns: 200 },
    );
    expect(reports).toBeGreaterThan(50);
  });

  it('is reported, whenever no ending chooses it', () => {
    const methods = ['GET', 'PUT', 'OTHER'];
    const paths = ['/', '/a', '/z', '/a/b', '/z/b', '/a/b/c'];
    const statuses = [404, 450, 499, 500, 550, 700];
    const endings: Ending[] = methods.flatMap((method) =>
      paths.flatMap((path) => {
        const shared = { method, host: 'http://h', path, elapsed: 10, now: 0 };
        const errors = (['dns', 'tls', 'body'] as const).map((kind) => ({ ...shared, kind }));
        return [...statuses.map((status) => ({ ...shared, status })), ...errors];
      }),
    );
    const list = <const T>(...values: T[]) => fc.subarray(values, { minLength: 1, maxLength: 2 });
    const row = fc
      .record(
        {
          status: list<unknown>(404, '400-498', '499-503', '504-599', '5xx'),
          error: list('dns', 'tls', 'any'),
          method: list('GET', 'PUT'),
          path: list('/*', '/a', '/:x', '/a/*'),
        },
        { requiredKeys: [] },
      )
      .filter(({ status, error }) => status === undefined || error === undefined)
      .map((conditions) => ({ ...conditions, outcome: 'ignore' }) as OutcomeRow);
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 6 }), (rows) => {
        const compiled = compileRules(defineRules(indexed(rows), { standard: false }));
        const chosen = new Set(endings.map((ending) => compiled.decide(ending).row));
        const unchosen = rows.flatMap((_, index) => (chosen.has(String(index)) ? [] : [index]));
        expect(unreachedOf(rows)).toEqual(unchosen);
      }),
    );
  });
});

describe('a finding', () => {
  it('names the row, and the rows that are in its way', () => {
    const rows = [
      failing({ name: 'low', status: '500-549' }),
      failing({ name: 'others', path: '/a' }),
      failing({ status: '550-599' }),
      failing({ name: 'all', status: '5xx' }),
    ];
    expect(lintRules(rows).filter(({ row }) => row === 3)).toEqual([
      {
        row: 3,
        name: 'all',
        kind: 'unreachable',
        message:
          "rules[3] ('all'): it is never reached: rules[0] ('low') and rules[2] together take all that it matches",
      },
    ]);
  });

  it.each<[rows: unknown[], ...found: string[]]>([
    [
      [failing({ status: '5xx', name: 'a' }), failing({ status: 503, name: 'b' })],
      "unreachable rules[1] ('b'): it is never reached: rules[0] ('a') takes all that it matches",
    ],
    [
      [failing({ status: [500, 503] }), failing({ status: ['503', 500].map(Number) })],
      'duplicate rules[1]: it says again what rules[0] says',
    ],
    [
      [
        failing({ method: 'get', status: 500 }),
        { method: 'GET', status: [500], outcome: 'ignore' },
      ],
      'contradiction rules[1]: it is never reached: rules[0] has the same conditions, and decides otherwise',
    ],
    [
      [failing({ error: 'not-permitted' })],
      "unreachable rules[0]: it matches nothing: it asks for 'not-permitted', and no row is asked about a refusal",
    ],
    [
      [failing({ responseHeader: { a: 'b ' } })],
      'unreachable rules[0]: it matches nothing: no header ever has the value that it asks for',
    ],
    [
      [failing({ name: 'x', error: 'ECONREFUSED' })],
      "unknown-code rules[0] ('x'): no error has the code 'ECONREFUSED'; did you mean 'ECONNREFUSED'?",
    ],
    [
      [failing({ error: ['dns', 'ENOTFUOND'] })],
      "unknown-code rules[0]: no error has the code 'ENOTFUOND'; did you mean 'ENOTFOUND'?",
    ],
    [
      [failing({ error: 'UND_ERR_CONNECTION_TIMEOUT' })],
      "unknown-code rules[0]: no error has the code 'UND_ERR_CONNECTION_TIMEOUT'; did you mean 'UND_ERR_CONNECT_TIMEOUT'?",
    ],
    [
      [failing({ error: 'Connect_Timeout' })],
      "unknown-code rules[0]: no error has the code 'Connect_Timeout'; did you mean 'connect-timeout'?",
    ],
    [
      [failing({ error: 'DNS' })],
      "unknown-code rules[0]: no error has the code 'DNS'; did you mean 'dns'?",
    ],
    [
      [failing({ error: 'refuesd' as never }), failing({ status: 503 })],
      "invalid rules[0]: error is no error kind: 'refuesd'; did you mean 'refused'?",
    ],
    [
      [failing({ error: 'econnreset' as never })],
      "invalid rules[0]: error is no error kind: 'econnreset'; did you mean 'ECONNRESET'?",
    ],
    [
      [{ status: 500 }, 7, failing({ statsu: 500 } as never)],
      'invalid rules[0]: outcome is missing',
      'invalid rules[1] must be an object, but is 7',
      "invalid rules[2]: 'statsu' is not known; did you mean 'status'?",
    ],
    [
      [failing({ method: 'GTE', status: 500 })],
      "unknown-method rules[0]: 'GTE' is no usual method; did you mean 'GET'?",
    ],
    [
      [failing({ method: ['delet', 'POST'], status: 500 })],
      "unknown-method rules[0]: 'DELET' is no usual method; did you mean 'DELETE'?",
    ],
    [
      [{ error: ['refused', 'dns'], retryAfter: true, outcome: 'hold' }],
      'no-headers rules[0]: an error refused or dns comes before any response: there is no header to read, and the row never matches',
    ],
    [
      [{ error: 'any', retryAfter: true, outcome: 'hold' }],
      'no-headers rules[0]: a hold that needs headers does nothing after an error: only a body that broke off has headers, and its response was counted already',
    ],
    [
      [failing({ status: 503, error: ['ECONNREFUSED', 'body'] })],
      'status-and-error rules[0]: an error ECONNREFUSED comes before any response and has no status; for either of them write two rows',
    ],
    [
      [failing({ status: '5xx', error: 'any' })],
      'status-and-error rules[0]: status and error together speak only of a body that broke off after such a status; for either of them write two rows',
    ],
    [
      [{ status: 503, retryAfter: true, holdFor: 5000, outcome: 'hold' }],
      'no-effect rules[0]: holdFor has no effect beside retryAfter: the header says how long',
    ],
    [
      [{ status: 404, outcome: 'ignore', domain: 'host' }],
      "no-effect rules[0]: domain has no effect on the outcome 'ignore'",
    ],
    [
      [failing({ status: 503, retryAfter: true, responseHeader: { 'retry-after': ['0', '5'] } })],
      "no-effect rules[0]: no usable retry-after header is ever '0'",
    ],
    [
      [failing({ path: '/import' })],
      'every-response rules[0]: it takes every response, a 200 too, for a failure; give it a status or an error',
    ],
    [
      [failing({ name: 'a', status: 500 }), failing({ name: 'a', status: 501 })],
      "same-name rules[1] ('a'): rules[0] has the same name: events will not tell them apart",
    ],
    [
      [failing({ name: 'server error', status: 500 })],
      "same-name rules[0] ('server error'): a standard row has the same name: events will not tell them apart",
    ],
  ])('%o', (rows, ...found) => {
    expect(findings(rows)).toEqual(found);
  });

  it('speaks of the endings that nothing covers, without the standard rows', () => {
    const rows = [
      failing({ status: ['500-549', 551], method: 'GET' }),
      { status: '2xx', outcome: 'success' },
      failing({
        error: [...errorKinds].filter((kind) => !['cancel', 'local'].includes(kind)),
        slowerThan: 5,
      }),
    ];
    expect(findings(rows, false).slice(-2)).toEqual([
      'uncovered no row speaks of the statuses 100-199, 300-499, 550 and 552-599: they count as successes',
      'uncovered no row speaks of the errors cancel and local: they count as failures',
    ]);
    expect(findings([{ outcome: 'ignore' }], false)).toEqual([]);
    expect(findings([], false)).toEqual([
      'uncovered no row speaks of the statuses 100-599: they count as successes',
      expect.stringMatching(
        /^uncovered no row speaks of the errors dns, .* and unknown: they count as failures$/,
      ),
    ]);
    expect(lintRules({ rows: [], standard: false })[0]).not.toHaveProperty('row');
  });

  it('is none for a code that is right', () => {
    const undici =
      'UND_ERR_SOCKS5 UND_ERR_ABORT UND_ERR_INFO UND_ERR_BPL_MISSING_UPSTREAM UND_ERR_PRX_TLS';
    const own =
      'E_QUOTA RATE_LIMITED TOKEN_EXPIRED ERR_UNAUTHORIZED CERT_HAS_EXPIRED HPE_INVALID_CONSTANT';
    const codes = [...Object.keys(constants.errno), ...`${undici} ${own}`.split(' ')];
    expect(codes.length).toBeGreaterThan(80);
    expect(codes.flatMap((error) => findings([failing({ error: error as 'E' })]))).toEqual([]);
  });

  it('is none for a method that is somebody’s own', () => {
    for (const method of ['PURGE', 'PROPFIND', 'M-SEARCH', 'REFRESH', 'LINK', 'GO']) {
      expect(findings([failing({ method, status: 500 })])).toEqual([]);
    }
  });
});

describe('what is no table', () => {
  it.each<[rules: unknown, message: string]>([
    [7, 'rules must be an object, but is 7'],
    [{}, 'rules must be a list of rows, but is undefined'],
    [{ rowz: [] }, "'rowz' is not known; did you mean 'rows'?"],
    [{ rows: [], standard: 'no' }, 'rules: standard must be true or false'],
  ])('%o throws', (rules, message) => {
    expect(() => lintRules(rules as never)).toThrow(message);
  });
});
