import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { World } from './room.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const ours = ['core', 'fetch'];

/** What workerd is to run: the checks and the built packages, file by file. */
export function workerConfig(world: World, compatibilityDate: string): string {
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "checks", worker = .checks),
  (name = "internet", network = (
    allow = ["public", "private"],
    tlsOptions = (trustBrowserCas = true),
  )),
]);
const checks :Workerd.Worker = (
  modules = [
    ${[...sourceModules(), ...builtModules(), ...packageNames()].join(',\n    ')}
  ],
  compatibilityDate = ${quoted(compatibilityDate)},
  compatibilityFlags = ["typescript_strip_types"],
  bindings = [(name = "WORLD", json = ${quoted(JSON.stringify(world))})],
);
`;
}

/** The first is the worker's own. */
function sourceModules(): string[] {
  const names = ['worker.ts', 'run-checks.ts', 'check.ts', 'room.ts', 'guarded.ts', 'error-of.ts'];
  const checks = globSync('{*-,}checks.ts', { cwd: here });
  return [...new Set([...names, ...checks])].map((name) => file(name, join(here, name)));
}

function builtModules(): string[] {
  return ours.flatMap((name) => {
    const built = `@recloser/${name}/dist`;
    const folder = fileURLToPath(new URL(`node_modules/${built}`, import.meta.url));
    return globSync('**/*.js', { cwd: folder }).map((path) =>
      file(`${built}/${path}`, join(folder, path)),
    );
  });
}

/** workerd takes the name of a package for a path, from the folder of the module that imports it. */
function packageNames(): string[] {
  const exported = { core: 'index', 'core/adapter': 'adapter', fetch: 'index' };
  return Object.entries(exported).flatMap(([name, entry]) => {
    const [folder] = name.split('/');
    return ['', '@recloser/fetch/dist/'].map((importer) => {
      const module = `${importer}@recloser/${name}`;
      const up = '../'.repeat(module.split('/').length - 1);
      const source = `export * from './${up}@recloser/${folder}/dist/${entry}.js';`;
      return `(name = ${quoted(module)}, esModule = ${quoted(source)})`;
    });
  });
}

function file(name: string, path: string): string {
  return `(name = ${quoted(name)}, esModule = embed ${quoted(path)})`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
