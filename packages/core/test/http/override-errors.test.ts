import { expect, it } from 'vitest';
import { HttpCircuitBreaker, type HttpCircuitBreakerOptions } from '../../src/index.ts';

const configs = { patient: { slowCallDurationThreshold: 120_000 } };

function complaint(options: object): string {
  try {
    new HttpCircuitBreaker(options as HttpCircuitBreakerOptions);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'none';
}

it.each<[override: unknown, name: string, ...words: string[]]>([
  [7, 'TypeError', 'overrides[1]', '7'],
  [null, 'TypeError', 'overrides[1]', 'null'],
  [{ hots: 'x' }, 'TypeError', 'overrides[1]', "'hots'", "did you mean 'host'?"],
  [{ name: 7 }, 'TypeError', 'overrides[1].name', '7'],
  [{ name: '' }, 'TypeError', 'overrides[1].name', "''"],
  [{ host: 7 }, 'TypeError', 'overrides[1].host', '7'],
  [{ host: 'https://x' }, 'RangeError', 'overrides[1].host', "'https://x'"],
  [{ method: [] }, 'TypeError', 'overrides[1].method', 'an empty list'],
  [{ method: 'a b' }, 'RangeError', 'overrides[1].method', "'a b'"],
  [{ path: 'users' }, 'RangeError', 'overrides[1].path', "'users'"],
  [{ path: null }, 'TypeError', 'overrides[1].path', 'null'],
  [{ level: 'hosts' }, 'TypeError', 'overrides[1].level', "'hosts'", "did you mean 'host'?"],
  [{ breaker: true }, 'TypeError', 'overrides[1].breaker', 'true'],
  [{ breaker: null }, 'TypeError', 'overrides[1].breaker', 'null'],
  [
    { breaker: { minimumNumberOfCall: 3 } },
    'TypeError',
    'overrides[1].breaker',
    "did you mean 'minimumNumberOfCalls'?",
  ],
  [
    { breaker: { minimumNumberOfCalls: 0 } },
    'RangeError',
    'overrides[1].breaker.minimumNumberOfCalls',
    '0',
  ],
  [
    { breaker: { failureCountThreshold: 20 } },
    'RangeError',
    'overrides[1].breaker.failureCountThreshold',
    '20',
  ],
  [{ breaker: { clock: {} } }, 'TypeError', 'overrides[1].breaker.clock'],
  [{ base: 'pateint' }, 'TypeError', 'overrides[1]', "'pateint'", "did you mean 'patient'?"],
  [{ base: 'toString' }, 'TypeError', 'overrides[1]', "'toString'"],
  [{ host: 'y' }, 'TypeError', 'overrides[1] changes nothing', 'breaker, base or name'],
  [{ failureRateThreshold: 4 }, 'TypeError', "'failureRateThreshold' belongs under breaker"],
  [{ timeout: 4 }, 'TypeError', 'overrides[1]', 'Recloser sets no timeouts'],
  [{ base: 7 }, 'TypeError', 'overrides[1]', 'base', '7'],
  [{ base: null }, 'TypeError', 'overrides[1]', 'base', 'null'],
  [{ base: {} }, 'TypeError', 'overrides[1]', 'base', 'object'],
])('an override that is wrong is named: %o', (override, name, ...words) => {
  const message = complaint({ configs, overrides: [{ host: 'x', name: 'x' }, override] });
  expect(message).toMatch(new RegExp(`^${name}: `));
  for (const word of words) expect(message).toContain(word);
});

it.each<[configs: object, ...words: string[]]>([
  [{ a: { base: 'b' }, b: { base: 'a' } }, 'configs.a', 'a → b → a'],
  [{ a: { base: 'a' } }, 'configs.a', 'a → a'],
  [{ first: { base: 'secnod' }, second: {} }, 'configs.first', "did you mean 'second'?"],
  [{ first: { base: 7 }, second: {} }, 'configs.first', 'base', '7'],
  [{ first: { base: null }, second: {} }, 'configs.first', 'base', 'null'],
])('a base that is unknown or circular is named: %j', (given, ...words) => {
  const message = complaint({ configs: given });
  expect(message).toMatch(/^TypeError: /);
  for (const word of words) expect(message).toContain(word);
});

it('an override of hosts by method or path is an error, since a host has neither', () => {
  expect(complaint({ overrides: [{ level: 'host', path: '/users' }] })).toMatch(
    /^TypeError: overrides\[0\]/,
  );
});
