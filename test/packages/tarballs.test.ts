import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { project, tarballs } from './installed.ts';
import { packages, root } from './packages.ts';
import { run } from './run.ts';

describe.concurrent.for(packages)('the tarball of %s', (name) => {
  const [tarball] = globSync(join(tarballs, `recloser-${name}-*.tgz`)) as [string];
  const sources = join(root, 'packages', name);
  const installed = join(project, 'node_modules/@recloser', name);
  const bin = join(import.meta.dirname, 'node_modules/.bin');

  test('holds what its sources are compiled to and what people read, nothing else', () => {
    const compiled = filesOf(join(sources, 'src')).map((file) => `dist/${file}`);
    const expected = [
      'LICENSE',
      'README.md',
      'package.json',
      ...compiled.flatMap((file) => [
        file.replace(/(?=[cm]?ts$)/, 'd.'),
        file.replace(/ts$/, 'js'),
      ]),
      ...filesOf(join(sources, 'docs')).map((file) => `docs/${file}`),
      ...(name === 'core' ? ['configuration.schema.json'] : []),
    ];
    expect(filesOf(installed)).toEqual(expected.toSorted());
  });

  test('has the license of the project', () => {
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    );
  });

  test('tells npm what it is', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: `@recloser/${name}`,
      description: expect.stringMatching(/^A circuit breaker for /),
      keywords: expect.arrayContaining(['circuit-breaker', name === 'core' ? 'http' : name]),
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      engines: { node: expect.stringMatching(/^>=20/) },
      publishConfig: { access: 'public' },
    });
    expect(manifest).not.toHaveProperty('private');
  });

  test('has exports without the sources, the types first', () => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    const entries = name === 'core' ? { '.': 'index', './adapter': 'adapter' } : { '.': 'index' };
    const files = name === 'core' ? ['./configuration.schema.json'] : [];
    const expected = {
      ...Object.fromEntries(
        Object.entries(entries).map(([entry, module]) => [
          entry,
          { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` },
        ]),
      ),
      ...Object.fromEntries([...files, './package.json'].map((file) => [file, file])),
    };
    expect(exports).toEqual(expected);
    for (const entry of Object.keys(entries)) {
      expect(Object.keys(exports[entry] as object)).toEqual(['types', 'default']);
    }
  });

  test('depends on packages of this project and on its client, by versions that are published', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
    const dependencies = { core: [], ky: ['@recloser/core', '@recloser/fetch'] };
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(
      dependencies[name as 'core' | 'ky'] ?? ['@recloser/core'],
    );
    expect(Object.values(manifest.dependencies ?? {}).join()).not.toMatch(/workspace|file/);
    expect(Object.keys(manifest.peerDependencies ?? {})).toEqual(
      name === 'core' || name === 'fetch' ? [] : [name],
    );
  });

  test('satisfies publint', async () => {
    await run(join(bin, 'publint'), ['--strict', tarball], root);
  });

  test('has types that resolve from ES modules and by bundlers, says attw', async () => {
    await run(join(bin, 'attw'), ['--profile', 'esm-only', tarball], root);
  });
});

function filesOf(folder: string): string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
