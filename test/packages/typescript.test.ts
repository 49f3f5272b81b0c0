import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { project } from './installed.ts';
import { packages, root } from './packages.ts';
import { run } from './run.ts';

const compilers = {
  '5.8': join(import.meta.dirname, 'node_modules/typescript-5.8/bin/tsc'),
  '5.9': join(import.meta.dirname, 'node_modules/typescript-5.9/bin/tsc'),
  '6': join(import.meta.dirname, 'node_modules/typescript-6/bin/tsc'),
  '7': join(root, 'node_modules/.bin/tsc'),
};

const modules = packages.map((name) => `esm/${name}.ts`);
const inBothKinds = [...modules, ...packages.map((name) => `cjs/${name}.ts`)];
const inBrowsers = ['core', 'fetch', 'axios', 'ky', 'telemetry', 'opentelemetry'].map(
  (name) => `esm/${name}.ts`,
);

const node = { module: 'nodenext', types: ['node'] };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

const programs = {
  'in Node, as ES modules and as CommonJS, without the types of the DOM': {
    compilerOptions: { ...node, lib: ['es2023'] },
    files: inBothKinds,
  },
  'in Node, with the types of the DOM beside those of Node': {
    compilerOptions: { ...node, lib: ['es2023', 'dom'] },
    files: inBothKinds,
  },
  'in Node and bundled': {
    compilerOptions: { ...bundler, lib: ['es2023'], types: ['node'] },
    files: modules,
  },
  'in a page, bundled, without the types of Node': {
    compilerOptions: { ...bundler, lib: ['es2023', 'dom'], types: [] },
    files: inBrowsers,
  },
};

type Compiler = keyof typeof compilers;
type Program = keyof typeof programs;

const [service, serviceWithDom, bundledService, page] = Object.keys(programs) as Program[];

// The declarations of the clients and of Node are checked as well as ours, and need nothing more from
// any of these compilers. Most of the time goes into got's own: those before 7, which are slower by
// far, read them once.
const compilations: readonly (readonly [Compiler, Program])[] = [
  ['5.8', service!],
  ['5.8', page!],
  ['5.9', service!],
  ['5.9', page!],
  ['6', service!],
  ['6', page!],
  ['7', service!],
  ['7', serviceWithDom!],
  ['7', bundledService!],
  ['7', page!],
];

describe.concurrent('strict, and with every declaration checked', () => {
  test.for(compilations)('TypeScript %s compiles programs %s', async ([compiler, name]) => {
    const { compilerOptions, files } = programs[name];
    const config = {
      compilerOptions: {
        noEmit: true,
        strict: true,
        skipLibCheck: false,
        target: 'es2023',
        rewriteRelativeImportExtensions: true,
        ...compilerOptions,
      },
      files,
    };
    const file = `tsconfig.${crypto.randomUUID()}.json`;
    await writeFile(join(project, file), JSON.stringify(config));
    await run(compilers[compiler], ['--project', file], project);
  });
});
