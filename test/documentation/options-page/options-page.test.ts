import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  CircuitBreaker,
  hostDefaults,
  httpDefaults,
  ManualClock,
  type CircuitBreakerOptions,
  type HttpBreakerOptions,
} from '@recloser/core';
import { describe, expect, test } from 'vitest';
import { circuitBreakerDefaults } from '../../../packages/core/src/breaker/options.ts';
import { asCode, shownDefault, unitOf } from './options-page-entry.ts';
import { readDefaults, readOptions, readUnion } from './options-page-reader.ts';
import { showWarnings } from './options-page-warnings.ts';
import { httpDefaultsOf, kinds, notOverHttp, optionsPage } from './options-page.ts';
import { readPage } from '../page.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const path = 'packages/core/docs/options.md';
const { anchors } = readPage(root, path);
const declared = Object.entries(kinds).flatMap(([kind, { options, headingOf }]) =>
  options.map((option) => [kind, option.name, option, headingOf(option.name)] as const),
);
const breakerOptions = kinds['CircuitBreakerOptions']!.options;

describe('the page of options', () => {
  test('is what the doc comments and the code say: `run options` writes it anew', async () => {
    expect(readFileSync(`${root}/${path}`, 'utf8')).toBe(await optionsPage());
  });

  test.each(declared)('of %s has %s, where a link finds it', (...[, , , heading]) => {
    const anchor = heading.toLowerCase().replaceAll(/[:$]/g, '').replaceAll(' ', '-');

    expect(anchors).toContain(anchor);
  });

  test.each([
    ['undici/src/options.ts', 'UndiciOptions'],
    ['ky/src/options.ts', 'KyBreakerOptions'],
  ])('has every option of %s', (file, name) => {
    const options = readOptions(file, name).map((option) => option.name.toLowerCase());

    expect(options.filter((option) => !anchors.has(option))).toEqual([]);
  });

  test('shows every kind of warning', () => {
    const kindsThereAre = readUnion(
      'core/src/http/lint-configuration.ts',
      'ConfigurationWarningKind',
    );

    expect(showWarnings().map(({ kind }) => kind)).toEqual(kindsThereAre);
    for (const { messages } of showWarnings()) expect(messages).not.toEqual([]);
  });
});

describe('a doc comment', () => {
  test.each(declared.filter(([, , { type }]) => type === 'number'))(
    'of %s says what %s counts',
    (...[, , option]) => {
      expect(unitOf(option)).toBeDefined();
    },
  );

  test.each(breakerOptions.map((option) => [option.name, option] as const))(
    'says the default of a bare breaker’s %s',
    (name, { byDefault }) => {
      const inWords: Partial<Record<keyof CircuitBreakerOptions, string>> = {
        slidingWindowSize: `${circuitBreakerDefaults.slidingWindowSize['count-based']} calls, or ${circuitBreakerDefaults.slidingWindowSize['time-based']} seconds`,
        recordErrors: 'all errors',
        clock:
          'the system’s: performance.now, Date.now, and a setTimeout that keeps no process alive',
      };
      const literals: Readonly<Record<string, unknown>> = circuitBreakerDefaults;
      const literal = name in literals ? asCode(literals[name]) : 'none';

      expect(byDefault?.replace("'s:", '’s:')).toBe(
        inWords[name as keyof CircuitBreakerOptions] ?? literal,
      );
    },
  );

  test.each(breakerOptions.map(({ name }) => name).filter((name) => !notOverHttp.includes(name)))(
    'says the default of %s over HTTP, where it is another',
    (name) => {
      const key = name as keyof HttpBreakerOptions;
      const own = key in httpDefaults || key in hostDefaults;
      const endpoints =
        key === 'maxWaitDurationInHalfOpenState'
          ? 'the slowCallDurationThreshold in force'
          : asCode(httpDefaults[key]);
      const hosts = key in hostDefaults ? asCode(hostDefaults[key]) : endpoints;

      expect(httpDefaultsOf(name)).toEqual(own ? [endpoints, hosts].map(shownDefault) : undefined);
    },
  );

  test.each([
    ['HttpCircuitBreakerOptions', 'core/src/http/resolve-http-options.ts'],
    ['DefineRulesOptions', 'core/src/http/outcome-rules.ts'],
    ['BreakerRegistryOptions', 'core/src/registry/breaker-registry.ts'],
  ])('of %s says the defaults that the code puts in place', (kind, file) => {
    const { options } = kinds[kind]!;
    const said = new Map(options.map(({ name, byDefault }) => [name, byDefault]));
    const literals = [...readDefaults(file)].filter(([, value]) =>
      /^(true|false|[\d_]+)$/.test(value),
    );

    expect(literals).not.toEqual([]);
    for (const [name, value] of literals) expect([name, said.get(name)]).toEqual([name, value]);
  });

  test('says that partitions go after ten minutes, as the code does', () => {
    const idle = readOptions('core/src/http/http-options.ts', 'HttpCircuitBreakerOptions').find(
      ({ name }) => name === 'idleTimeout',
    );

    expect(idle?.byDefault).toBe('600_000 with `partition`, else none');
    expect(readDefaults('core/src/http/resolve-http-options.ts').get('idleTimeout')).toBe(
      'given.partition === undefined ? undefined : 600_000',
    );
  });

  test('says how waits grow by default', () => {
    const said = new Map(
      kinds['GrowingWait']!.options.map(({ name, byDefault }) => [name, byDefault]),
    );
    const clock = new ManualClock();
    const breaker = new CircuitBreaker('x', { waitDurationInOpenState: { initial: 1000 }, clock });
    const waits: unknown[] = [];
    breaker.on('stateTransition', ({ to, wait }) => to === 'open' && waits.push(wait));
    breaker.transitionToOpenState();
    clock.advance(1001);
    breaker.acquire().trip();

    expect(waits).toEqual([1000, 1000 * Number(said.get('multiplier'))]);
    expect(said.get('randomizationFactor')).toBe('0');
  });
});
