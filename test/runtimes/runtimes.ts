import { node22 } from '@recloser/test-support/node-22';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Family } from './check.ts';
import type { World } from './room.ts';
import { workerConfig } from './worker-config.ts';

export interface Runtime {
  readonly name: string;
  readonly family: Family;
  /** How the runtime names itself to programs. */
  readonly userAgent: RegExp;
  /** What runs the checks: the program, then its arguments. It may write to the scratch folder. */
  command(world: World, scratch: string): readonly [program: string, ...args: string[]];
  /** It resolves no names of packages: `worker-config.ts` lists the built files. */
  readonly isToldItsModules?: true;
  readonly env?: Readonly<Record<string, string>>;
}

const require = createRequire(import.meta.url);
const { default: workerd } = require('workerd') as { readonly default: string };

function beside(manifest: string, file: string): string {
  return join(dirname(manifest), file);
}

function node(major: number, program: string): Runtime {
  return {
    name: `Node ${major}`,
    family: 'Node',
    userAgent: new RegExp(`^Node\\.js/${major}$`),
    command: (world) => [program, 'run.ts', JSON.stringify(world)],
  };
}

function worker(family: Family, compatibilityDate: string): Runtime {
  return {
    name: family,
    family,
    userAgent: /^Cloudflare-Workers$/,
    isToldItsModules: true,
    command(world, scratch) {
      const config = join(scratch, 'config.capnp');
      writeFileSync(config, workerConfig(world, compatibilityDate));
      // The experiment is that it strips types. Absolute paths are looked up in the import path.
      return [workerd, 'test', '--experimental', '--import-path=/', config];
    },
  };
}

export const runtimes: readonly Runtime[] = [
  node(22, node22),
  node(24, beside(require.resolve('node/package.json'), 'bin/node')),
  node(26, beside(require.resolve('node-26/package.json'), 'bin/node')),
  {
    name: 'Bun',
    family: 'Bun',
    userAgent: /^Bun\//,
    command: (world) => [
      beside(require.resolve('bun/package.json'), 'bin/bun.exe'),
      'run.ts',
      JSON.stringify(world),
    ],
  },
  {
    name: 'Deno',
    family: 'Deno',
    userAgent: /^Deno\//,
    command: (world) => [
      beside(require.resolve('deno/package.json'), 'deno'),
      'run',
      // No other permission, as a user would have it.
      '--allow-net',
      '--no-prompt',
      '--no-check',
      // Else it rewrites the package.json of the workspace.
      '--no-config',
      '--node-modules-dir=manual',
      'run.ts',
      JSON.stringify(world),
    ],
    env: { DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1' },
  },
  worker('workerd', '2026-11-17'),
  // Of a date when workers had to ask for them.
  worker('workerd without Node.js APIs', '2024-01-01'),
];
