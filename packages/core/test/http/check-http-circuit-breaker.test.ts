import { expect, test } from 'vitest';
import { checkHttpCircuitBreaker } from '../../src/adapter.ts';
import { CircuitBreaker, HttpCircuitBreaker } from '../../src/index.ts';

test('an HttpCircuitBreaker passes, also of another copy of the package', () => {
  const http = new HttpCircuitBreaker();
  const foreign = { [Symbol.for('@recloser/core.HttpCircuitBreaker')]: true };

  expect(checkHttpCircuitBreaker('watch: breaker', http)).toBe(http);
  expect(checkHttpCircuitBreaker('watch: breaker', foreign)).toBe(foreign);
});

test.each([
  ['a guarded fetch', () => {}, 'a function'],
  ['options', { level: 'host' }, 'an object'],
  ['a breaker without HTTP', new CircuitBreaker('prices'), 'a CircuitBreaker'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
])('%s is refused, in words that say where to get one', (_, value, shown) => {
  expect(() => checkHttpCircuitBreaker('watch: breaker', value)).toThrow(
    new TypeError(
      `watch: breaker must be an HttpCircuitBreaker, but is ${shown}: make one, and hand it to the adapter of your client, too`,
    ),
  );
});
