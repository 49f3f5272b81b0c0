import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const report = process.env['RECLOSER_TEST_REPORT'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: ['{packages/*,examples,test/*}/vitest.config.ts'],
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
