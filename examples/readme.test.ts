import { readFile } from 'node:fs/promises';
import { hostDefaults, httpDefaults, standardRules } from '@recloser/fetch';
import { describe, expect, test } from 'vitest';
import { runExample } from './run-example.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

/** The fenced blocks of one language, in their order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code]) => code ?? '',
  );
}

describe('the front page', () => {
  test.each([
    [0, 'quick-start'],
    [1, 'own-rules'],
  ])('shows example %i, %s, as it is, and what it prints', async (place, name) => {
    const source = await readFile(new URL(`${name}.ts`, import.meta.url), 'utf8');
    const { exitCode, output } = await runExample(name);

    expect(blocks('ts')[place]).toBe(source);
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: blocks('text')[place] });
  });

  test('shows no code that is not an example', () => {
    expect(blocks('ts')).toHaveLength(2);
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
