import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instrument } from '../src/index.ts';
import { kindOf, startMetrics } from './metrics.ts';
import { HOST, startOutage } from './outage.ts';

const PREFIX = 'circuit_breaker.';

/** The cells of the table whose heading begins with this text. */
function tableOf(heading: string, page = '../README.md'): string[][] {
  const lines = readFileSync(new URL(page, import.meta.url), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines
    .slice(start + 2, end)
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()));
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

test('the table of instruments has all that is exported, as it is exported', async () => {
  await using metrics = startMetrics();
  const { breaker, clock, call } = startOutage({
    overrides: [
      { path: '/price', name: 'pricing' },
      { path: '/others', name: 'others' },
    ],
    hostBreaker: { consecutiveFailureThreshold: 3 },
  });
  instrument(breaker, { meterProvider: metrics.provider });
  for (let each = 0; each < 60; each++) call(200, 0, `${HOST}/others`);
  const broken = breaker.admit({ method: 'GET', url: `${HOST}/price` });
  broken.failed(Object.assign(new Error(), { code: 'ECONNRESET' }));
  call(503);
  call(200);
  clock.advance(10_001);
  call(200);
  breaker.control('nobody').metricsOnly({ reason: 'a trial' });

  const exported = (await metrics.collect()).metrics.map((metric) => {
    const names = metric.dataPoints.flatMap(({ attributes }) => Object.keys(attributes));
    const parts = [...new Set(names)].map((name) => name.slice(PREFIX.length));
    const { name, unit } = metric.descriptor;
    return [name.slice(PREFIX.length), [kindOf(metric), unit, parts.toSorted()]] as const;
  });
  const written = tableOf('instrument').map(([name, kind, unit, , attributes = '']) => {
    const ofBreaker = attributes.startsWith('breaker') ? ['key', 'name', 'level'] : [];
    const parts = [...ofBreaker, ...codesIn(attributes)];
    return [codesIn(name ?? '')[0]!, [kind, codesIn(unit ?? '')[0], parts.toSorted()]] as const;
  });

  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(exported));
});

test('the table of attributes has all of them', () => {
  const used = tableOf('instrument').flatMap(([, , , , attributes = '']) => codesIn(attributes));
  const known = tableOf('attribute').flatMap(([name]) => codesIn(name ?? ''));

  expect(known.toSorted()).toEqual([...new Set([...used, 'key', 'name', 'level'])].toSorted());
});

test('the names are those of the package for Prometheus, as Prometheus and the Collector write them', () => {
  const written = tableOf('instrument').map(([name = '', kind = '', unit = '']) =>
    inPrometheus(`${PREFIX}${codesIn(name)[0]}`, kind, codesIn(unit)[0]),
  );
  const ofPrometheus = tableOf('metric', '../../prometheus/README.md').flatMap(([name = '']) =>
    codesIn(name),
  );

  expect(written.toSorted()).toEqual(ofPrometheus.toSorted());
});

/** https://github.com/prometheus/otlptranslator */
function inPrometheus(name: string, kind: string, unit: string | undefined): string {
  const plain = name.replaceAll('.', '_');
  if (kind === 'counter') return `${plain}_total`;
  if (unit === 's') return `${plain}_seconds`;
  if (unit === '1' && kind === 'gauge' && !plain.endsWith('_ratio')) return `${plain}_ratio`;
  return plain;
}
