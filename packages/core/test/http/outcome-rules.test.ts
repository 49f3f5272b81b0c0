import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Ending, OutcomeRow } from '../../src/http/outcome-row.ts';
import { compileRules, defineRules } from '../../src/http/outcome-rules.ts';

const now = Date.UTC(2026, 10, 30, 12, 0, 0);
const ending = (fields: Partial<Ending>): Ending => ({
  method: 'GET',
  host: 'https://api.example.com',
  path: '/users/42',
  elapsed: 100,
  now,
  ...fields,
});
const coded = (code: string) => Object.assign(new Error('it broke'), { code });

/** Does this row, as the only one, decide the ending? */
function matches(row: Partial<OutcomeRow>, fields: Partial<Ending>): boolean {
  const rules = defineRules([{ name: 'it', outcome: 'trip', ...row }], { standard: false });
  return compileRules(rules).decide(ending(fields)).row === 'it';
}

describe('conditions', () => {
  it.each<[row: Partial<OutcomeRow>, matched: Partial<Ending>[], others: Partial<Ending>[]]>([
    [{ status: 503 }, [{ status: 503 }], [{ status: 502 }, { error: new Error('x') }]],
    [{ status: '5xx' }, [{ status: 500 }, { status: 599 }], [{ status: 499 }, { status: 600 }]],
    [{ status: '5XX' }, [{ status: 503 }], []],
    [{ status: '500-504' }, [{ status: 500 }, { status: 504 }], [{ status: 499 }, { status: 505 }]],
    [
      { status: 'any' },
      [{ status: 200 }, { status: 0 }, { status: 999 }],
      [{ error: new Error('x') }],
    ],
    [{ status: [404, '5xx'] }, [{ status: 404 }, { status: 500 }], [{ status: 403 }]],
    [{ status: 999 }, [{ status: 999 }], [{ status: 99 }]],
    // A body that broke off ended in an error, whatever its status was.
    [{ status: 200 }, [{ status: 200 }], [{ status: 200, kind: 'body' }]],
    [
      { status: 200, error: 'body' },
      [{ status: 200, kind: 'body' }],
      [{ status: 206, kind: 'body' }, { status: 200 }, { kind: 'body' }],
    ],
    [
      { error: 'refused' },
      [{ kind: 'refused' }, { error: coded('ECONNREFUSED') }],
      [{ kind: 'dns' }, { status: 503 }],
    ],
    [
      { error: 'ERR_NETWORK' },
      [
        { error: coded('ERR_NETWORK') },
        { kind: 'refused', code: 'ECONNREFUSED', error: coded('ERR_NETWORK') },
      ],
      [{ error: coded('ECONNREFUSED') }],
    ],
    [{ error: 'any' }, [{ kind: 'unknown' }, { error: 'gone' }, {}], [{ status: 500 }]],
    [{ error: ['dns', 'EPIPE'] }, [{ kind: 'dns' }, { error: coded('EPIPE') }], [{ kind: 'tls' }]],
    [{ method: 'post' }, [{ method: 'POST', status: 200 }], [{ method: 'GET', status: 200 }]],
    [{ method: ['PUT', 'GET'] }, [{ status: 200 }, { kind: 'dns' }], [{ method: 'POST' }]],
    [
      { host: '*.example.com' },
      [{ status: 200 }, { kind: 'dns' }],
      [{ host: 'https://example.com', status: 200 }],
    ],
    [{ host: ['x.org', 'api.example.com:443'] }, [{ status: 200 }], [{ host: 'https://y.org' }]],
    [{ path: '/users/:id' }, [{ status: 200 }], [{ path: '/users', status: 200 }]],
    [{ path: ['/a', '/users/*'] }, [{ status: 200 }], [{ path: '/b', status: 200 }]],
    [
      { responseHeader: { 'X-Maintenance': 'true' } },
      [{ status: 200, headers: { 'x-maintenance': ' true' } }],
      [
        { status: 200, headers: { 'x-maintenance': 'false' } },
        { status: 200, headers: {} },
        { status: 200 },
        { kind: 'dns' },
      ],
    ],
    [
      { responseHeader: { a: true, b: ['1', '2'] } },
      [{ status: 200, headers: new Headers({ a: '', b: '2' }) }],
      [
        { status: 200, headers: new Headers({ b: '2' }) },
        { status: 200, headers: new Headers({ a: 'x', b: '3' }) },
      ],
    ],
    [
      { retryAfter: true },
      [
        { status: 429, headers: { 'retry-after': '1' } },
        { status: 429, headers: { 'Retry-After': 'Mon, 30 Nov 2026 12:00:01 GMT' } },
      ],
      [
        { status: 429, headers: { 'retry-after': '0' } },
        { status: 429, headers: { 'retry-after': 'Mon, 30 Nov 2026 12:00:00 GMT' } },
        { status: 429, headers: { 'retry-after': '-1' } },
        { status: 429, headers: {} },
        { status: 429 },
      ],
    ],
    [{ slowerThan: 100 }, [{ status: 200, elapsed: 101 }], [{ status: 200, elapsed: 100 }]],
    [
      { when: ({ response }) => response === 'theirs' },
      [{ status: 200, response: 'theirs' }],
      [{ status: 200 }],
    ],
    [{}, [{ status: 200 }, { kind: 'dns' }], []],
    [
      { status: 500, method: 'GET', path: '/users/*', slowerThan: 50 },
      [{ status: 500 }],
      [
        { status: 501 },
        { status: 500, method: 'PUT' },
        { status: 500, path: '/' },
        { status: 500, elapsed: 9 },
      ],
    ],
  ])('%o', (row, matched, others) => {
    for (const fields of matched) expect([fields, matches(row, fields)]).toEqual([fields, true]);
    for (const fields of others) expect([fields, matches(row, fields)]).toEqual([fields, false]);
  });
});

