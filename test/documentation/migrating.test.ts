import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as cockatiel from 'cockatiel';
import Opossum from 'opossum';
import { describe, expect, test } from 'vitest';
import { circuitBreakerOptionNames } from '../../packages/core/src/breaker/resolve-options.ts';
import { differences } from '../conformance/differences.ts';
import { root } from './pages.ts';
import { codesIn, docText, firstCodes, tableOf } from './page-tables.ts';

const require = createRequire(import.meta.url);
const installed = (file: string): string => readFileSync(file, 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
const recorded = (file: string): string =>
  installed(join(root, 'test/conformance/resilience4j', `${file}.json`));

describe('opossum', () => {
  const lib = dirname(require.resolve('opossum/package.json')) + '/lib';
  const source = installed(`${lib}/circuit.js`);
  const types = installed(require.resolve('@types/opossum/index.d.ts'));
  const breaker = new Opossum(async () => {});

  // Not the user's: the cache that it makes, and the counts within a Status.
  const internal = ['coalesceCache', 'stats'];

  // Tables of both begin with its name: this is the n-th.
  const tableAt = (column: string): string[][] => tableOf('migrating', `opossum ${column}`);

  test('has every option in the table, and no other', () => {
    const read = matches(source, /\boptions\.(\w+)/g).filter((name) => !internal.includes(name));
    const [, declared = ''] = /interface Options<[^{]*\{(.*?)\n {4}\}/s.exec(types) ?? [];
    const names = tableAt('option').flatMap(([name]) => codesIn(name));

    expect(names.toSorted()).toEqual(read);
    expect(read).toEqual(expect.arrayContaining(matches(declared, /^ {8}(\w+)\?:/gm)));
  });

  test('has the defaults that the table says', () => {
    const options = breaker as unknown as { readonly options: Readonly<Record<string, unknown>> };
    const known: Readonly<Record<string, unknown>> = {
      ...options.options,
      volumeThreshold: breaker.volumeThreshold,
      allowWarmUp: breaker.warmUp,
      enabled: breaker.enabled,
    };
    const figures = Object.entries(known).filter(([, value]) =>
      ['number', 'boolean'].includes(typeof value),
    );
    const shown = new Map(
      tableAt('option').map(([name, value]) => [codesIn(name)[0], codesIn(value)[0]]),
    );

    expect(figures).toHaveLength(14);
    for (const [name, value] of figures) {
      const isLimit = value === Number.MAX_SAFE_INTEGER;
      const text = isLimit ? 'Number.MAX_SAFE_INTEGER' : String(value);

      expect(shown.get(name), name).toBe(text);
    }
  });

  test('has every event in the table, and no other', () => {
    const emitted = matches(source + installed(`${lib}/status.js`), /\bemit\('(\w+)'/g);

    expect(
      tableAt('event')
        .flatMap(([name]) => codesIn(name))
        .toSorted(),
    ).toEqual(emitted);
  });

  test('has every method and property in the table, and no other', () => {
    const names = [
      ...Object.getOwnPropertyNames(Opossum.prototype),
      ...Object.getOwnPropertyNames(Opossum),
    ].filter(
      (name) => !name.startsWith('_') && !['constructor', 'length', 'prototype'].includes(name),
    );

    expect(
      tableAt('member')
        .flatMap(([name]) => codesIn(name))
        .toSorted(),
    ).toEqual([...new Set(names)].toSorted());
  });

  test('has the codes of errors that the page names', () => {
    const codes = matches(source, /'(E[A-Z]{5,})'/g);

    for (const code of codes) expect(docText('migrating')).toContain(`\`${code}\``);
  });
});

describe('cockatiel', () => {
  test('has every export in the table, and no other', () => {
    expect(firstCodes('migrating', 'cockatiel export').toSorted()).toEqual(
      Object.keys(cockatiel).toSorted(),
    );
  });

  test('has every public member of a breaker in the table, and no other', () => {
    const breaker = cockatiel.circuitBreaker(cockatiel.handleAll, {
      halfOpenAfter: 1,
      breaker: new cockatiel.ConsecutiveBreaker(1),
    });
    const declared = installed(
      join(dirname(require.resolve('cockatiel')), 'CircuitBreakerPolicy.d.ts'),
    ).split('export declare class CircuitBreakerPolicy')[1]!;
    const hidden = matches(declared, /private (?:readonly )?(\w+)/g);
    const members = [
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(breaker)),
      ...Object.keys(breaker),
    ].filter((name) => name !== 'constructor' && !hidden.includes(name));

    expect(firstCodes('migrating', 'cockatiel policy').toSorted()).toEqual(members.toSorted());
  });

  test('has every option of a breaker in the table, and no other', () => {
    const types = installed(
      join(dirname(require.resolve('cockatiel')), 'CircuitBreakerPolicy.d.ts'),
    );
    const [, declared = ''] = /interface ICircuitBreakerOptions \{(.*?)\n\}/s.exec(types) ?? [];
    const names = tableOf('migrating', 'cockatiel option').map(([name]) => codesIn(name)[0]!);

    expect(names.toSorted()).toEqual(matches(declared, /^ {4}(\w+)\??:/gm));
  });

  test('needs as many calls for a rate as the table says', () => {
    const sampling = new cockatiel.SamplingBreaker({ threshold: 0.5, duration: 30_000 });
    const fails = (): boolean => sampling.failure(cockatiel.CircuitState.Closed);
    let calls = 1;
    while (!fails()) calls++;

    expect(docText('migrating')).toContain(`${calls} calls in these 30 s`);
  });
});

describe('Resilience4j', () => {
  const keys = tableOf('migrating', '`resilience4j.circuitbreaker.instances.*`');

  test('has the recorded defaults in the table', () => {
    const { config } = JSON.parse(recorded('defaults')) as { config: Record<string, unknown> };
    const shown = new Map(keys.map(([name, value]) => [codesIn(name)[0]!, codesIn(value)[0]]));
    const ofRecord = Object.entries(config).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'waitInOpenStateMsByAttempt1to5') {
        return [['waitDurationInOpenState', `${(value as number[])[0]! / 1000}s`]];
      }
      const key = name.replace(/Ms$/, '');
      const isSpan = key !== name && value !== 0;
      return shown.has(key) ? [[key, isSpan ? `${(value as number) / 1000}s` : value]] : [];
    });

    expect(ofRecord).toHaveLength(12);
    for (const [name, value] of ofRecord) expect(shown.get(name), name).toBe(String(value));
  });

  test('has no option of ours that the table forgets, but for those that are added', () => {
    const theirs = keys.flatMap((cells) => codesIn(cells[2]));
    const added = codesIn(
      docText('migrating')
        .split('\n')
        .find((line) => line.startsWith('Added')),
    );
    // What has no counterpart in a configuration file.
    const ofCode = ['transitionOnResult', 'clock'];
    const known = [...theirs, ...added, ...ofCode].join(' ');

    for (const name of circuitBreakerOptionNames) expect(known).toContain(name);
  });

  test('is replayed from as many traces as the page says, with as many legal moves', () => {
    const text = installed(join(root, 'test/conformance/resilience4j/README.md'));
    const [, traces] = /\| \*all\* \| (\d+) /.exec(text) ?? [];
    const { legal } = JSON.parse(recorded('transitions')) as { legal: unknown[] };

    expect(docText('migrating')).toContain(`${traces} traces`);
    expect(docText('migrating')).toContain(`the ${legal.length} legal moves`);
  });

  test('has every deliberate difference in the table, and no other', () => {
    const rows = tableOf('migrating', 'here, and not in Resilience4j').map((cells) =>
      cells.slice(0, 2).map((cell) => cell.replaceAll('`', '')),
    );

    expect(rows).toEqual(differences.map(({ name, reason }) => [name, reason]));
  });
});
