import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A directory: each run, on whichever Node, leaves a report of its own there.
const reports = process.env['RECLOSER_TEST_REPORT'];
const outputFile = `${reports}/node-${process.versions.node}.json`;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: ['{packages/*,examples,test/*}/vitest{,.floor}.config.ts'],
    reporters: reports === undefined ? ['default'] : ['default', ['json', { outputFile }]],
  },
});