describe('the table', () => {
  it('is decided by the first row that matches, the standard rows last', () => {
    const rules = compileRules(
      defineRules([
        { name: 'one', path: '/search/*', status: 404, outcome: 'ignore' },
        { name: 'two', status: '4xx', outcome: 'failure', domain: 'host' },
      ]),
    );
    const decide = (fields: Partial<Ending>) => rules.decide(ending(fields));
    expect(decide({ status: 404, path: '/search/x' })).toEqual({
      outcome: 'ignore',
      domain: 'endpoint',
      row: 'one',
    });
    expect(decide({ status: 404 })).toEqual({ outcome: 'failure', domain: 'host', row: 'two' });
    expect(decide({ status: 503 }).row).toBe('server error');
    expect(decide({ kind: 'refused' }).row).toBe('host out of reach');
  });

  it('without standard rows takes the rest of responses for successes, of errors for failures', () => {
    const rules = compileRules(defineRules([], { standard: false }));
    expect(rules.plain(503)).toEqual({ outcome: 'success', domain: 'endpoint' });
    expect(rules.decide(ending({ status: 503 }))).toEqual({
      outcome: 'success',
      domain: 'endpoint',
    });
    expect(rules.decide(ending({ status: 999 })).outcome).toBe('success');
    expect(rules.decide(ending({ kind: 'cancel' }))).toEqual({
      outcome: 'failure',
      domain: 'endpoint',
    });
  });

  it('has a verdict at hand for a status that decides alone, and none for another', () => {
    const rules = compileRules(
      defineRules([
        { name: 'slow', status: 404, slowerThan: 9, outcome: 'failure' },
        { name: 'gone', status: 410, outcome: 'ignore' },
        { name: 'gone and slow', status: 410, slowerThan: 9, outcome: 'failure' },
      ]),
    );
    expect(rules.plain(404)).toBeUndefined();
    expect(rules.plain(410)).toEqual({ outcome: 'ignore', domain: 'endpoint', row: 'gone' });
    expect(rules.plain(200)).toBe(rules.plain(204));
    expect([rules.plain(99), rules.plain(600), rules.plain(NaN)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('answers a plain status as the whole table does', () => {
    const status = fc.oneof(
      fc.integer({ min: 100, max: 599 }),
      fc.constantFrom('2xx', '4xx', '5xx', '400-450', 'any'),
    );
    const row = fc.record(
      {
        status: fc.oneof(status, fc.array(status, { minLength: 1, maxLength: 3 })),
        slowerThan: fc.constantFrom(50, 500),
        error: fc.constantFrom('dns', 'any'),
        outcome: fc.constantFrom('success' as const, 'failure' as const, 'ignore' as const),
        name: fc.string({ minLength: 1 }),
      },
      { requiredKeys: ['outcome'] },
    );
    fc.assert(
      fc.property(
        fc.array(row),
        fc.boolean(),
        fc.integer({ min: 100, max: 599 }),
        (rows, standard, code) => {
          const rules = compileRules(defineRules(rows as OutcomeRow[], { standard }));
          const told = ending({ status: code });
          const first = rules.rows.find(({ conditions }) =>
            conditions.every((it) => it.holds(told)),
          );
          expect(rules.decide(told)).toEqual(
            first?.verdict ?? { outcome: 'success', domain: 'endpoint' },
          );
          expect([undefined, rules.decide(told)]).toContainEqual(rules.plain(code));
        },
      ),
    );
  });

  it('finds the kind of an error by itself', () => {
    const decided = compileRules(defineRules([])).decide(ending({ error: coded('ENOTFOUND') }));
    expect(decided).toEqual({ outcome: 'failure', domain: 'host', row: 'host out of reach' });
  });

  it("ignores a breaker's refusal, whatever the rows say", () => {
    const rules = compileRules(defineRules([{ error: 'any', outcome: 'trip' }]));
    expect(rules.decide(ending({ kind: 'not-permitted' })).outcome).toBe('ignore');
  });
});

describe('a hold', () => {
  it('lasts as the server says, or as the row says', () => {
    const rules = compileRules(
      defineRules([
        { name: 'told', status: [429, 503], retryAfter: true, holdFor: 5, outcome: 'hold' },
        { name: 'fixed', status: 503, outcome: 'hold', holdFor: 7_000, domain: 'host' },
      ]),
    );
    const headers = { 'retry-after': '120' };
    expect(rules.decide(ending({ status: 503, headers }))).toEqual({
      outcome: 'hold',
      domain: 'endpoint',
      row: 'told',
      holdFor: 120_000,
      untilRetryAfter: true,
    });
    expect(rules.decide(ending({ status: 503 }))).toEqual({
      outcome: 'hold',
      domain: 'host',
      row: 'fixed',
      holdFor: 7_000,
    });
    expect(rules.decide(ending({ status: 429, headers: { 'retry-after': '0' } })).outcome).toBe(
      'failure',
    );
  });
});

describe('a predicate', () => {
  const told = ending({ status: 500, response: 'theirs', headers: { a: 'b' } });

  it('is told about the ending, and asked last', () => {
    const when = vi.fn<() => boolean>(() => true);
    const rules = compileRules(
      defineRules([{ status: 500, slowerThan: 50, when, outcome: 'trip' }]),
    );
    rules.decide(ending({ status: 500, elapsed: 50 }));
    expect(when).not.toHaveBeenCalled();
    expect(rules.decide(told).outcome).toBe('trip');
    const { now: _, ...rest } = told;
    expect(when).toHaveBeenCalledExactlyOnceWith(rest);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => expect.unreachable()],
    ['answers with a promise', () => Promise.reject(new Error('later'))],
    ['answers with a promise that is true', async () => true],
  ])('that %s is passed over and reported', (_, when) => {
    const heard = vi.fn<() => void>(() => {
      throw new Error('a listener throws, too');
    });
    const row = { name: 'bad', when: when as () => boolean, outcome: 'trip' as const };
    const rules = compileRules(defineRules([row]), heard);
    expect(rules.decide(told).row).toBe('server error');
    expect(heard).toHaveBeenCalledExactlyOnceWith(
      expect.any(Error),
      expect.objectContaining({ name: 'bad' }),
    );
  });
});

describe('rules as data', () => {
  const rows: OutcomeRow[] = [
    {
      name: 'a',
      method: ['GET', 'put'],
      host: '*.x.org',
      path: '/a/*',
      status: 404,
      outcome: 'success',
    },
    { status: [429, '5xx'], retryAfter: true, outcome: 'hold', domain: 'host' },
    { responseHeader: { 'x-m': 'true', y: true, z: ['1'] }, slowerThan: 5, outcome: 'trip' },
    { error: ['dns', 'ECONNRESET'], outcome: 'hold', holdFor: 10 },
  ];

  it('survive a round trip through JSON', () => {
    const rules = defineRules(rows, { standard: false });
    const back = JSON.parse(JSON.stringify(rules));
    expect(back).toEqual(rules);
    expect(back).toEqual({ rows, standard: false });
    expect(compileRules(back).rows.map(({ row }) => row)).toEqual(rows);
  });

  it('are copied and frozen', () => {
    const statuses = [500];
    const rules = defineRules([{ status: statuses, outcome: 'trip' }]);
    statuses.push(200);
    expect(rules.rows[0]?.status).toEqual([500]);
    expect([rules, rules.rows, rules.rows[0], rules.rows[0]?.status].every(Object.isFrozen)).toBe(
      true,
    );
  });

  it('with a predicate come back from JSON as an error, never as a row that matches more', () => {
    const rules = defineRules([{ status: 500, when: () => false, outcome: 'trip' }]);
    const back = JSON.parse(JSON.stringify(rules));
    expect(() => compileRules(back)).toThrow(
      new TypeError("rules[0]: when must be a function, but is 'a function'"),
    );
  });
});

describe('a wrong row', () => {
  it.each<[row: unknown, error: ErrorConstructor, message: string]>([
    [7, TypeError, 'rules[0] must be an object, but is 7'],
    [{ status: 500 }, TypeError, 'rules[0]: outcome is missing'],
    [
      { outcome: 'trip', metod: 'GET' },
      TypeError,
      "rules[0]: 'metod' is not known; did you mean 'method'?",
    ],
    [
      { name: 'theirs', outcome: 'fail' },
      TypeError,
      "rules[0] ('theirs'): outcome must be one of 'success', 'failure', 'ignore', 'trip', 'hold', but is 'fail'",
    ],
    [{ outcome: 'trip', domain: 'hots' }, TypeError, "but is 'hots'; did you mean 'host'?"],
    [{ outcome: 'trip', name: 7 }, TypeError, 'rules[0]: name must be a string'],
    [
      { outcome: 'trip', status: '5x' },
      RangeError,
      "rules[0]: status must be like 503, '5xx', '500-504' or 'any', but is '5x'",
    ],
    [{ outcome: 'trip', status: [200, 7] }, RangeError, 'rules[0]: status[1] must be like'],
    [{ outcome: 'trip', status: 200.5 }, RangeError, 'but is 200.5'],
    [{ outcome: 'trip', status: '504-500' }, RangeError, "but is '504-500'"],
    [{ outcome: 'trip', status: null }, TypeError, 'but is null'],
    [{ outcome: 'trip', status: [] }, TypeError, 'rules[0]: status is an empty list; leave it out'],
    [
      { outcome: 'trip', error: 'refuesd' },
      RangeError,
      "rules[0]: error is no error kind: 'refuesd'; did you mean 'refused'?",
    ],
    [{ outcome: 'trip', error: 7 }, TypeError, 'rules[0]: error must be a string'],
    [{ outcome: 'trip', method: 'GE T' }, RangeError, "rules[0]: method is no HTTP method: 'GE T'"],
    [{ outcome: 'trip', host: 'https://x' }, RangeError, 'rules[0]: host must be a host like'],
    [
      { outcome: 'trip', path: ['/a', 'b'] },
      RangeError,
      "rules[0]: path[1] must begin with '/', but is 'b'",
    ],
    [
      { outcome: 'trip', responseHeader: {} },
      TypeError,
      'rules[0]: responseHeader names no header',
    ],
    [
      { outcome: 'trip', responseHeader: { a: 7 } },
      TypeError,
      "rules[0]: responseHeader['a'] must be true or a string, but is 7",
    ],
    [{ outcome: 'trip', responseHeader: { 'a b': 'x' } }, RangeError, "has no header name: 'a b'"],
    [
      { outcome: 'trip', retryAfter: false },
      TypeError,
      'rules[0]: retryAfter must be true, but is false',
    ],
    [
      { outcome: 'trip', slowerThan: '5s' },
      TypeError,
      "rules[0]: slowerThan must be a number, but is '5s'",
    ],
    [
      { outcome: 'trip', slowerThan: -1 },
      RangeError,
      'rules[0]: slowerThan must be at least 0, but is -1',
    ],
    [{ outcome: 'trip', when: 'x' }, TypeError, "rules[0]: when must be a function, but is 'x'"],
    [{ outcome: 'hold' }, TypeError, 'rules[0]: a hold needs retryAfter: true, or holdFor'],
    [
      { outcome: 'hold', holdFor: 0 },
      RangeError,
      'rules[0]: holdFor must be greater than 0, but is 0',
    ],
    [
      { outcome: 'trip', holdFor: 5 },
      TypeError,
      "rules[0]: holdFor is for the outcome 'hold', not for 'trip'",
    ],
  ])('%o', (row, error, message) => {
    const define = () => defineRules([row as OutcomeRow]);
    expect(define).toThrow(error);
    expect(define).toThrow(message);
  });

  it('is named by its place', () => {
    const good: OutcomeRow = { outcome: 'trip' };
    expect(() => defineRules([good, good, { outcome: 'x' } as never])).toThrow(
      /^rules\[2\]: outcome/,
    );
  });

  it('is an error in a table from JSON, too', () => {
    expect(() => compileRules({ rows: [{}], standard: true } as never)).toThrow('rules[0]');
    expect(() => compileRules({ rowz: [] } as never)).toThrow("did you mean 'rows'?");
    expect(() => compileRules([] as never)).toThrow('rules must be an object');
    expect(() => defineRules({} as never)).toThrow('rules must be a list of rows');
    expect(() => defineRules([], { standart: true } as never)).toThrow("did you mean 'standard'?");
    expect(() => defineRules([], { standard: 'no' as never })).toThrow('rules: standard must be');
    // As JSON may have it.
    const nothing = { rows: [], standard: null };
    expect(() => compileRules(nothing as never)).toThrow('rules: standard must be true or false');
  });
});
