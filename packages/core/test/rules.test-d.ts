import { expectTypeOf, test } from 'vitest';
import {
  abandonedAfter,
  clientErrorsIgnored,
  defineRules,
  explainOutcome,
  honestRetryAfter,
  HttpCircuitBreaker,
  lintRules,
  sharedCredentials,
  standardRules,
  type DefineRulesOptions,
  type Domain,
  type ErrorCode,
  type ErrorKind,
  type ExplainedRow,
  type HeadersLike,
  type Outcome,
  type OutcomeExample,
  type OutcomeExplanation,
  type OutcomeRow,
  type OutcomeRules,
  type PassedOverRow,
  type PredicateInput,
  type RuleFinding,
  type RuleFindingKind,
  type StatusCondition,
} from '../src/index.ts';

test('a table takes every condition, outcome, kind and code', () => {
  const rules = defineRules(
    [
      { status: [503, '5xx', '4XX', '500-504', 'any'], retryAfter: true, outcome: 'hold' },
      { error: ['dns', 'ECONNRESET', 'ConnectionRefused', 'any'], outcome: 'trip', domain: 'host' },
      { method: 'GET', host: '*.example.com', path: ['/a', '/b/*'], outcome: 'ignore' },
      { responseHeader: { 'x-a': true, 'x-b': ['c'] }, slowerThan: 5, outcome: 'success' },
      { when: ({ kind, status }) => kind === 'reset' || status === 503, outcome: 'failure' },
    ],
    { standard: false },
  );
  expectTypeOf(rules).toEqualTypeOf<OutcomeRules>();
  // @ts-expect-error: a table is frozen.
  rules.rows[0] = { outcome: 'trip' };
});

test('a misspelt condition is no row', () => {
  // @ts-expect-error: the condition is called status.
  defineRules([{ staus: 503, outcome: 'failure' }]);
  // @ts-expect-error: the condition is called responseHeader.
  defineRules([{ responseHeaders: { 'x-a': 'b' }, outcome: 'failure' }]);
  // @ts-expect-error: there is no such class of statuses.
  defineRules([{ status: '5x', outcome: 'failure' }]);
  // @ts-expect-error: a status is a number.
  defineRules([{ status: '503', outcome: 'failure' }]);
  // @ts-expect-error: retryAfter is true, or left out.
  defineRules([{ retryAfter: false, outcome: 'failure' }]);
  // @ts-expect-error: left out is not undefined.
  defineRules([{ status: undefined, outcome: 'failure' }]);
  // @ts-expect-error: the option is called standard.
  defineRules([], { standart: false });
});

test('a misspelt outcome or domain is no row', () => {
  // @ts-expect-error: a row must have an outcome.
  defineRules([{ status: 503 }]);
  // @ts-expect-error: the outcome is called failure.
  defineRules([{ status: 503, outcome: 'fail' }]);
  // @ts-expect-error: the domain is called host.
  defineRules([{ status: 503, outcome: 'failure', domain: 'hosts' }]);
});

test('a misspelt kind is neither a kind nor a code', () => {
  // @ts-expect-error: the kind is called refused.
  defineRules([{ error: 'refuesd', outcome: 'failure' }]);
  // @ts-expect-error: the kind is called connect-timeout.
  defineRules([{ error: ['dns', 'connectTimeout'], outcome: 'failure' }]);
  // @ts-expect-error: a code begins with a capital.
  defineRules([{ error: 'econnreset', outcome: 'failure' }]);
  expectTypeOf<'ECONNRESET'>().toExtend<ErrorCode>();
  expectTypeOf<ErrorKind & ErrorCode>().toEqualTypeOf<never>();
});

test('rows in place are checked as those within defineRules are', () => {
  new HttpCircuitBreaker({ rules: [{ status: 404, outcome: 'success', domain: 'host' }] });
  // @ts-expect-error: the condition is called status.
  new HttpCircuitBreaker({ rules: [{ staus: 404, outcome: 'success' }] });
  // @ts-expect-error: the outcome is called success.
  new HttpCircuitBreaker({ rules: [{ status: 404, outcome: 'succes' }] });
  // @ts-expect-error: the domain is called endpoint.
  new HttpCircuitBreaker({ rules: [{ status: 404, outcome: 'success', domain: 'path' }] });
  // @ts-expect-error: the kind is called response-timeout.
  new HttpCircuitBreaker({ rules: [{ error: 'timeout', outcome: 'failure' }] });
  // @ts-expect-error: there is no such class of statuses.
  new HttpCircuitBreaker({ rules: [{ status: '0xx', outcome: 'failure' }] });
});

