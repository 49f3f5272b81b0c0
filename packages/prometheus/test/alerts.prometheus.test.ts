import { join } from 'node:path';
import { runToEnd } from '@recloser/test-support/run-to-end';
import { describe, expect, test } from 'vitest';
import { findPrometheus } from './find-prometheus.ts';

const { promtool } = findPrometheus()!;
const cwd = import.meta.dirname;

describe('the alert rules', () => {
  test('are right by promtool', async () => {
    const rules = join(cwd, '../alerts.yml');
    const { exitCode, output, errors } = await runToEnd(
      promtool,
      ['check', 'rules', '--lint=all', '--lint-fatal', rules],
      { cwd },
    );

    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(output).toContain('SUCCESS: 3 rules found');
  });

  test('fire when they are to, over hours and days', async () => {
    const parameters = ['test', 'rules', 'alerts.rules-test.yml'];
    const { exitCode, output, errors } = await runToEnd(promtool, parameters, { cwd });

    expect({ exitCode, output, errors }).toMatchObject({ exitCode: 0 });
  });
});
