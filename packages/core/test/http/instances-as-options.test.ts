import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { checkAdapterOptions, toHttpCircuitBreaker } from '../../src/adapter.ts';
import {
  BreakerRegistry,
  CircuitBreaker,
  defineRules,
  HttpCircuitBreaker,
  lintConfiguration,
  ManualClock,
} from '../../src/index.ts';

type Take = (value: never) => unknown;

const takers: Readonly<Record<string, Take>> = {
  'options of an HttpCircuitBreaker': (value) => new HttpCircuitBreaker(value),
  breaker: (value) => new HttpCircuitBreaker({ breaker: value }),
  hostBreaker: (value) => new HttpCircuitBreaker({ hostBreaker: value }),
  'overrides[0]': (value) => new HttpCircuitBreaker({ overrides: [value] }),
  'overrides[0].breaker': (value) =>
    new HttpCircuitBreaker({ overrides: [{ host: 'a.example', breaker: value }] }),
  configs: (value) => new HttpCircuitBreaker({ configs: value }),
  'configs.slow': (value) => new HttpCircuitBreaker({ configs: { slow: value } }),
  'rules[0]': (value) => new HttpCircuitBreaker({ rules: [value] }),
  'rules[0]: responseHeader': (value) => defineRules([{ responseHeader: value, outcome: 'trip' }]),
  'the options of an adapter': (value) => checkAdapterOptions('guard', undefined, value),
  'the configuration to lint': (value) => lintConfiguration(value),
  'the context of the lint': (value) => lintConfiguration({}, value),
  'options of a CircuitBreaker': (value) => new CircuitBreaker('pricing', value),
  'options of a BreakerRegistry': (value) => new BreakerRegistry(value),
  'breaker of a BreakerRegistry': (value) => new BreakerRegistry({ breaker: value }),
  waitDurationInOpenState: (value) =>
    new CircuitBreaker('pricing', { waitDurationInOpenState: value }),
  'the start of a ManualClock': (value) => new ManualClock(value),
};

const TAKE_ANY_NAME = ['configs', 'rules[0]: responseHeader'];

/** As an agent of Node has it: own fields, and none that is known here. */
class Agent {
  readonly _events = {};
  readonly maxSockets = 5;
}

const strangers: readonly (readonly [object, string])[] = [
  [new HttpCircuitBreaker(), 'an HttpCircuitBreaker'],
  [new BreakerRegistry(), 'a BreakerRegistry'],
  [new Map([['level', 'host']]), 'a Map'],
  [new Headers({ level: 'host' }), 'a Headers'],
  [new Date(), 'a Date'],
  [new URLSearchParams(), 'a URLSearchParams'],
  [new AbortController(), 'an AbortController'],
  [Promise.resolve({}), 'a Promise'],
];

describe.each(Object.entries(takers))('%s', (_, take) => {
  it.each(strangers)('can not be %s', (stranger, shown) => {
    expect(() => take(stranger as never)).toThrow(TypeError);
    expect(() => take(stranger as never)).toThrow(
      new RegExp(`must be .*, but is ${shown}(?:$|: )`),
    );
  });
});

describe.each(Object.entries(takers).filter(([what]) => !TAKE_ANY_NAME.includes(what)))(
  '%s',
  (_, take) => {
    it('says what an instance is with fields of its own, and not only that they are unknown', () => {
      expect(() => take(new Agent() as never)).toThrow(TypeError);
      expect(() => take(new Agent() as never)).toThrow(/ must be a plain object, but is an Agent$/);
    });
  },
);

it.each(['breaker', 'hostBreaker', 'overrides[0].breaker', 'options of an HttpCircuitBreaker'])(
  'a CircuitBreaker is told as such: %s',
  (what) => {
    expect(() => takers[what]!(new CircuitBreaker('pricing') as never)).toThrow(
      / must be a plain object, but is a CircuitBreaker$/,
    );
  },
);

it('an HttpCircuitBreaker, or a plain object, is the breaker of an adapter, and nothing else', () => {
  const http = new HttpCircuitBreaker();

  expect(toHttpCircuitBreaker(http)).toBe(http);
  expect(toHttpCircuitBreaker({})).toBeInstanceOf(HttpCircuitBreaker);
  expect(() => toHttpCircuitBreaker(new Map() as never)).toThrow('but is a Map');
});

