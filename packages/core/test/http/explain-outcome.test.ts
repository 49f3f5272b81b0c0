import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { endingOf, type OutcomeExample } from '../../src/http/outcome-example.ts';
import type { OutcomeRow } from '../../src/http/outcome-row.ts';
import { compileRules } from '../../src/http/outcome-rules.ts';
import {
  CallNotPermittedError,
  defineRules,
  explainOutcome,
  honestRetryAfter,
  standardRules,
} from '../../src/index.ts';
import { anyExample, anyRows } from './rule-arbitraries.ts';

const rows: OutcomeRow[] = [
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
];
const rules = defineRules(rows);

describe('an explanation', () => {
  it('is a text for a review: the row that decides, and why each one above it does not', () => {
    const { text } = explainOutcome(rules, {
      method: 'POST',
      url: 'https://api.example.com/orders?debug=1',
      status: 500,
    });
    expect(text.split('\n')).toEqual([
      'POST https://api.example.com/orders was answered with 500:',
      "  rules[0] ('search is allowed to be missing') is passed over: asks for status 404, but the status is 500",
      "  rules[1] ('wait when told to') is passed over: asks for status 429 or 503, but the status is 500",
      "  rules[2] ('our one API key is bad') is passed over: asks for status 401, but the status is 500",
      "  rules[3] ('their payload bug') is passed over: asks for path /import, but the path is /orders",
      "  standardRules[0] ('the caller left') is passed over: asks for error cancel, but the call was answered with 500",
      "  standardRules[1] ('nothing was sent') is passed over: asks for error local, but the call was answered with 500",
      "  standardRules[2] ('host out of reach') is passed over: asks for error dns, refused, unreachable, tls or connect-timeout, but the call was answered with 500",
      "  standardRules[3] ('no whole response') is passed over: asks for error response-timeout, body-timeout, deadline, reset, protocol, body or network, but the call was answered with 500",
      "  standardRules[4] ('redirect loop') is passed over: asks for error redirect-loop, but the call was answered with 500",
      "  standardRules[5] ('no sign of the network') is passed over: asks for error unknown, but the call was answered with 500",
      "  standardRules[6] ('overload') is passed over: asks for status 408 or 429, but the status is 500",
      "  standardRules[7] ('not supported') is passed over: asks for status 501 or 505, but the status is 500",
      "  standardRules[8] ('server error') decides by status 5xx: failure of the endpoint",
    ]);
  });

  it('is plain data', () => {
    const told = explainOutcome(rules, { status: 429, headers: { 'Retry-After': '120' } });
    expect(told).toEqual({
      outcome: 'hold',
      domain: 'endpoint',
      holdFor: 120_000,
      row: { from: 'own', index: 1, name: 'wait when told to' },
      passedOver: [
        {
          from: 'own',
          index: 0,
          name: 'search is allowed to be missing',
          condition: 'status',
          wanted: 'status 404',
          had: 'the status is 429',
        },
      ],
      text: expect.stringContaining(
        "rules[1] ('wait when told to') decides by status 429 or 503, a usable Retry-After: " +
          'hold of the endpoint for 120000 ms, as Retry-After says',
      ),
    });
    expect(JSON.parse(JSON.stringify(told))).toEqual(told);
  });

  it('counts standard rows by themselves', () => {
    const { row, passedOver } = explainOutcome([], { error: 'ECONNREFUSED' });
    expect(row).toEqual({ from: 'standard', index: 2, name: 'host out of reach' });
    expect(standardRules[row?.index ?? -1]?.name).toBe(row?.name);
    expect(passedOver.map(({ from, index }) => `${from} ${index}`)).toEqual([
      'standard 0',
      'standard 1',
    ]);
  });

  it.each<[rows: readonly OutcomeRow[], standard: boolean, example: OutcomeExample, last: string]>([
    [
      [],
      false,
      { status: 503 },
      'no row matches, and a response that none matches is a success: success',
    ],
    [
      [],
      false,
      { error: 'dns' },
      'no row matches, and an error that none matches is a failure: failure of the endpoint',
    ],
    [
      [{ error: 'any', outcome: 'trip' }],
      true,
      { error: new CallNotPermittedError({ breaker: 'b', state: 'open', reason: 'open' }) },
      'no row is asked about a refusal: ignore, it counts nowhere',
    ],
    [
      [{ outcome: 'trip', domain: 'host' }],
      true,
      { status: 200 },
      'rules[0] decides, it matches everything: trip of the host',
    ],
    [
      [{ status: 503, outcome: 'hold', holdFor: 5000 }],
      true,
      { status: 503 },
      'rules[0] decides by status 503: hold of the endpoint for 5000 ms',
    ],
    [
      [{ error: 'any', slowerThan: 100, outcome: 'ignore' }],
      true,
      { error: 'reset', elapsed: 101 },
      'rules[0] decides by an error, a call of more than 100 ms: ignore, it counts nowhere',
    ],
    [
      [{ responseHeader: { 'x-a': true, 'x-b': ['1', '2'] }, outcome: 'failure' }],
      true,
      { status: 200, headers: new Headers({ 'x-a': '', 'x-b': '2' }) },
      "rules[0] decides by response header x-a with any value and x-b: '1' or '2': failure of the endpoint",
    ],
  ])('ends with what decides: %o, %o, %o', (own, standard, example, last) => {
    const { text } = explainOutcome(defineRules(own, { standard }), example);
    expect(text.split('\n  ').at(-1)).toBe(last);
  });

  it.each<[row: Partial<OutcomeRow>, example: OutcomeExample, text: string]>([
    [{ status: '5xx' }, { status: 404 }, 'asks for status 5xx, but the status is 404'],
    [
      { status: '5xx' },
      { error: 'ECONNRESET' },
      'asks for status 5xx, but the call ended in the error reset (ECONNRESET)',
    ],
    [
      { status: 200 },
      { status: 200, error: 'body' },
      'asks for status 200, but the call was answered with 200 and then ended in the error body',
    ],
    [
      { status: 200, error: 'body' },
      { error: 'body' },
      'asks for status 200, but no response came before the error',
    ],
    [
      { error: ['dns', 'EPIPE'] },
      { error: { code: 'ECONNREFUSED' } },
      'asks for error dns or EPIPE, but the error is refused (ECONNREFUSED)',
    ],
    [{ error: 'any' }, { status: 503 }, 'asks for an error, but the call was answered with 503'],
    [
      { method: ['put', 'POST'] },
      { status: 1, method: 'get' },
      'asks for method PUT or POST, but the method is GET',
    ],
    [{ method: 'PUT' }, { status: 1 }, 'asks for method PUT, but the example has no method'],
    [
      { host: '*.example.com' },
      { status: 1, host: 'example.com' },
      'asks for host *.example.com, but the host is https://example.com',
    ],
    [
      { host: 'a.org' },
      { status: 1, path: '/' },
      'asks for host a.org, but the example has no host',
    ],
    [
      { path: '/users/:id' },
      { status: 1, url: 'http://h/users?id=7' },
      'asks for path /users/:id, but the path is /users',
    ],
    [
      { path: '/users/:id' },
      { status: 1, host: 'h' },
      'asks for path /users/:id, but the example has no path',
    ],
    [
      { responseHeader: { 'x-a': true, 'X-Maintenance': ['on', 'soon'] } },
      { status: 1, headers: { 'x-a': '1', 'x-maintenance': 'off' } },
      "asks for response header x-a with any value and X-Maintenance: 'on' or 'soon', but X-Maintenance is 'off'",
    ],
    [
      { responseHeader: { 'x-a': '1' } },
      { status: 1 },
      "asks for response header x-a: '1', but there is no x-a header",
    ],
    [
      { retryAfter: true },
      { status: 1, headers: { 'retry-after': '0' } },
      "asks for a usable Retry-After, but retry-after is '0'",
    ],
    [
      { retryAfter: true },
      { status: 1 },
      'asks for a usable Retry-After, but there is no retry-after header',
    ],
    [
      { slowerThan: 800 },
      { status: 1, elapsed: 800 },
      'asks for a call of more than 800 ms, but it took 800 ms',
    ],
    [
      { slowerThan: 800 },
      { status: 1 },
      'asks for a call of more than 800 ms, but the example has no elapsed',
    ],
    [{ when: () => false }, { status: 1 }, 'asks for a yes of its predicate, but that said no'],
    [
      {
        when: () => {
          throw new RangeError('too far');
        },
      },
      { status: 1 },
      'asks for a yes of its predicate, but that threw RangeError: too far',
    ],
  ])('says what a row asked for and what there was: %o, %o', (row, example, text) => {
    const explained = explainOutcome([{ ...row, outcome: 'trip' }], example);
    expect(explained.text).toContain(`rules[0] is passed over: ${text}\n`);
  });

  it('asks a predicate once', () => {
    const when = vi.fn<() => boolean>(() => true);
    expect(explainOutcome([{ when, outcome: 'trip' }], { status: 200 }).outcome).toBe('trip');
    expect(when).toHaveBeenCalledTimes(1);
  });

  it('throws for a wrong row as defineRules does', () => {
    expect(() => explainOutcome([{ status: 500 } as never], { status: 500 })).toThrow(
      'rules[0]: outcome is missing',
    );
    expect(() => explainOutcome(7 as never, { status: 500 })).toThrow('rules must be');
  });

  it('always says what the table decides', () => {
    fc.assert(
      fc.property(anyRows, fc.boolean(), anyExample, (own, standard, example) => {
        const table = defineRules(own, { standard });
        const decided = compileRules(table).decide(endingOf(example));
        const { outcome, domain, holdFor, row, passedOver } = explainOutcome(table, example);
        expect({ outcome, domain, holdFor, row: row?.name }).toEqual({
          outcome: decided.outcome,
          domain: decided.domain,
          holdFor: decided.holdFor,
          row: decided.row,
        });
        const place =
          row === undefined ? undefined : row.index + (row.from === 'own' ? 0 : own.length);
        if (place !== undefined) expect(passedOver).toHaveLength(place);
      }),
      { numRuns: 400 },
    );
  });
});

