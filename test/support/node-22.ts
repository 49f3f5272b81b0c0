import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The binary of Node 22. */
export const node22: string = join(
  dirname(createRequire(import.meta.url).resolve('node-22/package.json')),
  'bin/node',
);
