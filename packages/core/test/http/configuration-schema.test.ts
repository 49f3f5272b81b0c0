import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { circuitBreakerDefaults } from '../../src/breaker/options.ts';
import { circuitBreakerOptionNames } from '../../src/breaker/resolve-options.ts';
import { httpOptionNames } from '../../src/http/http-options.ts';
import { domains, outcomes } from '../../src/http/outcome-row.ts';
import { errorKinds, hostDefaults, HttpCircuitBreaker, httpDefaults } from '../../src/index.ts';
import { anyConfiguration } from './configuration-arbitraries.ts';

interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs: Readonly<Record<string, Schema>>;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = JSON.parse(read('configuration.schema.json')) as Schema;
const isValid = new Ajv2020({ strict: true, strictRequired: false }).compile(schema);

const propertiesOf = (part: Schema | undefined) => part?.properties ?? {};
const options = propertiesOf(schema);
const breakerOptions = propertiesOf(schema.$defs['breakerOptions']);

/** What the code says to a configuration; undefined where it takes it. */
function refusal(configuration: unknown): string | undefined {
  try {
    new HttpCircuitBreaker(configuration as object);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const hold = { outcome: 'hold', retryAfter: true };

describe('the schema', () => {
  it.each<[what: string, configuration: unknown]>([
    ['nothing', {}],
    ['its own schema, for an editor', { $schema: './configuration.schema.json' }],
    [
      'every option',
      {
        breaker: {
          failureRateThreshold: 40,
          waitDurationInOpenState: { initial: 20_000, max: 120_000 },
        },
        hostBreaker: { maxWaitDurationInHalfOpenState: 0, waitDurationInOpenState: 1 },
        rules: {
          rows: [
            {
              name: 'missing',
              method: ['GET', 'head'],
              host: '*.example.com',
              path: '/search/*',
              status: ['404', 404].slice(1),
              outcome: 'success',
            },
            { status: [429, '5xx', '500-504', 'any'], ...hold, domain: 'host' },
            { error: ['dns', 'ECONNRESET', 'any'], slowerThan: 0, outcome: 'trip' },
            {
              responseHeader: { 'x-a': true, 'x-b': 'c', 'x-d': ['e'] },
              outcome: 'hold',
              holdFor: 0.5,
            },
          ],
          standard: false,
        },
        endpoints: ['/users/:id', '/files/*'],
        level: 'both',
        maxBreakers: 1,
        maxEndpointsPerHost: 1,
        maxPartitions: 1,
        idleTimeout: 0.5,
        configs: {
          root: { minimumNumberOfCalls: 5 },
          patient: { base: 'root', slowCallDurationThreshold: 120_000 },
        },
        overrides: [
          {
            name: 'pricing',
            host: 'pay.example.com',
            method: 'post',
            path: '/charge',
            base: 'patient',
            breaker: { failureRateThreshold: 20 },
          },
          { level: 'host', host: '[::1]:8080', breaker: false },
        ],
        honorRetryAfter: false,
        maxRetryAfter: 1,
      },
    ],
    ['rows alone', { rules: [] }],
    [
      'a host with a name of another script',
      { overrides: [{ host: 'bücher.example', breaker: {} }] },
    ],
    ['a port with zeros before it', { overrides: [{ host: '*:0065535', breaker: {} }] }],
    ['a colon in a segment', { endpoints: ['/a:b', '//', '/%2A'] }],
  ])('takes, as the code does: %s', (_, configuration) => {
    expect(refusal(configuration)).toBeUndefined();
    expect(isValid(configuration), JSON.stringify(isValid.errors)).toBe(true);
  });

  it.each<[configuration: unknown]>([
    [null],
    [[]],
    [7],
    [{ rule: [] }],
    [{ $schema: 7 }],
    [{ failureRateThreshold: 40 }],
    [{ timeout: 5 }],
    [{ clock: {} }],
    [{ partition: 'x' }],
    [{ key: null }],
    [{ breaker: null }],
    [{ breaker: { clock: {} } }],
    [{ breaker: { base: 'x' } }],
    [{ breaker: { recordErrors: [] } }],
    [{ breaker: { transitionOnResult: {} } }],
    [{ breaker: { failureRateThreshold: 0 } }],
    [{ breaker: { failureRateThreshold: 100.1 } }],
    [{ breaker: { slowCallDurationThreshold: '5s' } }],
    [{ breaker: { slidingWindowType: 'count' } }],
    [{ breaker: { slidingWindowSize: 10_000_001 } }],
    [{ breaker: { minimumNumberOfCalls: 1.5 } }],
    [{ breaker: { consecutiveFailureThreshold: 2 ** 53 } }],
    [{ breaker: { waitDurationInOpenState: 0.5 } }],
    [{ breaker: { waitDurationInOpenState: {} } }],
    [{ breaker: { waitDurationInOpenState: { initial: 5, maximum: 5 } } }],
    [{ breaker: { waitDurationInOpenState: { initial: 5, randomizationFactor: 1.1 } } }],
    [{ breaker: { maxWaitDurationInHalfOpenState: 0.5 } }],
    [{ breaker: { permitLease: 0 } }],
    [{ breaker: { initialState: 'half_open' } }],
    [{ hostBreaker: { failureRateTreshold: 5 } }],
    [{ rules: 'x' }],
    [{ rules: {} }],
    [{ rules: { rows: [], standard: null } }],
    [{ rules: { rows: [], standart: true } }],
    [{ rules: [{}] }],
    [{ rules: [{ outcome: 'fail' }] }],
    [{ rules: [{ outcome: 'hold' }] }],
    [{ rules: [{ outcome: 'trip', holdFor: 5 }] }],
    [{ rules: [{ ...hold, status: '503' }] }],
    [{ rules: [{ ...hold, status: 99 }] }],
    [{ rules: [{ ...hold, status: [] }] }],
    [{ rules: [{ ...hold, error: 'refuesd' }] }],
    [{ rules: [{ ...hold, error: '' }] }],
    [{ rules: [{ ...hold, method: 'GE T' }] }],
    [{ rules: [{ ...hold, host: 'https://a.org' }] }],
    [{ rules: [{ ...hold, host: 'a.org:65536' }] }],
    [{ rules: [{ ...hold, host: 'a*.org' }] }],
    [{ rules: [{ ...hold, path: 'users' }] }],
    [{ rules: [{ ...hold, path: '/a?b' }] }],
    [{ rules: [{ ...hold, path: '/{id}' }] }],
    [{ rules: [{ ...hold, path: '/a*' }] }],
    [{ rules: [{ ...hold, path: '/:1' }] }],
    [{ rules: [{ ...hold, responseHeader: {} }] }],
    [{ rules: [{ ...hold, responseHeader: { 'a b': true } }] }],
    [{ rules: [{ ...hold, responseHeader: { a: false } }] }],
    [{ rules: [{ ...hold, responseHeader: { a: [] } }] }],
    [{ rules: [{ ...hold, retryAfter: false }] }],
    [{ rules: [{ ...hold, slowerThan: -1 }] }],
    [{ rules: [{ ...hold, when: 'a function' }] }],
    [{ endpoints: '/users' }],
    [{ endpoints: [''] }],
    [{ level: 'hosts' }],
    [{ maxBreakers: 0 }],
    [{ idleTimeout: 0 }],
    [{ configs: { a: { bas: 'b' } } }],
    [{ configs: { a: { base: '' } } }],
    [{ configs: { a: null } }],
    [{ overrides: {} }],
    [{ overrides: [{}] }],
    [{ overrides: [{ host: 'a.org' }] }],
    [{ overrides: [{ level: 'host', method: 'GET', breaker: {} }] }],
    [{ overrides: [{ level: 'both', path: '/a', breaker: {} }] }],
    [{ overrides: [{ breaker: true }] }],
    [{ overrides: [{ name: '', breaker: {} }] }],
    [{ overrides: [{ failureRateThreshold: 5 }] }],
    [{ honorRetryAfter: 'yes' }],
    [{ maxRetryAfter: 0 }],
  ])('refuses, as the code does: %j', (configuration) => {
    expect(refusal(configuration)).toBeDefined();
    expect(isValid(configuration)).toBe(false);
  });

  /** What joins several fields, or needs more than a pattern: the code refuses it, a schema can't. */
  const beyondTheSchema: Readonly<Record<string, RegExp>> = {
    'a window of time is an hour at the most': /slidingWindowSize of a time-based window/,
    'a count of failures is below the minimum in force':
      /failureCountThreshold \(\d+\) must be below/,
    'where half-open leads to needs a limit of half-open': /needs a maxWaitDurationInHalfOpenState/,
    'a base is a name in configs': /: base '.*' is not known/,
    'bases do not go round in a circle': /base goes round in a circle/,
    'a range of statuses goes up': /status(?:\[\d\])? must be like .*'\d{3}-\d{3}'$/,
    'a host is one that a URL may have': /host(?:\[\d\])? must be a host like/,
  };

  it.each<[rule: string, configuration: unknown]>([
    ['a window of time is an hour at the most', { breaker: { slidingWindowSize: 3601 } }],
    [
      'a count of failures is below the minimum in force',
      { breaker: { failureCountThreshold: 20 } },
    ],
    [
      'where half-open leads to needs a limit of half-open',
      {
        breaker: { maxWaitDurationInHalfOpenState: 0, transitionToStateAfterWaitDuration: 'open' },
      },
    ],
    ['a base is a name in configs', { overrides: [{ base: 'x' }] }],
    ['bases do not go round in a circle', { configs: { a: { base: 'a' } } }],
    ['a range of statuses goes up', { rules: [{ ...hold, status: '504-500' }] }],
    ['a host is one that a URL may have', { rules: [{ ...hold, host: '1.2.3.4.5' }] }],
  ])('cannot tell that %s', (rule, configuration) => {
    expect(refusal(configuration)).toMatch(beyondTheSchema[rule]!);
    expect(isValid(configuration)).toBe(true);
  });

  it('takes what the code takes, and nothing else', () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(anyConfiguration, (configuration) => {
        const message = refusal(configuration);
        const excused = Object.values(beyondTheSchema).some((rule) => rule.test(message ?? ''));
        if (!isValid(configuration)) {
          seen.refused++;
          expect(message, JSON.stringify(isValid.errors)).toBeDefined();
        } else if (!excused) {
          seen.taken++;
          expect(message).toBeUndefined();
        }
      }),
      { numRuns: 800 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
  });
});

describe('what the schema tells of options', () => {
  const functions = [
    'partition',
    'key',
    'clock',
    'recordErrors',
    'ignoreErrors',
    'recordResult',
    'transitionOnResult',
  ];
  const plain = (names: readonly string[]) =>
    names.filter((name) => !functions.includes(name)).toSorted();

  it('is of all of them, but of those that no JSON can hold', () => {
    expect(Object.keys(options).toSorted()).toEqual(plain(httpOptionNames));
    expect(Object.keys(breakerOptions).toSorted()).toEqual(plain(circuitBreakerOptionNames));
  });

  it('names every outcome, domain and error kind', () => {
    const row = propertiesOf(schema.$defs['row']);
    expect(row['outcome']?.enum).toEqual(outcomes);
    expect(row['domain']?.enum).toEqual(domains);
    const { anyOf } = schema.$defs['error'] as { anyOf?: readonly Schema[] };
    expect(anyOf?.[0]?.enum).toEqual(['any', ...errorKinds]);
  });

  it.each(Object.keys(breakerOptions))('is its default: %s', (name) => {
    const defaults: Record<string, unknown> = { ...circuitBreakerDefaults, ...httpDefaults };
    // That of endpoints is the slow threshold in force.
    const told = name === 'maxWaitDurationInHalfOpenState' ? undefined : defaults[name];
    expect(breakerOptions[name]?.default).toEqual(told);
  });

  it('is the defaults of hosts, where they differ', () => {
    const defaults = Object.entries(propertiesOf(options['hostBreaker'])).map(
      ([name, part]) => [name, part.default] as const,
    );
    expect(Object.fromEntries(defaults)).toEqual(hostDefaults);
  });

  it('is the defaults of all other options, as they are documented', () => {
    const documented = new Map(
      [
        ...read('src/http/http-options.ts').matchAll(
          /\/\*\*((?:(?!\*\/)[^])*)\*\/\s+readonly (\w+)\?:/g,
        ),
      ].map(([, comment, name]) => [name, /@default (.*?)\s*(?:\*|$)/m.exec(comment ?? '')?.[1]]),
    );
    for (const [name, { default: told }] of Object.entries(options)) {
      if (told === undefined || typeof told === 'object') continue;
      const value = documented.get(name)?.replaceAll('_', '').replaceAll("'", '"') ?? 'null';
      expect([name, JSON.parse(value)]).toEqual([name, told]);
    }
  });

  it('has a title and a description for each', () => {
    const untold: string[] = [];
    const visit = (part: unknown, place: string): void => {
      if (typeof part !== 'object' || part === null) return;
      for (const [key, inner] of Object.entries(part)) {
        if (key === 'if' || key === 'then' || key === 'else') continue;
        visit(inner, `${place}/${key}`);
        if (key !== 'properties' || place === '/properties/hostBreaker') continue;
        for (const [name, property] of Object.entries(inner as Record<string, Schema>)) {
          if (property.title === undefined || property.description === undefined) {
            untold.push(`${place}/${key}/${name}`);
          }
        }
      }
    };
    visit(schema, '');
    expect(untold).toEqual([]);
  });
});

describe('the package', () => {
  it('is published with the schema', () => {
    const manifest = JSON.parse(read('package.json')) as {
      files: string[];
      exports: object;
      publishConfig: { exports: object };
    };
    const file = './configuration.schema.json';
    expect(manifest.files).toContain('configuration.schema.json');
    expect(manifest.exports).toHaveProperty([file], file);
    expect(manifest.publishConfig.exports).toHaveProperty([file], file);
  });
});
