import { defineProject, type UserProjectConfigExport } from 'vitest/config';

// The source condition first, then Vite's own conditions for a server.
const conditions = ['@recloser/source', 'module', 'node', 'development|production'];

/** The vitest configuration of one workspace package: its sources are tested, nothing is built. */
export function project(name: string, { typeTests = false } = {}): UserProjectConfigExport {
  return defineProject({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: ['**/*.test.ts'],
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
