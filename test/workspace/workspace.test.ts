import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const coreSources = join(root, 'packages/core/src');

describe('the top level', () => {
  test('holds the project’s folders and files, and what tools insist on finding there', () => {
    expect(topLevel()).toEqual([
      '.changeset',
      '.ci',
      '.github',
      '.gitignore',
      'LICENSE',
      'README.md',
      'examples',
      'package.json',
      'packages',
      'pnpm-lock.yaml',
      'pnpm-workspace.yaml',
      'test',
      'tsconfig.base.json',
      'turbo.json',
    ]);
  });
});

describe('the core', () => {
  const manifest = readJson('packages/core/package.json');

  test.each(['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies'])(
    'has no %s',
    (kind) => {
      expect(manifest).not.toHaveProperty(kind);
    },
  );

  test('has no Node types', () => {
    expect(manifest).not.toHaveProperty(['devDependencies', '@types/node']);
    expect(readJson('tsconfig.base.json')).toHaveProperty(['compilerOptions', 'types'], []);
    for (const config of ['tsconfig.json', 'tsconfig.build.json']) {
      const options = readJson(`packages/core/${config}`)['compilerOptions'] ?? {};
      expect(options).not.toHaveProperty('types');
    }
    for (const file of sourcesOf(coreSources)) {
      expect(readFileSync(file, 'utf8')).not.toMatch(/^\/\/\/\s*<reference\s/m);
    }
  });

  test('imports only its own files', () => {
    expect(importsOf(coreSources).length).toBeGreaterThan(100);
    const foreign = importsOf(coreSources).filter(({ to }) => to.startsWith('..') || to === '');
    expect(foreign).toEqual([]);
  });

  test.each([
    ['breaker', ['registry', 'http', 'index.ts', 'adapter.ts']],
    ['registry', ['http', 'index.ts', 'adapter.ts']],
    ['http', ['index.ts', 'adapter.ts']],
  ])('lets %s/ import nothing of what stands above it', (room, above) => {
    const upward = importsOf(coreSources).filter(
      ({ from, to }) => inRoom(from, room) && above.some((name) => inRoom(to, name)),
    );
    expect(upward).toEqual([]);
  });
});

describe('a package beside the core', () => {
  interface Room {
    /** Packages of this project on which it stands, beside the core. */
    readonly on?: readonly string[];
    readonly peer?: string;
    readonly usesNode?: boolean;
  }

  const rooms: Readonly<Record<string, Room>> = {
    axios: { peer: 'axios' },
    fetch: {},
    got: { peer: 'got', usesNode: true },
    // ky is a fetch that is held elsewhere.
    ky: { on: ['fetch'], peer: 'ky' },
    undici: { peer: 'undici', usesNode: true },
    telemetry: {},
    opentelemetry: { on: ['telemetry'], peer: '@opentelemetry/api' },
    prometheus: { on: ['telemetry'], peer: 'prom-client' },
    'diagnostics-channel': { usesNode: true },
    admin: { usesNode: true },
  };

  test('is one of these', () => {
    const folders = globSync('*/package.json', { cwd: join(root, 'packages') }).map(dirname);
    expect(folders.toSorted()).toEqual(['core', ...Object.keys(rooms)].toSorted());
  });

  test.each(Object.entries(rooms))('%s imports only what it stands on', (name, room) => {
    const { on = [], peer, usesNode = false } = room;
    const below = ['core', 'core/adapter', ...on].map((to) => `@recloser/${to}`);
    const imports = importsOf(join(root, 'packages', name, 'src'));
    const packages = imports.filter(({ to }) => to === '').map(({ specifier }) => specifier);
    const foreign = packages.filter(
      (to) => !below.includes(to) && to !== peer && !(usesNode && to.startsWith('node:')),
    );

    expect(packages).toContain('@recloser/core');
    expect(foreign).toEqual([]);
    expect(imports.filter(({ to }) => to.startsWith('..'))).toEqual([]);
  });

  test.each(Object.entries(rooms))('%s has Node types only where it uses Node', (name, room) => {
    const options = readJson(`packages/${name}/tsconfig.json`)['compilerOptions'] ?? {};
    expect(options).toEqual(room.usesNode ? { types: ['node'] } : {});
  });
});

describe('the imports of a source file', () => {
  test('are found in every form, and not in comments', () => {
    const source = [
      "import a from 'a';",
      'import {',
      '  type b,',
      "} from './b.ts';",
      "import type { C } from 'c';",
      "import 'd'; import 'l';",
      "export * from './e.ts';",
      "export { f } from 'f';",
      "const g = await import('g');",
      "const h: import('h').H = require('i');",
      '/**',
      " * import j from 'j';",
      ' */',
      "// import k from 'k';",
      "const url = 'https://example.com/*';",
    ].join('\n');
    expect(specifiersIn(source).toSorted()).toEqual(
      ['a', './b.ts', 'c', 'd', './e.ts', 'f', 'g', 'h', 'i', 'l'].toSorted(),
    );
  });
});

/** What git has or would take, at the first level. */
function topLevel(): string[] {
  const files = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const names = new Set(files.split('\0').map((file) => file.split('/')[0] ?? ''));
  return [...names].filter((name) => name !== '' && existsSync(join(root, name))).toSorted();
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;
}

function sourcesOf(folder: string): string[] {
  return globSync('**/*.ts', { cwd: folder })
    .filter((file) => !/\.test(-d)?\.ts$/.test(file))
    .map((file) => join(folder, file));
}

/** Each import of the folder's sources, as paths from the folder; `to` is '' for a package. */
function importsOf(folder: string): { from: string; specifier: string; to: string }[] {
  return sourcesOf(folder).flatMap((file) =>
    specifiersIn(readFileSync(file, 'utf8')).map((specifier) => ({
      from: relative(folder, file),
      specifier,
      to: specifier.startsWith('.') ? relative(folder, join(dirname(file), specifier)) : '',
    })),
  );
}

function specifiersIn(source: string): string[] {
  const code = source.replaceAll(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const statements = /(?:^|;)\s*(?:import|export)\b(?:[^;'"`=]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
  const calls = /\b(?:import|require)\s*\(\s*['"`]([^'"`]+)['"`]/g;
  return [...code.matchAll(statements), ...code.matchAll(calls)].map((match) => match[1] ?? '');
}

function inRoom(path: string, room: string): boolean {
  return path === room || path.startsWith(`${room}/`);
}
