import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';
import { project } from '../vitest.project.ts';

export default mergeConfig(
  project('packages') as ViteUserConfig,
  defineConfig({
    test: {
      globalSetup: ['global-setup.ts'],
      // Only what hangs is to end by it: compilers take long beside each other.
      testTimeout: 300_000,
    },
  }),
);
