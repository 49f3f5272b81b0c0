import { expectTypeOf, test } from 'vitest';
import {
  defineRules,
  explainOutcome,
  HttpCircuitBreaker,
  lintRules,
  type CircuitBreakerState,
  type ErrorCode,
  type ErrorKind,
  type OutcomeRow,
  type OutcomeRules,
  type TransitionReason,
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

test('rules that come from JSON go where rules go', () => {
  const rules = JSON.parse('[]') as OutcomeRow[];
  expectTypeOf(lintRules(rules)[0]!.row).toEqualTypeOf<number | undefined>();
  expectTypeOf(explainOutcome({ rows: rules, standard: true }, { status: 503 }).text).toBeString();
  new HttpCircuitBreaker({ rules });
  // @ts-expect-error: an example has a status, not a statusCode.
  explainOutcome(rules, { statusCode: 503 });
});

test("an event's name narrows what its listener gets", () => {
  const breaker = new HttpCircuitBreaker();
  breaker.on('stateTransition', (event) => {
    expectTypeOf(event.type).toEqualTypeOf<'stateTransition'>();
    expectTypeOf(event.from).toEqualTypeOf<CircuitBreakerState>();
    expectTypeOf(event.reason).toEqualTypeOf<TransitionReason>();
    // @ts-expect-error: a transition is no ending of a call.
    void event.elapsed;
  });
  breaker.on('failure', (event) => {
    expectTypeOf(event.rule).toEqualTypeOf<string | undefined>();
    expectTypeOf(event.status).toEqualTypeOf<number | undefined>();
    // @ts-expect-error: only a held call tells for how long.
    void event.holdFor;
  });
  breaker.on('held', ({ holdFor }) => expectTypeOf(holdFor).toBeNumber());
  breaker.on('endpointLimitReached', ({ limit }) => expectTypeOf(limit).toBeNumber());
  // @ts-expect-error: the event is called stateTransition.
  breaker.on('stateTransitions', () => {});
});
