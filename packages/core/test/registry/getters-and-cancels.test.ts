import { expect, it } from 'vitest';
import { BreakerRegistry, CircuitBreaker, HttpCircuitBreaker } from '../../src/index.ts';

class Settings {
  get failureRateThreshold(): number {
    return 1;
  }
  get minimumNumberOfCalls(): number {
    return 1;
  }
}

it('options from getters of a class hold in a named configuration of a registry', () => {
  const breaker = new BreakerRegistry({ configs: { own: new Settings() } }).get('own')!;
  breaker.acquire().failure();
  expect(breaker.state).toBe('open');
});

it('options from getters of a class hold in a named configuration of an HTTP breaker', () => {
  const configs = { strict: new Settings() };
  const http = new HttpCircuitBreaker({
    level: 'endpoint',
    configs,
    overrides: [{ base: 'strict' }],
  });
  http.admit({ method: 'GET', url: 'http://one.example/x' }).responded(503);
  expect(http.find('GET http://one.example/x')?.state).toBe('open');
});

it('a wrong option from a getter of a class is refused in a named configuration', () => {
  class Wrong {
    get failureRateThreshold(): number {
      return 1000;
    }
  }
  expect(() => new BreakerRegistry({ configs: { own: new Wrong() } })).toThrow(RangeError);
});

it.each(['delete', 'clear'] as const)('a cancel that throws at %s is told by an event', (way) => {
  const setTimer = () => () => {
    throw new Error('it can not be cancelled');
  };
  const registry = new BreakerRegistry({
    clock: { now: () => 0, date: () => 0, setTimer },
    breaker: { automaticTransitionFromOpenToHalfOpenEnabled: true },
  });
  const sources: string[] = [];
  registry.on('error', ({ source }) => sources.push(source));
  registry.get('a')?.transitionToOpenState();
  registry[way]('a');
  expect(sources).toEqual(['clock']);
});

it('a function with a then is no answer of recordResult', () => {
  // oxlint-disable-next-line unicorn/no-thenable
  const answer = Object.assign(() => {}, { then: () => {} });
  const breaker = new CircuitBreaker('test', { recordResult: () => answer as never });
  breaker.acquire().result('value');
  expect(breaker.metrics().numberOfFailedCalls).toBe(0);
});
