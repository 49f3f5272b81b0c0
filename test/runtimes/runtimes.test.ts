import { buildPackages } from '@recloser/test-support/build-packages';
import { beforeAll, describe, expect, test } from 'vitest';
import { checks } from './checks.ts';
import { runOn, type Run } from './run-on.ts';
import { runtimes } from './runtimes.ts';

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = 120_000;

const built = ['core', 'fetch'].map((name) =>
  String(new URL(`../../packages/${name}/dist/index.js`, import.meta.url)),
);

beforeAll(buildPackages, PATIENCE);

describe.each(runtimes)('$name', (runtime) => {
  let run: Run;

  beforeAll(async () => {
    run = await runOn(runtime);
  }, PATIENCE);

  test('is itself, and runs the built packages', () => {
    const [{ userAgent, imports } = {}] = run.lines;

    expect(userAgent ?? run.output).toMatch(runtime.userAgent);
    expect(imports).toEqual(runtime.isToldItsModules ? undefined : built);
  });

  for (const check of checks) {
    const difference = check.differs?.[runtime.family];
    const title =
      difference === undefined ? check.name : `${check.name} (differs: ${difference.because})`;

    test(`${title}`, () => {
      const line = run.lines.find((each) => each.check === check.name);

      expect(line, `it was not run\n${run.output}`).toBeDefined();
      expect(line?.error).toBeUndefined();
      expect(line?.seen).toEqual((difference ?? check).expected);
    });
  }

  test('has run every check once, in order', () => {
    const names = run.lines.flatMap(({ check }) => check ?? []);

    expect(names, run.output).toEqual(checks.map(({ name }) => name));
  });

  test('ends by itself while a breaker is open and has its timer set', () => {
    expect(run.lines.at(-1), run.output).toEqual({ leftIn: 'open' });
    expect(run.exit, run.output).toBe(0);
  });
});
