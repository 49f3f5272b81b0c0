import { buildPackages } from '@recloser/test-support/build-packages';
import type { TestProject } from 'vitest/node';
import { startDependency } from './start-dependency.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `startDependency` listens: another origin than the page's. */
    readonly dependencyUrl: string;
    /** For each file of tests to tell: a setup that throws would end the tests of all others. */
    readonly buildError?: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPackages().catch((error: unknown) => {
    project.provide('buildError', String(error));
  });
  const server = await startDependency();
  project.provide('dependencyUrl', server.url);
  return async () => server[Symbol.asyncDispose]();
}
