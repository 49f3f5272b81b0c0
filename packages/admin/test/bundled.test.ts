import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HttpCircuitBreaker } from '@recloser/core';
import { build, type Format } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { createAdminHandler } from '../src/index.ts';

interface Admin {
  readonly createAdminHandler: typeof createAdminHandler;
}

/** A file in a folder of its own, two levels below one that is removed at the end. */
async function bundle(format: Format): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recloser-admin-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const outfile = join(folder, 'dist', format === 'cjs' ? 'service.cjs' : 'service.mjs');
  await mkdir(dirname(outfile));
  await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format,
    conditions: ['@recloser/source'],
    logLevel: 'silent',
  });
  return outfile;
}

function handlerOf({ createAdminHandler }: Admin): (path: string) => Promise<Response> {
  const handler = createAdminHandler(new HttpCircuitBreaker(), { authorize: () => true });
  return async (path) => await handler(new Request(`http://localhost${path}`));
}

describe('bundled', () => {
  test('to CommonJS it has the API, and says of the page what is to be done', async () => {
    const file = await bundle('cjs');
    const ask = handlerOf(createRequire(import.meta.url)(file) as Admin);

    expect(await (await ask('/api/breakers')).json()).toMatchObject({ breakers: [] });
    const page = await ask('/');
    expect([page.status, await page.json()]).toEqual([
      500,
      {
        error:
          'page.html of @recloser/admin is not to be found from within a CommonJS bundle: where a ' +
          'bundler takes the service in, have it leave @recloser/admin external',
      },
    ]);
  });

  test('to an ES module it names the file of the page, and has it as soon as that is there', async () => {
    const file = await bundle('esm');
    const ask = handlerOf((await import(pathToFileURL(file).href)) as Admin);
    const page = pathToFileURL(join(dirname(dirname(file)), 'page.html'));

    const missing = await ask('/');
    expect([missing.status, await missing.json()]).toEqual([
      500,
      {
        error:
          `there is no ${page.href} to be read: where a bundler takes the service in, ` +
          'have it leave @recloser/admin external, or copy page.html of it there',
      },
    ]);
    await writeFile(page, '<title>it</title>');
    expect(await (await ask('/')).text()).toBe('<title>it</title>');
  });
});
