import { describe, expect, it } from 'vitest';
import {
  BreakerRegistry,
  CircuitBreaker,
  HttpCircuitBreaker,
  type HttpBreakerOptions,
  type HttpCircuitBreakerOptions,
} from '../../src/index.ts';

class Settings {
  get failureRateThreshold(): number {
    return 1;
  }
  get minimumNumberOfCalls(): number {
    return 1;
  }
}

class SettingsOfSubclass extends Settings {
  readonly slowCallRateThreshold: number = 100;
}

/** A breaker with these opens at its first failure. */
const forms: [what: string, options: HttpBreakerOptions][] = [
  ['a prototype', Object.create({ failureRateThreshold: 1, minimumNumberOfCalls: 1 })],
  [
    'a prototype of a prototype',
    Object.create(Object.create({ failureRateThreshold: 1, minimumNumberOfCalls: 1 })),
  ],
  ['getters of a class', new Settings()],
  ['getters of a base class', new SettingsOfSubclass()],
];

function stateAfterFailure(breaker: CircuitBreaker | undefined): string | undefined {
  breaker?.acquire().failure();
  return breaker?.state;
}

/** The states of the host and the endpoint after a request that failed. */
function statesOver(options: HttpCircuitBreakerOptions): Record<string, string> {
  const http = new HttpCircuitBreaker(options);
  http.admit({ method: 'GET', url: 'http://one.example/x' }).responded(503);
  return Object.fromEntries(http.snapshot().breakers.map(({ level, state }) => [level, state]));
}

describe.each(forms)('options from %s', (_, breaker) => {
  it('hold in a breaker, a registry and an HTTP breaker alike', () => {
    const states = {
      breaker: stateAfterFailure(new CircuitBreaker('own', breaker)),
      registry: stateAfterFailure(new BreakerRegistry({ breaker }).get('own')),
      http: statesOver({ breaker, level: 'endpoint' })['endpoint'],
    };
    expect(states).toEqual({ breaker: 'open', registry: 'open', http: 'open' });
  });

  it('hold at the host', () => {
    expect(statesOver({ hostBreaker: breaker, level: 'host' })).toEqual({ host: 'open' });
  });

  it('hold in an override', () => {
    const overrides = [{ host: 'one.example', breaker }];
    expect(statesOver({ overrides, level: 'endpoint' })).toEqual({ endpoint: 'open' });
  });
});

describe('options of the HTTP breaker itself', () => {
  it.each<[string, HttpCircuitBreakerOptions]>([
    ['a prototype', Object.create({ level: 'host' })],
    [
      'getters of a class',
      new (class {
        get level() {
          return 'host' as const;
        }
      })(),
    ],
  ])('from %s hold', (_, options) => {
    expect(Object.keys(statesOver(options))).toEqual(['host']);
  });

  it('and of an override, from getters of a class, hold', () => {
    class Override {
      get host(): string {
        return 'one.example';
      }
      get breaker(): Settings {
        return new Settings();
      }
    }
    const overrides = [new Override()];
    expect(statesOver({ overrides, level: 'endpoint' })).toEqual({ endpoint: 'open' });
  });
});
