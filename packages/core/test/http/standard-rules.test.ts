import { describe, expect, it } from 'vitest';
import { errorKinds, type ErrorKind } from '../../src/http/error-kind.ts';
import type { Ending, OutcomeRow } from '../../src/http/outcome-row.ts';
import { compileRules, defineRules } from '../../src/http/outcome-rules.ts';
import {
  abandonedAfter,
  clientErrorsIgnored,
  honestRetryAfter,
  sharedCredentials,
} from '../../src/http/standard-rules.ts';

function decide(rows: readonly OutcomeRow[], fields: Partial<Ending>): string {
  const ending = { method: 'GET', host: 'http://h', path: '/', elapsed: 10, now: 0, ...fields };
  const { outcome, domain, holdFor } = compileRules(defineRules(rows)).decide(ending);
  return [outcome, domain, holdFor].filter((word) => word !== undefined).join(' ');
}

const ofKinds: Record<ErrorKind, string> = {
  cancel: 'ignore endpoint',
  local: 'ignore endpoint',
  dns: 'failure host',
  refused: 'failure host',
  unreachable: 'failure host',
  tls: 'failure host',
  'connect-timeout': 'failure host',
  'response-timeout': 'failure endpoint',
  'body-timeout': 'failure endpoint',
  deadline: 'failure endpoint',
  reset: 'failure endpoint',
  protocol: 'failure endpoint',
  body: 'failure endpoint',
  network: 'failure endpoint',
  'redirect-loop': 'ignore endpoint',
  unknown: 'ignore endpoint',
  'not-permitted': 'ignore endpoint',
};

describe('the standard rows', () => {
  it.each(errorKinds.map((kind) => [kind, ofKinds[kind]] as const))('%s is %s', (kind, said) => {
    expect(decide([], { kind })).toBe(said);
    expect(decide([], { kind, status: 200 })).toBe(said);
  });

  it('have a plain answer for every status', () => {
    const rules = compileRules(defineRules([]));
    for (let status = 100; status <= 599; status++) {
      const fails =
        status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
      expect([status, rules.plain(status)?.outcome]).toEqual([
        status,
        fails ? 'failure' : 'success',
      ]);
      expect(rules.plain(status)?.domain).toBe('endpoint');
    }
  });

  it('take a status that HTTP does not know for an answer', () => {
    expect(decide([], { status: 0 })).toBe('success endpoint');
    expect(decide([], { status: 999 })).toBe('success endpoint');
  });
});

describe('the named row sets', () => {
  it.each<[rows: readonly OutcomeRow[], fields: Partial<Ending>, said: string]>([
    [clientErrorsIgnored, { status: 404 }, 'ignore endpoint'],
    [clientErrorsIgnored, { status: 407 }, 'ignore endpoint'],
    [clientErrorsIgnored, { status: 409 }, 'ignore endpoint'],
    [clientErrorsIgnored, { status: 499 }, 'ignore endpoint'],
    [clientErrorsIgnored, { status: 408 }, 'failure endpoint'],
    [clientErrorsIgnored, { status: 429 }, 'failure endpoint'],
    [clientErrorsIgnored, { status: 500 }, 'failure endpoint'],
    [sharedCredentials, { status: 401 }, 'failure host'],
    [sharedCredentials, { status: 403 }, 'failure host'],
    [sharedCredentials, { status: 407 }, 'failure host'],
    [sharedCredentials, { status: 404 }, 'success endpoint'],
    [honestRetryAfter, { status: 429, headers: { 'retry-after': '5' } }, 'hold endpoint 5000'],
    [honestRetryAfter, { status: 503, headers: { 'retry-after': '5' } }, 'hold endpoint 5000'],
    [honestRetryAfter, { status: 500, headers: { 'retry-after': '5' } }, 'failure endpoint'],
    [honestRetryAfter, { status: 429 }, 'failure endpoint'],
    [abandonedAfter(1000), { kind: 'cancel', elapsed: 1001 }, 'failure endpoint'],
    [abandonedAfter(1000), { kind: 'cancel', elapsed: 1000 }, 'ignore endpoint'],
    [abandonedAfter(1000), { kind: 'local', elapsed: 1001 }, 'ignore endpoint'],
  ])('%o: %o is %s', (rows, fields, said) => {
    expect(decide(rows, fields)).toBe(said);
  });

  it('take no span that is none', () => {
    expect(() => abandonedAfter(-1)).toThrow(RangeError);
    expect(() => abandonedAfter('1s' as never)).toThrow(TypeError);
  });
});
