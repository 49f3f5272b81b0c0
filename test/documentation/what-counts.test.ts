import {
  abandonedAfter,
  clientErrorsIgnored,
  defineRules,
  errorKind,
  errorKinds,
  explainOutcome,
  honestRetryAfter,
  sharedCredentials,
  standardRules,
  type OutcomeRow,
} from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { outcomes } from '../../packages/core/src/http/outcome-row.ts';
import { codesIn, docText, firstCodes, tableOf } from './page-tables.ts';

const page = docText('what-counts');
const anywhere = { method: 'GET', url: 'https://api.example.com/items/7' };

describe('the page on what counts', () => {
  test('gives every standard row as the code has it', () => {
    const shown = tableOf('what-counts', 'row ').map(([name, ending, outcome, of]) => ({
      name,
      ending: codesIn(ending),
      outcome,
      of,
    }));

    expect(shown).toEqual(
      standardRules.map(({ name, status, error, outcome, domain = 'endpoint' }) => ({
        name,
        ending: [status ?? error].flat().map(String),
        outcome,
        of: outcome === 'failure' ? domain : '',
      })),
    );
  });

  test('has every condition of a row, and no other', () => {
    const conditions = {
      status: true,
      error: true,
      method: true,
      host: true,
      path: true,
      responseHeader: true,
      retryAfter: true,
      slowerThan: true,
      when: true,
    } satisfies Record<Exclude<keyof OutcomeRow, 'name' | 'outcome' | 'domain' | 'holdFor'>, true>;

    expect(firstCodes('what-counts', 'field ')).toEqual(Object.keys(conditions));
  });

  test('has every outcome, and no other', () => {
    expect(firstCodes('what-counts', '`outcome` ')).toEqual(outcomes);
  });

  test('has every kind of error, and no other', () => {
    const kinds = tableOf('what-counts', 'kind ').map(([kind]) => codesIn(kind)[0]);

    expect(kinds).toEqual(errorKinds);
  });
});

describe('the kinds on the page on what counts', () => {
  // What is a message, a name or a refusal, and no code.
  const errors: Readonly<Record<string, unknown>> = {
    'Failed to fetch': new TypeError('Failed to fetch'),
    TypeError: new TypeError('price is not a function'),
    AbortError: new DOMException('gone', 'AbortError'),
    'AbortSignal.timeout': new DOMException('too late', 'TimeoutError'),
    TimeoutError: Object.assign(new Error('timed out'), { name: 'TimeoutError' }),
  };
  const examples = tableOf('what-counts', 'kind ').flatMap(([kind, what, example]) =>
    codesIn(`${what} ${example}`)
      .filter((code) => code !== 'ERR_CALL_NOT_PERMITTED')
      .map((code) => [code, codesIn(kind)[0]] as const),
  );

  test('have examples', () => {
    expect(examples.length).toBeGreaterThan(errorKinds.length);
  });

  test.each(examples)('say of %s that it is %s, as it is', (code, kind) => {
    const error = errors[code] ?? Object.assign(new Error('no more is said'), { code });

    expect(errorKind(error).kind).toBe(kind);
  });
});

describe('the row sets on the page on what counts', () => {
  const rows = new Map(
    tableOf('what-counts', 'set ').map(([name, what]) => [codesIn(name)[0], what ?? '']),
  );
  const outcomeOf = (rules: readonly OutcomeRow[], status: number, headers = {}): string => {
    const { outcome, domain } = explainOutcome(rules, { ...anywhere, status, headers });
    return outcome === 'failure' && domain === 'host' ? 'failure of the host' : outcome;
  };

  test('are those of the code', () => {
    expect([...rows.keys()]).toEqual([
      'clientErrorsIgnored',
      'sharedCredentials',
      'honestRetryAfter',
      'abandonedAfter(ms)',
    ]);
  });

  test('leave out the 4xx that they say', () => {
    const statuses = Array.from({ length: 100 }, (_, of) => 400 + of);
    const others = statuses.filter((status) => outcomeOf(clientErrorsIgnored, status) !== 'ignore');

    expect(rows.get('clientErrorsIgnored')).toBe(`4xx but ${others.join(' and ')}: ignore`);
  });

  test('make failures of the host of the credentials that they say', () => {
    const [{ status } = {}] = sharedCredentials;
    const statuses = [status ?? []].flat();

    expect(rows.get('sharedCredentials')).toBe(`${statuses.join(', ')}: failure of the host`);
    for (const each of statuses) {
      expect(outcomeOf(sharedCredentials, Number(each))).toBe('failure of the host');
    }
  });

  test('hold by the statuses that they say', () => {
    const held = [408, 425, 429, 500, 502, 503, 504].filter(
      (status) => outcomeOf(honestRetryAfter, status, { 'retry-after': '1' }) === 'hold',
    );

    expect(rows.get('honestRetryAfter')).toBe(
      `${held.join(' and ')} with a usable \`Retry-After\`: hold`,
    );
  });

  test('count what was given up late', () => {
    const outcomesOf = [9, 10, 11].map(
      (elapsed) =>
        explainOutcome(abandonedAfter(10), { ...anywhere, error: 'cancel', elapsed }).outcome,
    );

    expect(outcomesOf).toEqual(['ignore', 'ignore', 'failure']);
    expect(rows.get('abandonedAfter(ms)')).toBe('a `cancel` that took longer: failure');
  });
});

test('without the standard rows a response is a success and an error a failure, as the page says', () => {
  const none = defineRules([], { standard: false });

  expect(page).toContain('a success if it is a response, and a failure if it is an error');
  expect(explainOutcome(none, { ...anywhere, status: 503 }).outcome).toBe('success');
  expect(explainOutcome(none, { ...anywhere, error: 'ECONNRESET' }).outcome).toBe('failure');
});
