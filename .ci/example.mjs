// `pnpm example NAME` runs the program examples/NAME.ts, or the tests in examples/NAME.test.ts.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const files = readdirSync(new URL('examples', root)).toSorted();

// The tests of the examples themselves have no dot in their names.
const named = (pattern) => files.flatMap((file) => pattern.exec(file)?.[1] ?? []);
const programs = named(/^([^.]+)\.ts$/).filter((name) => name !== 'run-example');
const tests = named(/^(.+\..+)\.test\.ts$/);

const [name] = process.argv.slice(2);
if (programs.includes(name)) {
  await import(new URL(`examples/${name}.ts`, root));
} else if (tests.includes(name)) {
  const vitest = 'node_modules/vitest/vitest.mjs --config test/vitest.config.ts run --project';
  const args = [...vitest.split(' '), 'examples', `examples/${name}.test.ts`];
  const { status } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  const asked = name === undefined ? 'Which example?' : `There is no example '${name}'.`;
  const list = (heading, names) => console.error([heading, ...names].join('\n  '));
  list(`${asked} Programs:`, programs);
  list('Tests:', tests);
  process.exitCode = 1;
}
