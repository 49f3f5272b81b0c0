import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../..', import.meta.url));
const entries = globSync(['*/src/index.ts', 'core/src/adapter.ts'], { cwd: packages });

const COMMENTS = /^\s*(?:\/\/|\/?\*).*$/gm;
const IMPORTS = /^import [^;]*;/gm;
const EXPORT_LISTS = /^export (?:type )?\{([^}]*)\} from '[^']+';/gm;
const WHOLE_CORE = "export * from '@recloser/core';";

describe('every public name has a test of its type', () => {
  test('in all packages', () => {
    expect(entries.length).toBeGreaterThan(6);
  });

  test.each(entries)('%s', (entry) => {
    const names = namesIn(entry);
    expect(names).not.toEqual([]);
    const tested = wordsIn(entry.slice(0, entry.indexOf('/')));

    expect(names.filter((name) => !tested.has(name))).toEqual([]);
  });
});

/** The names that an entry exports. One that is written in another way than as a list is an error. */
function namesIn(entry: string): string[] {
  const source = readFileSync(`${packages}/${entry}`, 'utf8').replace(COMMENTS, '');
  const others = source.replace(EXPORT_LISTS, '').replace(WHOLE_CORE, '').trim();
  expect(others).toBe('');
  return [...source.matchAll(EXPORT_LISTS)].flatMap(([, list]) =>
    list!
      .split(',')
      .map((item) => item.trim().split(' ').at(-1)!)
      .filter((name) => name !== ''),
  );
}

/** The words of a package's type tests. To import a name is not to test it. */
function wordsIn(name: string): ReadonlySet<string> {
  const files = globSync(`${name}/test/**/*.test-d.ts`, { cwd: packages });
  const sources = files.map((file) => readFileSync(`${packages}/${file}`, 'utf8'));
  const code = sources.join('\n').replace(COMMENTS, '').replace(IMPORTS, '');
  return new Set(code.match(/\w+/g));
}