test('rows in a variable are rows by satisfies, as constants or within defineRules', () => {
  const widened = [{ status: 404, outcome: 'success' }];
  // @ts-expect-error: the outcome is any string.
  new HttpCircuitBreaker({ rules: widened });
  const satisfying = [{ status: 404, outcome: 'success' }] satisfies OutcomeRow[];
  const constant = [{ status: ['4xx', 500], method: ['GET'], outcome: 'success' }] as const;
  const defined = defineRules([{ status: 404, outcome: 'success' }]);
  new HttpCircuitBreaker({ rules: satisfying });
  new HttpCircuitBreaker({ rules: constant });
  new HttpCircuitBreaker({ rules: [...satisfying, ...constant, ...defined.rows] });
  new HttpCircuitBreaker({ rules: defined });
  // @ts-expect-error: the outcome is called success.
  void ([{ status: 404, outcome: 'succes' }] satisfies OutcomeRow[]);
});

test('the words of a row have types of their own', () => {
  expectTypeOf<Outcome>().toEqualTypeOf<'success' | 'failure' | 'ignore' | 'trip' | 'hold'>();
  expectTypeOf<Domain>().toEqualTypeOf<'endpoint' | 'host'>();
  expectTypeOf<503 | '5xx' | '500-504' | 'any'>().toExtend<StatusCondition>();
  // @ts-expect-error: a range has two ends.
  void ('500-' satisfies StatusCondition);
  const options: DefineRulesOptions = { standard: false };
  defineRules([], options);
});

test('a predicate gets the ending, and answers at once', () => {
  const predicate = (ending: PredicateInput): boolean => {
    expectTypeOf(ending.status).toEqualTypeOf<number | undefined>();
    expectTypeOf(ending.kind).toEqualTypeOf<ErrorKind | undefined>();
    expectTypeOf(ending.headers).toEqualTypeOf<HeadersLike | undefined>();
    expectTypeOf(ending.response).toBeUnknown();
    expectTypeOf(ending.elapsed).toBeNumber();
    // @ts-expect-error: there is no such kind.
    return ending.kind === 'timeout';
  };
  defineRules([{ when: predicate, outcome: 'failure' }]);
  // @ts-expect-error: it has to answer at once.
  defineRules([{ when: async () => true, outcome: 'failure' }]);
});

test('the sets of rows are rows', () => {
  const rows = [...clientErrorsIgnored, ...honestRetryAfter, ...sharedCredentials];
  defineRules([...rows, ...abandonedAfter(1000), ...standardRules], { standard: false });
  expectTypeOf(standardRules).toEqualTypeOf<readonly OutcomeRow[]>();
  expectTypeOf(abandonedAfter).toEqualTypeOf<(ms: number) => readonly OutcomeRow[]>();
  // @ts-expect-error: they are frozen.
  standardRules.push({ outcome: 'trip' });
  // @ts-expect-error: a number of ms.
  abandonedAfter('1s');
});

test('rules that come from JSON go where rules go', () => {
  const rules = JSON.parse('[]') as OutcomeRow[];
  expectTypeOf(lintRules(rules)[0]!.row).toEqualTypeOf<number | undefined>();
  expectTypeOf(explainOutcome({ rows: rules, standard: true }, { status: 503 }).text).toBeString();
  new HttpCircuitBreaker({ rules });
  // @ts-expect-error: an example has a status, not a statusCode.
  explainOutcome(rules, { statusCode: 503 });
});

test('an explanation tells the outcome, and why', () => {
  const example: OutcomeExample = { url: 'https://api.example.com/', error: 'refused' };
  const explanation = explainOutcome([], example);
  expectTypeOf(explanation).toEqualTypeOf<OutcomeExplanation>();
  expectTypeOf(explanation.outcome).toEqualTypeOf<Outcome>();
  expectTypeOf(explanation.domain).toEqualTypeOf<Domain>();
  expectTypeOf(explanation.row).toEqualTypeOf<ExplainedRow | undefined>();
  expectTypeOf(explanation.row?.from).toEqualTypeOf<'own' | 'standard' | undefined>();
  expectTypeOf(explanation.passedOver).toEqualTypeOf<readonly PassedOverRow[]>();
  expectTypeOf<PassedOverRow['condition']>().toEqualTypeOf<keyof OutcomeRow>();
});

test('a finding of a table has one of the kinds', () => {
  expectTypeOf(lintRules).returns.toEqualTypeOf<RuleFinding[]>();
  const [finding] = lintRules(defineRules([]));
  expectTypeOf(finding?.kind).toEqualTypeOf<RuleFindingKind | undefined>();
  expectTypeOf(finding?.message).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: the kind is called unreachable.
  void (finding?.kind === 'not-reached');
});
