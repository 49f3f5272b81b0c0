import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { install } from './install.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly installation: Installation;
  }
}

interface Installation {
  /** The folder of what `pnpm pack` made. */
  readonly tarballs: string;
  /** The folder of the project into which npm installed them. */
  readonly project: string;
  /** Why there is none: for the tests to tell, since a setup that throws would end those of all others. */
  readonly error?: string;
}

export default async function setup(vitest: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'recloser-packages-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // After an interruption nothing is torn down.
  process.once('exit', remove);
  const installation = { tarballs: join(folder, 'tarballs'), project: join(folder, 'project') };
  try {
    await install(installation.tarballs, installation.project);
    vitest.provide('installation', installation);
  } catch (error) {
    vitest.provide('installation', { ...installation, error: String(error) });
  }
  return async () => remove();
}