describe('an example', () => {
  it.each<[example: OutcomeExample, ending: object]>([
    [
      { status: 200, url: 'HTTPS://User:pw@API.example.com:443/a/./b/?q=1#f' },
      { host: 'https://api.example.com', path: '/a/b' },
    ],
    [
      { status: 200, host: 'http://h:80' },
      { host: 'http://h', path: '' },
    ],
    [
      { status: 200, path: '/a?b' },
      { host: '', path: '/a' },
    ],
    [{ error: 'refused' }, { kind: 'refused' }],
    [{ error: 'ECONNREFUSED' }, { kind: 'refused', code: 'ECONNREFUSED' }],
    [{ error: 'ConnectionRefused' }, { kind: 'refused' }],
    [{ error: 'AbortError' }, { kind: 'cancel' }],
    [{ error: 'gone', signal: { aborted: true, reason: 'gone' } }, { kind: 'cancel' }],
    [{ signal: { aborted: true } }, { kind: 'cancel' }],
    [{ error: 'reset', signal: { aborted: true } }, { kind: 'cancel' }],
    [
      { error: 'AbortError', signal: { aborted: true, reason: { name: 'TimeoutError' } } },
      { kind: 'deadline' },
    ],
    [
      { error: new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }) },
      { kind: 'dns', code: 'ENOTFOUND' },
    ],
  ])('%o is read as an adapter would report it', (example, ending) => {
    expect(endingOf(example)).toMatchObject(ending);
  });

  it.each<[example: unknown, message: string]>([
    [7, 'example must be an object, but is 7'],
    [{}, 'example needs a status, an error or a signal that is aborted'],
    [{ signal: { aborted: false } }, 'example needs a status, an error or a signal'],
    [{ staus: 500 }, "'staus' is not known; did you mean 'status'?"],
    [{ status: '500' }, "example.status must be a number, but is '500'"],
    [{ status: 200, method: 7 }, 'example.method must be a string, but is 7'],
    [{ status: 200, elapsed: -1 }, 'example.elapsed must be at least 0, but is -1'],
    [{ status: 200, url: '/users' }, "example.url is none that a request can be sent to: '/users'"],
    [{ status: 200, host: 'a b' }, "example.host is none that a request can be sent to: 'a b'"],
    [{ status: 200, url: 'http://h', path: '/' }, 'example must have url, or host and path'],
    [
      { error: 'refuesd' },
      "example.error is no error kind, code or name: 'refuesd'; did you mean 'refused'?",
    ],
  ])('%o is none', (example, message) => {
    expect(() => explainOutcome(honestRetryAfter, example as OutcomeExample)).toThrow(message);
  });
});
