import { fileURLToPath } from 'node:url';
import { project } from '../vitest.project.ts';

/** The lowest version of each client that is supported; its name in package.json. */
const floor = { axios: 'axios-1.7', got: 'got-14', ky: 'ky-2.0', undici: 'undici-7' };

export default project('contract-floor', {
  env: { CLIENTS: 'floor' },
  include: ['*.test.ts'],
  exclude: ['fetch.test.ts'],
  alias: Object.fromEntries(
    Object.entries(floor).map(([client, name]) => [
      client,
      fileURLToPath(new URL(`node_modules/${name}`, import.meta.url)),
    ]),
  ),
});
