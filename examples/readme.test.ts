import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostDefaults, httpDefaults, standardRules } from '@recloser/fetch';
import { describe, expect, test } from 'vitest';
import { runExample } from './run-example.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

describe('the front page', () => {
  test('shows one program, the example quick-start as it is, and right below what it prints', async () => {
    const shown = [...readme.matchAll(/^```ts\n(.*?)^```\n\n```text\n(.*?)^```$/gms)];
    const source = await readFile(new URL('quick-start.ts', import.meta.url), 'utf8');
    const { exitCode, output } = await runExample('quick-start');

    expect(exitCode).toBe(0);
    expect(shown.map(([, code, text]) => [code, text])).toEqual([[source, output]]);
  });

  test('lists every example', () => {
    const lines = /^## Examples\n(.*?)^## /ms.exec(readme)?.[1]?.match(/^- .+?:/gm) ?? [];
    const listed = lines.flatMap((line) => [...line.matchAll(/`(.+?)`/g)].map(([, name]) => name));
    const files = globSync('*.ts', { cwd: import.meta.dirname });
    const named = (pattern: RegExp): string[] =>
      files.flatMap((file) => pattern.exec(file)?.[1] ?? []);
    // The tests of the examples themselves have no dot in their names.
    const examples = [...named(/^([^.]+)\.ts$/), ...named(/^(.+\..+)\.test\.ts$/)];

    expect(listed).toHaveLength(new Set(listed).size);
    expect(new Set(listed)).toEqual(new Set(examples.filter((name) => name !== 'run-example')));
  });

  test('gives every standard row as the code has it', () => {
    const rows = [...readme.matchAll(/^\| ([^|`]+?) +\| (`.+?`) +\| (\w+) +\| (\w*) *\|$/gm)];
    const shown = standardRules.map(({ name, status, error, outcome, domain = 'endpoint' }) => {
      const ending = [status, error].flat().filter((value) => value !== undefined);
      const words = ending.map((value) => `\`${value}\``).join(', ');
      return [name, words, outcome, outcome === 'failure' ? domain : ''];
    });

    expect(rows.map(([, ...cells]) => cells)).toEqual(shown);
  });

  test('gives every default of the HTTP layer as the code has it', () => {
    const rows = [...readme.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\|/gm)].map(
      ([, option, endpoint, host]) => ({ option, endpoint, host }),
    );
    const endpoints: Record<string, unknown> = {
      ...httpDefaults,
      maxWaitDurationInHalfOpenState: 'as slowCallDurationThreshold',
    };
    const hosts: Record<string, unknown> = { ...endpoints, ...hostDefaults };
    const shown = (value: unknown): string =>
      value !== null && typeof value === 'object'
        ? `\`${JSON.stringify(value).replaceAll('"', '').replaceAll(':', ': ').replaceAll(',', ', ').replace('{', '{ ').replace('}', ' }')}\``
        : String(value);

    expect(new Set(rows.map(({ option }) => option))).toEqual(new Set(Object.keys(hosts)));
    for (const { option = '', endpoint, host } of rows) {
      expect({ option, endpoint, host }).toEqual({
        option,
        endpoint: shown(endpoints[option]),
        host: shown(hosts[option]),
      });
    }
  });
});
