import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { collectMetrics, type CollectMetricsOptions, type MetricNames } from '../src/index.ts';
import { nameOf, scrape } from './scrape.ts';
import { ask, goThroughAnOutage, makeBreaker } from './watched.ts';

const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The cells of a table whose heading begins so, row by row. */
function tableOf(heading: string, index = 0): string[][] {
  const table = page.split(`\n| ${heading} `)[index + 1] ?? '';
  const [rows = ''] = table.split('\n\n', 1);
  return rows
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1),
    );
}

const codesIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Of each metric its type and the labels that were on its series, those of all left out. */
async function told(names: MetricNames): Promise<Map<string, { type: string; labels: string[] }>> {
  const watched = makeBreaker({ breaker: { minimumNumberOfCalls: 1 } });
  const { breaker } = watched;
  const register = new Registry();
  collectMetrics(breaker, { register, names });
  const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
  breaker.admit({ method: 'GET', url: 'https://api.example.com/price' }).failed(gone);
  goThroughAnOutage(watched);
  ask(breaker, 200);
  breaker.control('*').disable({ reason: 'a false alarm' });

  const ofAll = ['key', 'name', 'level', 'le'];
  const text = await register.metrics();
  const found = new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [
      name,
      { type, labels: new Set<string>() },
    ]),
  );
  for (const line of await scrape(register)) {
    const metric =
      found.get(nameOf(line)) ?? found.get(nameOf(line).replace(/_(bucket|sum|count)$/, ''));
    for (const [, label = ''] of line.matchAll(/[{,](\w+)="/g)) metric?.labels.add(label);
  }
  return new Map(
    Array.from(found, ([name, { type, labels }]) => [
      name,
      { type, labels: [...labels].filter((label) => !ofAll.includes(label)) },
    ]),
  );
}

describe('the table of metrics', () => {
  test.each([
    ['recloser', 0],
    ['resilience4j', 1],
  ] as const)(
    'under the names of %s has those that are exported, with types and labels',
    async (names, index) => {
      const rows = tableOf('metric', index);
      const described = new Map(
        rows.map(([name, type = '', labels]) => [
          codesIn(name)[0],
          { type, labels: codesIn(labels) },
        ]),
      );

      expect(described).toEqual(await told(names));
    },
  );
});

test('the table of options has every option', () => {
  const options = {
    register: true,
    names: true,
    group: true,
    level: true,
    durationBuckets: true,
    recoveryBuckets: true,
  } satisfies Record<keyof CollectMetricsOptions, true>;

  expect(tableOf('option').flatMap(([name]) => codesIn(name))).toEqual(Object.keys(options));
});

test('the table of alerts has every rule, with its severity', () => {
  const rules = readFileSync(new URL('../alerts.yml', import.meta.url), 'utf8');
  const written = Array.from(
    rules.matchAll(/alert: (\w+)[^]*?severity: (\w+)/g),
    ([, alert, severity]) => [alert, severity],
  );

  expect(
    tableOf('alert').map(([alert, , severity]) => [codesIn(alert)[0], codesIn(severity)[0]]),
  ).toEqual(written);
});
