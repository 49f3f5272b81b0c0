import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HttpCircuitBreaker,
  isCallNotPermitted,
  ManualClock,
  type HttpCircuitBreakerOptions,
} from '../../src/index.ts';

const seed = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`hostile configuration: FC_SEED=${seed}`);

/** Refused by a clear error at once, or good for calls of every ending. */
function isRefusedOrWorks(options: unknown): void {
  let breaker: HttpCircuitBreaker;
  try {
    breaker = new HttpCircuitBreaker({
      ...(options as HttpCircuitBreakerOptions),
      clock: new ManualClock(),
    });
  } catch (error) {
    expect(error).toSatisfy(
      (thrown) => thrown instanceof TypeError || thrown instanceof RangeError,
    );
    expect((error as Error).message).not.toMatch(/undefined|\[object|is not a function|of null/);
    return;
  }
  for (const status of [200, 404, 429, 503, 999]) {
    try {
      const admission = breaker.admit({ method: 'GET', url: `https://a.example/${status}` });
      admission.responded(status, { 'retry-after': '5' });
      admission.bodyFailed(new Error('cut'));
    } catch (error) {
      expect(isCallNotPermitted(error)).toBe(true);
    }
  }
}

/** The fields of a row, with values that are right, nearly right, or anything. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    '5xx',
    '500-504',
    'any',
    'reset',
    'hold',
    'trip',
    'host',
    '/a/:id',
    '*.a.example',
  ),
  fc.constantFrom(503, 0, -1, 1e9, true, null, [], {}, ['GET', 'POST'], { __proto__: null }),
);
const names =
  'name status error method host path responseHeader retryAfter slowerThan when outcome domain holdFor ' +
  '__proto__ constructor toString';
const row = fc.dictionary(fc.constantFrom(...names.split(' ')), value, { maxKeys: 5 });

describe('a configuration from hostile JSON', () => {
  it.each<[what: string, options: fc.Arbitrary<unknown>]>([
    ['rules', fc.record({ rules: fc.oneof(fc.array(row, { maxLength: 4 }), fc.jsonValue()) })],
    [
      'overrides',
      fc.record({ overrides: fc.oneof(fc.array(row, { maxLength: 4 }), fc.jsonValue()) }),
    ],
    ['endpoints', fc.record({ endpoints: fc.oneof(fc.array(fc.string()), fc.jsonValue()) })],
    ['configs', fc.record({ configs: fc.dictionary(fc.string(), fc.jsonValue()) })],
    ['options', fc.jsonValue()],
  ])('by its %s is refused by a clear error, or works', (_, options) => {
    fc.assert(fc.property(options, isRefusedOrWorks), { numRuns: 500, seed });
  });

  it('pollutes no prototype', () => {
    const options: unknown = JSON.parse(
      '{ "configs": { "__proto__": { "failureRateThreshold": 1 } }, ' +
        '"overrides": [{ "base": "__proto__", "name": "x" }] }',
    );

    isRefusedOrWorks(options);
    expect(({} as Record<string, unknown>)['failureRateThreshold']).toBeUndefined();
  });
});
