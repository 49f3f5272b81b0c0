import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import limits from './.size-limit.json' with { type: 'json' };
import { project } from './installed.ts';

interface Measured {
  readonly name: string;
  /** Bytes, minified and gzipped. */
  readonly size: number;
  readonly sizeLimit: number;
}

const measured = await measure();

test.for(limits)('$name: no more than $limit', ({ name }) => {
  const { size, sizeLimit } = measured.find((entry) => entry.name === name)!;
  expect(size, `${name}: ${size} of ${sizeLimit} bytes`).toBeLessThanOrEqual(sizeLimit);
});

/** By the `dist` folders, which are what the tarballs have. */
async function measure(): Promise<readonly Measured[]> {
  const bin = join(import.meta.dirname, 'node_modules/size-limit/bin.js');
  const { stdout } = await promisify(execFile)(process.execPath, [bin, '--json'], {
    cwd: import.meta.dirname,
    // Where a bundle can not be made it leaves its folder behind.
    env: { ...process.env, TMPDIR: project },
  }).catch((error: { stdout: string }) => error);
  const result = JSON.parse(stdout) as readonly Measured[] | { readonly error: string };
  if ('error' in result) throw new Error(result.error);
  return result;
}
