import { fileURLToPath } from 'node:url';
import { runToEnd, type Ending, type Surroundings } from '../test/support/run-to-end.ts';

/** Runs an example as a user would. */
export async function runExample(name: string, surroundings: Surroundings = {}): Promise<Ending> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  return await runToEnd(process.execPath, ['--conditions=@recloser/source', file], surroundings);
}
