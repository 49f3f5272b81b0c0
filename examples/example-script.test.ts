import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { plainEnvironment } from '../test/support/plain-environment.ts';

const script = fileURLToPath(new URL('../.ci/example.mjs', import.meta.url));

/** What `pnpm example` runs. */
function example(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['--conditions=@recloser/source', script, ...args], {
    encoding: 'utf8',
    env: plainEnvironment({ NO_COLOR: '1', RECLOSER_TEST_REPORT: undefined }),
  });
}

describe('pnpm example', () => {
  test('runs the program of that name', () => {
    const { status, stdout } = example('sixteen-calls');

    expect(status).toBe(0);
    expect(stdout).toMatch(/^call +time/);
    expect(stdout).toContain('open on call 6, half-open on call 13, closed on call 13; 10 calls');
  });

  test('runs the tests of that name', () => {
    const { status, stdout } = example('price-client.nock');

    expect(status).toBe(0);
    expect(stdout).toMatch(/Tests +1 passed/);
  });

  test.each([
    ['without a name', [], 'Which example? Programs:'],
    ['with an unknown name', ['textbok'], "There is no example 'textbok'. Programs:"],
    ['with a helper of the examples', ['run-example'], "There is no example 'run-example'."],
    ['with a path', ['../README'], "There is no example '../README'."],
  ])('%s lists all names, and fails', (_, args, begins) => {
    const { status, stderr } = example(...args);

    expect(status).toBe(1);
    expect(stderr.startsWith(begins)).toBe(true);
    const lines = stderr.split('\n');
    expect(lines).toEqual(expect.arrayContaining(['  outage', '  textbook', '  price-client.msw']));
    expect(lines).not.toContain('  run-example');
    expect(lines).not.toContain('  outputs');
  });
});
