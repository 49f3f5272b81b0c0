import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { project, tarballs } from './installed.ts';
import { packages, peers, root, type PackageName } from './packages.ts';
import { run } from './run.ts';

/** Files beside what the sources are compiled to. */
const files: Readonly<Partial<Record<PackageName, readonly string[]>>> = {
  core: ['configuration.schema.json'],
  prometheus: ['alerts.yml', 'grafana-dashboard.json'],
  admin: ['page.html'],
};

/** Those of them that users find by the name of the package; admin serves its own itself. */
const exported: readonly PackageName[] = ['core', 'prometheus'];

/** What each stands on, beside the core. */
const dependencies: Readonly<Partial<Record<PackageName, readonly string[]>>> = {
  ky: ['@recloser/fetch'],
  opentelemetry: ['@recloser/telemetry'],
  prometheus: ['@recloser/telemetry'],
};

/** The word by which npm's search finds it, where that is not its name. */
const keywords: Readonly<Partial<Record<PackageName, string>>> = {
  core: 'http',
  telemetry: 'metrics',
};

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
      ...(files[name] ?? []),
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
      description: expect.stringMatching(/^A circuit breaker for |Recloser circuit breaker/),
      keywords: expect.arrayContaining(['circuit-breaker', keywords[name] ?? name]),
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
    const expected = {
      ...Object.fromEntries(
        Object.entries(entries).map(([entry, module]) => [
          entry,
          { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` },
        ]),
      ),
      ...Object.fromEntries(
        [...(exported.includes(name) ? files[name]! : []), 'package.json'].map((file) => [
          `./${file}`,
          `./${file}`,
        ]),
      ),
    };
    expect(exports).toEqual(expected);
    for (const entry of Object.keys(entries)) {
      expect(Object.keys(exports[entry] as object)).toEqual(['types', 'default']);
    }
  });

  test('depends on packages of this project and on its peer, by versions that are published', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(
      name === 'core' ? [] : ['@recloser/core', ...(dependencies[name] ?? [])],
    );
    expect(Object.values(manifest.dependencies ?? {}).join()).not.toMatch(/workspace|file/);
    expect(Object.keys(manifest.peerDependencies ?? {})).toEqual(
      name in peers ? [peers[name]] : [],
    );
  });

  test('satisfies publint', async () => {
    await run(join(bin, 'publint'), ['--strict', tarball], root);
  });

  test('has types that resolve from ES modules and by bundlers, says attw', async () => {
    // It takes every entry for a module.
    const others = (files[name] ?? []).filter((file) => !file.endsWith('.json'));
    const without = others.length === 0 ? [] : ['--exclude-entrypoints', ...others];
    await run(join(bin, 'attw'), [tarball, '--profile', 'esm-only', ...without], root);
  });
});

function filesOf(folder: string): string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