describe('an HttpCircuitBreaker among options', () => {
  const where = 'hand it over in place of the options';

  it.each([
    ['breaker', takers['breaker']!],
    ['hostBreaker', takers['hostBreaker']!],
    ['overrides[0].breaker', takers['overrides[0].breaker']!],
    ['options', takers['options of an HttpCircuitBreaker']!],
    ['guard: options', takers['the options of an adapter']!],
  ])('is told where it belongs: %s', (what, take) => {
    expect(() => take(new HttpCircuitBreaker() as never)).toThrow(
      new TypeError(`${what} must be a plain object, but is an HttpCircuitBreaker: ${where}`),
    );
  });

  it('is told so for one of another copy of the package, whatever its class is called', () => {
    class Mangled {}
    const brand = Symbol.for('@recloser/core.HttpCircuitBreaker');
    Object.defineProperty(Mangled.prototype, brand, { value: true });

    expect(() => takers['breaker']!(new Mangled() as never)).toThrow(where);
  });
});

describe('options may be', () => {
  const consecutiveFailureThreshold = 3;

  /** What an endpoint's breaker goes by. */
  function thresholdOf(breaker: object): number {
    const http = new HttpCircuitBreaker({ breaker });
    http.admit({ method: 'GET', url: 'https://a.example/' }).responded(200);
    return http.find('GET https://a.example/')!.machine.options.consecutiveFailureThreshold;
  }

  class Fields {
    readonly consecutiveFailureThreshold = consecutiveFailureThreshold;
  }
  class Getters {
    get consecutiveFailureThreshold(): number {
      return consecutiveFailureThreshold;
    }
  }
  class Heirs extends Fields {}
  const withoutPrototype: object = Object.assign(Object.create(null), {
    consecutiveFailureThreshold,
  });
  const foreign = runInContext(
    `({ consecutiveFailureThreshold: ${consecutiveFailureThreshold} })`,
    createContext(),
  ) as object;

  it.each([
    ['an instance with fields', new Fields()],
    ['an instance of a subclass', new Heirs()],
    ['an instance with getters', new Getters()],
    ['without a prototype', withoutPrototype],
    ['of another realm', foreign],
    ['inherited', Object.create({ consecutiveFailureThreshold }) as object],
  ])('%s', (_, options) => {
    expect(thresholdOf(options)).toBe(consecutiveFailureThreshold);
  });

  it.each([
    ['without a prototype', Object.create(null) as object],
    ['of another realm', runInContext('({})', createContext()) as object],
    ['inherited', Object.create({}) as object],
  ])('empty and %s', (_, options) => {
    for (const take of [takers['options of an HttpCircuitBreaker']!, takers['breaker']!]) {
      expect(() => take(options as never)).not.toThrow();
    }
  });

  it('an instance of one of your classes, whose misspelt field is told by its likely name', () => {
    class Misspelt {
      readonly failureRateTreshold = 40;
    }
    expect(() => new HttpCircuitBreaker({ breaker: new Misspelt() as object })).toThrow(
      "breaker: 'failureRateTreshold' is not known; did you mean 'failureRateThreshold'?",
    );
  });
});

describe('a clock', () => {
  it('that is the class itself is called by its name', () => {
    expect(() => new HttpCircuitBreaker({ clock: ManualClock as never })).toThrow(
      new TypeError('clock must be an object, but is the class ManualClock'),
    );
  });

  it('may hide all that it has', () => {
    expect(() => new HttpCircuitBreaker({ clock: new ManualClock() })).not.toThrow();
  });
});

describe('a value whose class can not be told', () => {
  const hostile: object = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('hostile');
      },
    },
  );
  class Named {
    static readonly name = 5;
  }

  it.each([[hostile], [new (class {})()], [new Named()]])('is an object in an error', (value) => {
    expect(() => new CircuitBreaker('pricing', { slidingWindowSize: value as never })).toThrow(
      'slidingWindowSize must be a number, but is an object',
    );
  });
});
