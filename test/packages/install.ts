import { globSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackages } from '@recloser/test-support/build-packages';
import { peers, root } from './packages.ts';
import { run } from './run.ts';

/** What users have beside the packages, in the versions of this workspace. */
const beside = ['@types/node', '@opentelemetry/sdk-metrics', ...Object.values(peers)];

/**
 * Packs the packages as they would be published, and has npm install them into an empty project, as
 * a user would: npm decides what to do about their dependencies and peers. Beside node_modules the
 * project gets the programs, compiled: once to ES modules in esm/, once to CommonJS in cjs/.
 */
export async function install(tarballs: string, project: string): Promise<void> {
  await buildPackages();
  await mkdir(tarballs);
  await run('pnpm', ['-r', '--filter=./packages/*', 'pack', '--pack-destination', tarballs], root);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  const clients = await Promise.all(beside.map(withVersion));
  // Of a registry out of reach `npm install` says that packages do not fit.
  await run('npm', ['cache', 'add', ...clients, '--prefer-offline'], project);
  await run(
    'npm',
    [
      'install',
      ...globSync(join(tarballs, '*.tgz')),
      ...clients,
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
    ],
    project,
  );
  await copyPrograms(join(project, 'esm'), 'module');
  await copyPrograms(join(project, 'cjs'), 'commonjs');
  await run(
    join(root, 'node_modules/.bin/tsc'),
    [
      ...globSync('{esm,cjs}/*.ts', { cwd: project }),
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--rewriteRelativeImportExtensions',
      // Their types are for a test to check.
      '--noCheck',
    ],
    project,
  );
}

async function withVersion(name: string): Promise<string> {
  const manifest = join(import.meta.dirname, 'node_modules', name, 'package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return `${name}@${version}`;
}

async function copyPrograms(folder: string, type: 'module' | 'commonjs'): Promise<void> {
  await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }));
}
