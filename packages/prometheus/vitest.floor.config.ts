import { fileURLToPath } from 'node:url';
import { project } from '../../test/vitest.project.ts';

/** The lowest version of prom-client that is supported, by its name in package.json. */
const floor = fileURLToPath(new URL('.', import.meta.resolve('prom-client-15.0')));

export default project('prometheus-floor', {
  exclude: ['**/*prometheus.test.ts', '**/readme.test.ts'],
  alias: { 'prom-client': floor },
});
