// `pnpm bench`: all parts, also written to results.md and, what users ask, to the front page; `pnpm bench NAME…`: those parts alone. For a
// quick look BENCH_ROUNDS=1.

import { readFileSync, writeFileSync } from 'node:fs';
import { withCosts } from './cost-table.ts';
import { environment } from './environment.ts';
import { interleaved } from './interleaved.ts';
import type { Part, Report } from './part.ts';
import { markdown, table } from './table.ts';

const all = [
  'execute',
  'try-acquire',
  'refusal',
  'window-size',
  'heap',
  'idle',
  'keys',
  'listener',
  'scrape',
  'request',
  'refused-request',
  'memory',
  'allocation',
  'harness',
];

const { BENCH_ROUNDS = '5' } = process.env;
const rounds = Number(BENCH_ROUNDS);
const names = process.argv.length > 2 ? process.argv.slice(2) : all;
const unknown = names.find((name) => !all.includes(name));
if (unknown !== undefined) throw new Error(`${unknown} is none of ${all.join(', ')}`);

const begun = performance.now();
const where = await environment();
const sections: string[] = [];
const targets: string[][] = [];

for (const name of names) {
  const began = performance.now();
  const { part } = (await import(`./parts/${name}.ts`)) as { part: Part<unknown> };
  const report: Report = part.report(await interleaved(name, part, rounds));
  process.stderr.write(`${name}: ${Math.round((performance.now() - began) / 1000)} s\n`);
  sections.push(`## ${part.title}\n\n\`pnpm bench ${name}\`\n\n${markdown(report)}`);
  for (const { what, reach, measured, isMet, floor } of report.targets) {
    targets.push([what, reach, measured, isMet ? 'met' : '**not met**', floor ?? '']);
  }
}

const seconds = Math.round((performance.now() - begun) / 1000);
const how =
  'Each contestant of each round ran in a process of its own, in another order each round. Times ' +
  'are CPU time, the collection of garbage included. Written by `pnpm bench`.';
const document = `# Benchmarks

${where}. ${rounds} rounds, in ${seconds} s. ${how}

${table(['what', 'target', 'measured', '', 'floor, in the same run'], targets)}

${sections.join('\n\n')}
`;
process.stdout.write(document);
if (names === all) {
  writeFileSync(new URL('results.md', import.meta.url), document);
  const page = new URL('../../README.md', import.meta.url);
  writeFileSync(page, withCosts(readFileSync(page, 'utf8'), document));
}
