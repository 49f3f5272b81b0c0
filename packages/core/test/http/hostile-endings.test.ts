import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorKind, errorKinds } from '../../src/http/error-kind.ts';
import { outcomes, type Ending, type OutcomeRow } from '../../src/http/outcome-row.ts';
import { compileRules } from '../../src/http/outcome-rules.ts';
import { defineRules, explainOutcome, type OutcomeExample } from '../../src/index.ts';

const fail = (): never => {
  throw new Error('no');
};

/** Values that throw when they are looked at, never end, or are not what they seem. */
function hostile(): unknown[] {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const revokedList = Proxy.revocable([], {});
  revokedList.revoke();
  const endless: object = new Proxy({}, { get: () => endless });
  const fresh = (): object => new Proxy({}, { get: () => fresh() });
  const circle: unknown[] = [];
  circle.push(circle);
  const self: Record<string, unknown> = {};
  self['cause'] = self;
  self['errors'] = [self];
  return [
    new Proxy(() => {}, { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail }),
    new Proxy(new Error('x'), { get: fail }),
    new Proxy([], { get: fail }),
    revoked.proxy,
    revokedList.proxy,
    endless,
    fresh(),
    circle,
    self,
    Object.create(null),
    Object.defineProperty({}, 'code', { get: fail }),
    Object.defineProperty(new Error('x'), 'message', { get: fail }),
    { get: fail },
    { get: () => Symbol('x') },
    { get: async () => '5' },
    { toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail },
    { name: { toString: fail }, code: 1n, message: Symbol('x') },
    { code: 'E'.repeat(1e6), message: 'a '.repeat(1e6), name: '\0' },
    { errors: { length: -1 }, cause: Array.from({ length: 1000 }) },
    { 'retry-after': Array.from({ length: 1000 }, () => '5,'), 'x-a': [[[[]]]] },
    Symbol('x'),
    1n,
    NaN,
    fail,
  ];
}

const rows: OutcomeRow[] = [
  { name: 'a', responseHeader: { 'x-a': 'b', 'x-b': true }, status: 'any', outcome: 'trip' },
  { retryAfter: true, outcome: 'hold' },
  { error: ['dns', 'EPIPE', 'any'], responseHeader: { 'x-a': true }, outcome: 'failure' },
  { error: ['refused', 'ECONNRESET'], slowerThan: 5, outcome: 'ignore' },
  { when: ({ error }) => (error as { bad: boolean }).bad, outcome: 'trip' },
  { status: [503, '4xx'], method: 'GET', host: '*.example.com', path: '/a/*', outcome: 'trip' },
];
const tables = [true, false].map((standard) => compileRules(defineRules(rows, { standard })));

// Makers of values: fast-check looks into a value, and hostile ones throw.
type Maker = () => unknown;

const harmless = fc.anything({
  withNullPrototype: true,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSparseArray: true,
});
const value: fc.Arbitrary<Maker> = fc.oneof(
  harmless.map((it) => () => it),
  fc.nat(hostile().length - 1).map((index) => () => hostile()[index]),
);
const inside: fc.Arbitrary<Maker> = fc.oneof(
  value,
  fc.tuple(value, value, value, value, value).map(([cause, inner, code, name, message]) => () => ({
    cause: cause(),
    errors: [inner(), cause()],
    code: code(),
    name: name(),
    message: message(),
  })),
  value.map((make) => () => new Error('outer', { cause: make() })),
  value.map((make) => () => new AggregateError([make(), make()])),
  value.map((make) => () => new Proxy({}, { get: make })),
);

describe('any value whatever', () => {
  it('is of a kind, as an error and as a signal', () => {
    fc.assert(
      fc.property(inside, inside, (error, signal) => {
        const answer = errorKind(error(), signal() as never);
        expect(errorKinds).toContain(answer.kind);
        expect((answer.code ?? '').length).toBeLessThanOrEqual(64);
        expect(Object.keys(answer).filter((key) => key !== 'kind' && key !== 'code')).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('ends in an outcome, as an error, as headers and as a response', () => {
    const status = fc.oneof(
      fc.constantFrom(undefined, NaN, -1, 0, 1e9, 503),
      fc.integer({ min: 0, max: 1000 }),
    );
    fc.assert(
      fc.property(inside, inside, inside, status, (error, headers, response, code) => {
        const ending = {
          method: 'GET',
          host: 'https://a.example.com',
          path: '/a/b',
          elapsed: 9,
          now: 0,
        };
        const told = {
          ...ending,
          error: error(),
          headers: headers(),
          response: response(),
          status: code,
        } as Ending;
        for (const table of tables) expect(outcomes).toContain(table.decide(told).outcome);
      }),
      { numRuns: 150 },
    );
  });

  it('is explained, or refused by a TypeError or RangeError, as an example', () => {
    fc.assert(
      fc.property(inside, inside, inside, (error, headers, response) => {
        const thrownValue = error();
        const told = { status: 503, headers: headers(), response: response(), now: 0 };
        const example = { ...told, error: thrownValue } as OutcomeExample;
        try {
          expect(outcomes).toContain(explainOutcome(rows, example).outcome);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(RangeError);
          expect(thrownValue).toBeTypeOf('string');
        }
      }),
      { numRuns: 150 },
    );
  });
});
