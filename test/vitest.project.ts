import { defaultExclude, defineProject, type UserProjectConfigExport } from 'vitest/config';

// The source condition first, then Vite's own conditions for a server.
const conditions = ['@recloser/source', 'module', 'node', 'development|production'];

interface ProjectOptions {
  readonly typeTests?: boolean;
  /** Directories of packages that stand in for others, by the name that is imported. */
  readonly alias?: Readonly<Record<string, string>>;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The vitest configuration of one workspace package: its sources are tested, nothing is built. */
export function project(
  name: string,
  {
    typeTests = false,
    alias = {},
    include = ['**/*.test.ts'],
    exclude = [],
    env = {},
  }: ProjectOptions = {},
): UserProjectConfigExport {
  return defineProject({
    resolve: {
      conditions,
      alias: Object.entries(alias).map(([from, replacement]) => ({
        find: new RegExp(`^${from}$`),
        replacement,
      })),
    },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      env,
      include: [...include],
      exclude: [...defaultExclude, ...exclude],
      // Only what hangs is to end by it: a slow machine is no reason to fail.
      testTimeout: 120_000,
      typecheck: {
        enabled: typeTests,
        include: ['**/*.test-d.ts'],
        tsconfig: 'test/tsconfig.json',
      },
    },
  });
}
